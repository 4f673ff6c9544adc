// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gate before the assembler over random kernels: it lets pass what the
// emitter makes, and nothing with a wrong operand.

#include "fuzz/campaign/GateRun.h"

#include <gtest/gtest.h>
#include <iostream>

using namespace girih;

#ifdef GIRIH_LONG
static constexpr size_t kernels = 3000;
static constexpr uint64_t seed = 1000000;
#else
static constexpr size_t kernels = 80;
static constexpr uint64_t seed = 1;
#endif

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
