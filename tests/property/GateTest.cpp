// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gate before the assembler over random kernels: it lets pass what the
// emitter makes, and nothing with a wrong operand.

#include "fuzz/campaign/GateRun.h"
#include "tests/unit/Long.h"

#include <gtest/gtest.h>
#include <iostream>

using namespace girih;

static const size_t kernels = test::isLong ? 3000 : 80;
static const uint64_t seed = test::isLong ? 1000000 : 1;

TEST(Gate, seesWrongOperandsInRandomKernels) {
  fuzz::GateOptions o;
  o.count = kernels;
  o.seed = seed;
  fuzz::GateResult r = fuzz::runGate(o);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(fuzz::toJson(r));
  std::cout << text << "\n";
  EXPECT_EQ(r.kernels, kernels);
  EXPECT_GT(r.lowered, kernels / 2);
  EXPECT_GT(r.planted, 10 * kernels);
  EXPECT_LT(r.harmless, r.planted / 3);
  EXPECT_EQ(r.wrong, 0u) << text;
}
