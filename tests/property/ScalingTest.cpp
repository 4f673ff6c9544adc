// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long texts of every family take little time and memory.

#include "fuzz/Scaling.h"

#include <gtest/gtest.h>

using namespace girih;

#ifdef GIRIH_LONG
static constexpr size_t texts = 600;
static constexpr uint64_t seed = 1000000;
#else
static constexpr size_t texts = 40;
static constexpr uint64_t seed = 1;
#endif

TEST(Scaling, longTextsTakeLittle) {
  fuzz::ScalingOptions o;
  o.count = texts;
  o.seed = seed;
  o.out = GIRIH_BINARY_DIR "/scaling";
  fuzz::ScalingResult r = fuzz::runScaling(o);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(fuzz::toJson(r));
  std::cout << text << "\n";
  EXPECT_EQ(r.tried, texts);
  EXPECT_TRUE(r.problems.empty()) << text;
}
