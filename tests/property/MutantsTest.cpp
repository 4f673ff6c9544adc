// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutants of the shipped kernels: none that can fault is VERIFIED, and few are
// left open.

#include "fuzz/campaign/Mutants.h"
#include "fuzz/generators/Mutate.h"
#include "tests/property/Kernels.h"
#include "tests/unit/Long.h"

#include <iostream>
#include <set>

using namespace girih;

static const size_t mutants = test::isLong ? 250 : 30;

static std::vector<std::pair<std::string, std::string>> shipped() {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string &path : test::kernelsIn("proofs/kernels")) {
    out.emplace_back(path, test::textOf(path));
  }
  return out;
}

TEST(Mutants, ofShippedKernelsAreKilledOrSafe) {
  fuzz::MutantOptions o;
  o.count = mutants;
  o.out = GIRIH_BINARY_DIR "/mutants";
  fuzz::MutantResult r = fuzz::runMutants(shipped(), o);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(fuzz::toJson(r));
  std::cout << text << "\n";
  EXPECT_EQ(r.all.wrong, 0u) << text;
  EXPECT_GE(r.all.killed * 2, r.judged());
  EXPECT_LE(r.all.unknown * 10, r.judged()) << text;
}

TEST(Mutants, differFromTheirKernelInOneWayEach) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string text = test::textOf("proofs/kernels/transpose/transpose.mlir");
  std::set<std::string> seen, kinds;
  for (const fuzz::Mutant &m : fuzz::mutantsOf(context, text)) {
    EXPECT_TRUE(seen.insert(m.text).second) << m.kind << ", " << m.place;
    kinds.insert(m.kind);
  }
  EXPECT_GE(seen.size(), 20u);
  EXPECT_TRUE(kinds.count("floor for ceil"));
  EXPECT_TRUE(kinds.count("axes swapped"));
  EXPECT_TRUE(fuzz::mutantsOf(context, "tile.kernel").empty());
}
