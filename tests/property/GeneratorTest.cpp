// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of the kernel generator, which the executor confirms: every text reads,
// safe kernels never fault, mistakes mostly do.

#include "fuzz/sanitiser/BruteForce.h"
#include "tests/property/Kernels.h"

#include <rapidcheck/gtest.h>

using namespace girih;
using namespace girih::test;

static void reads(const fuzz::Sample &s) {
  Kernel k(s.text);
  RC_LOG() << k.errors;
  RC_ASSERT(bool(k));
}

RC_GTEST_PROP(Generator, safeKernelsRead, ()) { reads(*safeKernels()); }
RC_GTEST_PROP(Generator, nearMissesRead, ()) { reads(*nearMisses()); }
RC_GTEST_PROP(Generator, randomReads, ()) { reads(*indexKernels()); }

RC_GTEST_PROP(Generator, sameSeedSameKernel, ()) {
  uint64_t seed = *seeds();
  RC_ASSERT(fuzz::safeKernel(seed).text == fuzz::safeKernel(seed).text);
  RC_ASSERT(fuzz::randomIndices(seed).text == fuzz::randomIndices(seed).text);
}

RC_GTEST_PROP(Generator, aMistakeChangesTheText, ()) {
  uint64_t seed = *seeds();
  std::string safe = fuzz::safeKernel(seed).text;
  std::vector<std::string> mistakes = fuzz::mutationsOf(seed);
  for (size_t i = 0; i < mistakes.size(); ++i) {
    fuzz::Sample s = fuzz::nearMiss(seed, i);
    RC_ASSERT(s.mutation == mistakes[i]);
    // A counter that fits either way is the one exception.
    RC_ASSERT(s.text != safe || s.mutation == "counter leaves its width" ||
              s.mutation == "swapped axes" || s.mutation == "wrong divisor" ||
              s.mutation == "input not transposed");
  }
}

/// The longest safe kernel takes more steps than a campaign gives one.
static fuzz::BruteResult toTheEnd(Kernel &k, const fuzz::Sample &s) {
  fuzz::BruteOptions options;
  options.maxSteps = 1 << 20;
  return fuzz::bruteForce(k.op(), s.box, options);
}

RC_GTEST_PROP(Generator, safeKernelsNeverFault, ()) {
  fuzz::Sample s = *safeKernels();
  Kernel k(s.text);
  RC_ASSERT(bool(k));
  fuzz::BruteResult r = toTheEnd(k, s);
  RC_LOG() << (r.broken ? fuzz::text(*r.broken) : "");
  RC_ASSERT(!r.broken);
  RC_ASSERT(r.admitted > 0u);
  RC_ASSERT(r.exhausted == 0u);
}

// One of 10,000 safe kernels had no launch in its box (products of extents,
// strides and grids that a contract wants even or no less than a constant),
// none in the sample of a large box, or more steps than were given.
TEST(Generator, rareKernelsHaveLaunchesInTheBox) {
  for (uint64_t seed :
       {uint64_t(77534691308273u), 5581135317444163841u, 16351675783062730502u,
        11352826074187515805u, 5882143745786088618u, 406473626117433110u,
        17255056901195119297u}) {
    fuzz::Sample s = fuzz::safeKernel(seed);
    Kernel k(s.text);
    ASSERT_TRUE(bool(k)) << seed;
    fuzz::BruteResult r = toTheEnd(k, s);
    EXPECT_FALSE(r.broken) << seed;
    EXPECT_GT(r.admitted, 0u) << seed;
    EXPECT_EQ(r.exhausted, 0u) << seed;
  }
}

/// Tiles that a contract makes whole are in the box, though the extent is one
/// of another axis, too, whose tiles are smaller.
TEST(Generator, wholeTilesAreInTheBox) {
  fuzz::Sample s = fuzz::safeKernel(989);
  ASSERT_NE(s.text.find("mod(M, 16) == 0"), std::string::npos);
  Kernel k(s.text);
  EXPECT_GT(fuzz::bruteForce(k.op(), s.box).admitted, 0u);
}

TEST(Generator, mostMistakesShowInTheBox) {
  int misses = 0, broken = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    size_t mistakes = fuzz::mutationsOf(seed).size();
    if (mistakes == 0) {
      continue;
    }
    fuzz::Sample s = fuzz::nearMiss(seed, seed % mistakes);
    Kernel k(s.text);
    ASSERT_TRUE(bool(k)) << k.errors;
    fuzz::BruteOptions once;
    once.allOrders = false;
    ++misses;
    broken += fuzz::bruteForce(k.op(), s.box, once).broken.has_value();
  }
  EXPECT_GE(broken * 100, misses * 75) << broken << " of " << misses;
}

/// What blocks and trips find differs in some run, where there are two tiles.
TEST(Generator, turnsByWhatIsFoundShowInTheBox) {
  std::map<std::string, int> made, broken;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    std::vector<std::string> mistakes = fuzz::mutationsOf(seed);
    for (size_t i = 0; i < mistakes.size(); ++i) {
      fuzz::Sample s = fuzz::nearMiss(seed, i);
      if (!s.mutation.starts_with("rotated by what") ||
          s.text.find(", out>") == std::string::npos) {
        continue;
      }
      Kernel k(s.text);
      ASSERT_TRUE(bool(k)) << k.errors;
      ++made[s.mutation];
      broken[s.mutation] += fuzz::bruteForce(k.op(), s.box).broken.has_value();
    }
  }
  EXPECT_EQ(made.size(), 3u);
  for (auto &[mistake, n] : made) {
    EXPECT_GE(n, 10) << mistake;
    EXPECT_GE(broken[mistake] * 100, n * 60) << mistake;
  }
}

// What is given of contents the executor's contents keep, to the edge.
TEST(Generator, mistakesInListsMapsAndHelpersShowInTheBox) {
  std::map<std::string, int> made, broken;
  for (const char *mistake :
       {"listed tile one too far", "listed tiles not distinct",
        "last split one too far", "splits not sorted",
        "one tile more than the split", "map one further",
        "map divides by the other count", "helper forgets one"}) {
    made[mistake] = 0;
  }
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    std::vector<std::string> mistakes = fuzz::mutationsOf(seed);
    for (size_t i = 0; i < mistakes.size(); ++i) {
      auto it = made.find(mistakes[i]);
      if (it == made.end() || it->second == 25) {
        continue;
      }
      fuzz::Sample s = fuzz::nearMiss(seed, i);
      Kernel k(s.text);
      ASSERT_TRUE(bool(k)) << k.errors << s.text;
      ++it->second;
      broken[mistakes[i]] += fuzz::bruteForce(k.op(), s.box).broken.has_value();
    }
  }
  for (auto &[mistake, n] : made) {
    EXPECT_GE(n, 10) << mistake;
    EXPECT_GE(broken[mistake] * 100, n * 40) << mistake;
  }
}

TEST(Generator, mistakesAreOfManyKinds) {
  std::set<std::string> kinds;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    for (const std::string &m : fuzz::mutationsOf(seed)) {
      kinds.insert(m);
    }
  }
  EXPECT_GE(kinds.size(), 25u);
}
