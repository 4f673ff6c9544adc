// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verdicts against brute force: what is VERIFIED never faults in its box, under
// four orders of the blocks; what breaks a rule is seen to break it.

#include "fuzz/sanitiser/BruteForce.h"

#include "checker/decide/Verify.h"
#include "checker/search/SearchLibrary.h"
#include "tests/property/Kernels.h"
#include "tests/unit/Long.h"

using namespace girih;
using namespace girih::test;

static const size_t launches = test::isLong ? 1500 : 100;

static void agree(tile::KernelOp kernel, const fuzz::BruteOptions &brute,
                  const checker::VerifyOptions &options) {
  unsigned width = brute.width;
  checker::Verdict v = checker::verify(kernel, options);
  fuzz::Box box = fuzz::boxOf(kernel, width);
  fuzz::BruteResult r = fuzz::bruteForce(kernel, box, brute);
  if (v.kind == checker::VerdictKind::Verified) {
    EXPECT_FALSE(r.broken) << fuzz::text(*r.broken);
    EXPECT_TRUE(r.admitted > 0 || width < 64);
  }
  if (v.kind == checker::VerdictKind::Unsatisfiable) {
    EXPECT_FALSE(fuzz::admitsWork(kernel, box, width));
  }
  if (r.broken) {
    EXPECT_NE(v.kind, checker::VerdictKind::Verified);
  }
}

static void agree(const std::string &path, fuzz::BruteOptions brute,
                  unsigned width = 64) {
  SCOPED_TRACE(path);
  Kernel k(textOf(path));
  ASSERT_TRUE(bool(k)) << k.errors;
  std::string error;
  checker::VerifyOptions options;
  options.search = checker::openSearch(&error);
  ASSERT_NE(options.search, nullptr) << error;
  options.width = {width};
  brute.width = width;
  for (const auto &file : k.files) {
    agree(file->kernel, brute, options);
  }
}

class BruteForceOf : public ::testing::TestWithParam<std::string> {};

TEST_P(BruteForceOf, agreesWithTheVerdict) {
  fuzz::BruteOptions brute;
  brute.maxLaunches = launches;
  agree(GetParam(), brute);
}

// An index of 8 bits is soon left.
TEST_P(BruteForceOf, agreesAtEightBits) {
  fuzz::BruteOptions brute;
  brute.maxLaunches = launches;
  agree(GetParam(), brute, 8);
}

INSTANTIATE_TEST_SUITE_P(Kernels, BruteForceOf,
                         ::testing::ValuesIn(takenKernels()), testName);

// Many, and loops in loops: fewer launches, and shorter ones.
TEST(BruteForce, agreesOnOutsideKernels) {
  fuzz::BruteOptions brute;
  brute.maxLaunches = 12;
  brute.maxSteps = 1 << 14;
  for (const std::string &path : suiteKernels()) {
    agree(path, brute);
  }
}

class Broken : public ::testing::TestWithParam<std::string> {};

TEST_P(Broken, breaksTheRuleOfItsFolder) {
  std::string rule = std::filesystem::path(GetParam()).parent_path().filename();
  Kernel k(textOf(GetParam()));
  ASSERT_TRUE(bool(k)) << k.errors;
  fuzz::Box box = fuzz::boxOf(k.op());
  if (rule == "contract.satisfiable") {
    EXPECT_FALSE(fuzz::admitsWork(k.op(), box, 64));
    return;
  }
  fuzz::BruteOptions brute;
  brute.maxLaunches = 500;
  brute.allOrders = false;
  fuzz::BruteResult r = fuzz::bruteForce(k.op(), box, brute);
  ASSERT_TRUE(r.broken);
  EXPECT_EQ(ruleName(r.broken->fault.rule), rule);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Broken,
    ::testing::ValuesIn(kernelsIn("tests/corpus/girih/rules", "bad.mlir")),
    testName);
