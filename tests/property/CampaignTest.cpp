// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Campaigns of random kernels: no verdict is contradicted, and most of what is
// safe is proved.

#include "fuzz/Campaign.h"

#include <gtest/gtest.h>
#include <iostream>

using namespace girih;

#ifdef GIRIH_LONG
static constexpr size_t kernels = 2500;
static constexpr uint64_t seed = 2;
#else
static constexpr size_t kernels = 800;
static constexpr uint64_t seed = 1;
#endif

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
  EXPECT_GE(r.soupVerified, kernels / 40);
}
