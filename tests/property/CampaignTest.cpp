// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Campaigns of random kernels: no verdict is contradicted, and most of what is
// safe is proved.

#include "fuzz/campaign/Campaign.h"
#include "checker/search/SearchLibrary.h"
#include "fuzz/campaign/Replay.h"
#include "fuzz/generators/FromMemory.h"
#include "fuzz/generators/Generator.h"
#include "ir/text/Reader.h"
#include "tests/unit/Long.h"

#include <ctime>
#include <gtest/gtest.h>
#include <iostream>

using namespace girih;

static const size_t kernels = test::isLong ? 2500 : 250;
static const size_t fromMemory = test::isLong ? 400 : 30;
static const uint64_t seed = test::isLong ? 2 : 1;

TEST(Campaign, noVerdictIsWrong) {
  fuzz::CampaignOptions o;
  o.count = kernels;
  o.seed = seed;
  o.out = GIRIH_BINARY_DIR "/campaign";
  fuzz::CampaignResult r = fuzz::runCampaign(o);
  llvm::json::Object report = fuzz::toJson(r);
  report.erase("unproved");
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(report));
  std::cout << text << "\n";
  EXPECT_EQ(r.wrong, 0u) << text;
  EXPECT_EQ(r.generated, kernels);
  EXPECT_GE(r.share(), 0.95) << r.safeVerified << " of " << r.safe;
  // A launch that breaks a kernel is found by the checker too, nearly always.
  EXPECT_GE(r.nearRefuted * 100, r.nearBroken * 90);
  EXPECT_GE(r.randomVerified, kernels / 40);
  EXPECT_EQ(r.memoryVerified, r.memorySafe);
  EXPECT_LE((r.memoryMistakes - r.memoryRefuted) * 20, r.memoryMistakes);
}

/// Most kernels of a family are decided: what the small launches break is
/// REFUTED, and what they do not break is proved, but for a few.
static void isSeenThrough(const char *family, size_t openOf = 50) {
  fuzz::CampaignOptions o;
  o.count = test::isLong ? 300 : 60;
  o.seed = seed;
  o.family = fuzz::findFamily(family);
  ASSERT_TRUE(o.family);
  o.out = GIRIH_BINARY_DIR "/campaign";
  fuzz::CampaignResult r = fuzz::runCampaign(o);
  EXPECT_EQ(r.problems, std::vector<std::string>());
  EXPECT_EQ(r.family, o.count);
  EXPECT_GE(r.familyVerified * 4, r.family);
  EXPECT_GE(r.familyRefuted * 100, r.familyBroken * 98);
  size_t open = r.family - r.familyVerified - r.familyRefuted;
  EXPECT_LE(open * openOf, r.family) << open << " of " << r.family;
}

TEST(Campaign, severalStoresAreSeenThrough) { isSeenThrough("several-stores"); }

TEST(Campaign, masksAreSeenThrough) { isSeenThrough("masks", 10); }

TEST(Campaign, whilesAreSeenThrough) { isSeenThrough("whiles", 10); }

TEST(Campaign, contentsThatCoverAreSeenThrough) {
  isSeenThrough("by-contents");
}

/// Atomic scatters: all safe ones are proved, and their mistakes found.
TEST(Campaign, atomicScattersAreSeenThrough) {
  isSeenThrough("atomic-scatters");
  isSeenThrough("random-atomic-scatters", 10);
}

TEST(Campaign, slicesOfLanesAreSeenThrough) { isSeenThrough("lane-slices"); }

/// Lanes and tiles of views of views, in steps and flattened.
TEST(Campaign, viewsAreSeenThrough) {
  isSeenThrough("views-of-lanes", 10);
  isSeenThrough("tiles-of-views", 10);
}

/// The solver counts no units where it is asked about this one. It has seconds,
/// once: it took more than a minute, and more than two checks of a kernel
/// would.
TEST(LongCampaign, noKernelTakesTheSolverForLong) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::optional<size_t> family = fuzz::findFamily("random-atomic-scatters");
  ASSERT_TRUE(family);
  std::clock_t start = std::clock();
  fuzz::Trial t = fuzz::tryKernel(
      context, fuzz::drawnFamilies()[*family].draw(5499590146212), 64,
      checker::openSearch(), "");
  EXPECT_EQ(t.verdict, checker::VerdictKind::Refuted);
  EXPECT_EQ(t.wrong, "");
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 25);
}

/// What the small launches refute is booked on a condition that they break,
/// also where many conditions of other stores are open.
TEST(Campaign, refutationsOfSeveralStoresAreBookedOnWhatBreaks) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (uint64_t s : {1099542632984ull, 1099542634544ull, 1099542634791ull}) {
    fuzz::Trial t = fuzz::tryKernel(context, fuzz::severalStores(s), 64,
                                    checker::openSearch(), "");
    EXPECT_EQ(t.verdict, checker::VerdictKind::Refuted) << s;
    EXPECT_EQ(t.wrong, "") << s;
  }
}

/// Of kernels whose indices come from memory every mistake is found by what may
/// lie there, and what shows it is written out.
TEST(Campaign, mistakesInIndicesFromMemoryAreRefuted) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string errors;
  llvm::raw_string_ostream os(errors);
  checker::VerifyOptions options;
  options.search = checker::openSearch();
  ASSERT_TRUE(options.search);
  options.allFaults = false;
  size_t mistakes = 0, open = 0, safe = 0;
  for (uint64_t s = seed * 1000; s < seed * 1000 + fromMemory; ++s) {
    auto verdict = [&](const fuzz::Sample &sample) {
      auto file = tile::readKernelText(context, sample.text, "k.mlir", os);
      EXPECT_TRUE(file) << errors << sample.text;
      checker::Verdict v = checker::verify(file->kernel, options);
      if (v.kind == checker::VerdictKind::Refuted) {
        EXPECT_TRUE(fuzz::replays(file->kernel, v.counterexamples.front(), 64));
      }
      return v.kind;
    };
    safe += verdict(fuzz::fromMemory(s)) == checker::VerdictKind::Verified;
    for (size_t i = 0; i < fuzz::memoryMistakes(s).size(); ++i) {
      fuzz::Sample sample = fuzz::fromMemory(s, i);
      checker::VerdictKind kind = verdict(sample);
      ++mistakes;
      open += kind == checker::VerdictKind::Unknown;
      EXPECT_NE(kind, checker::VerdictKind::Verified) << sample.mutation << "\n"
                                                      << sample.text;
    }
  }
  std::cout << mistakes << " mistakes, " << open << " UNKNOWN\n";
  EXPECT_EQ(safe, fromMemory);
  EXPECT_LE(open * 100, mistakes) << open << " of " << mistakes;
}
