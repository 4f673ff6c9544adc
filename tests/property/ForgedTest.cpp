// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No file of certificates makes a verdict better than it is: forged ones, the
// honest file of another kernel, and both in one. Kernels are drawn anew in
// each run; a campaign draws the same ones always.

#include "fuzz/campaign/Forged.h"

#include "checker/search/SearchLibrary.h"
#include "fuzz/generators/Contracts.h"
#include "fuzz/sanitiser/BruteForce.h"
#include "tests/property/Kernels.h"
#include "tests/unit/Long.h"

using namespace girih;
using namespace girih::test;

static const int contracts = test::isLong ? 4000 : 40;
static const int mistakes = test::isLong ? 1000 : 12;

/// Checks a property of a seed in so many cases, fewer if RC_PARAMS says so.
static void check(int cases, const std::function<void(uint64_t)> &property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = std::min(params.maxSuccess * cases / 100, cases);
  rc::detail::TestResult result = rc::detail::checkTestable(
      [&] { property(*seeds()); }, rc::detail::TestMetadata(), params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << text.str();
}

/// Verifies the sample with files, the honest one of `other` among them.
static void tryFiles(const fuzz::Sample &sample, const fuzz::Sample &other,
                     unsigned width) {
  RC_LOG() << sample.text << "// beside the certificates of\n" << other.text;
  Kernel k(sample.text), foreign(other.text);
  RC_ASSERT(bool(k));
  RC_ASSERT(bool(foreign));
  checker::VerifyOptions options;
  options.width = {width};
  options.search = checker::openSearch();
  RC_ASSERT(options.search != nullptr);
  options.allFaults = false;
  options.steps /= 2;
  bool isWrong =
      sample.truth == fuzz::Sample::Truth::Unsafe ||
      (sample.decides && !fuzz::isSatisfiable(k.op(), sample.box, width));
  fuzz::Draw d(sample.seed);
  checker::Verdict honest = checker::verify(k.op(), options);
  RC_ASSERT(fuzz::tryForged(
                d, k.op(), honest, options, isWrong,
                certificateFile(checker::verify(foreign.op(), options))) == "");
}

TEST(Forged, noFileGivesAContractALaunch) {
  check(contracts, [](uint64_t seed) {
    tryFiles(fuzz::contractKernel(seed, 64), fuzz::contractKernel(seed + 1, 64),
             64);
  });
}

/// The kernel without the mistake proves nearly the same.
TEST(Forged, noFileHidesAMistake) {
  check(mistakes, [](uint64_t seed) {
    size_t points = fuzz::mutationsOf(seed).size();
    fuzz::Sample safe = fuzz::safeKernel(seed);
    if (points != 0) {
      tryFiles(fuzz::nearMiss(seed, seed / 7 % points), safe, 64);
    }
  });
}
