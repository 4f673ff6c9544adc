// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Disturbed bytes: a clear error or a verdict, no crash, no hang.

#include "fuzz/campaign/Bytes.h"
#include "tests/property/Kernels.h"
#include "tests/unit/Long.h"

#include <iostream>

using namespace girih;

static const size_t texts = test::isLong ? 20000 : 2000;
static const uint64_t seed = test::isLong ? 1000000 : 1;

TEST(Bytes, neitherCrashNorHang) {
  std::vector<std::string> sources;
  for (const std::string &path : test::allKernels()) {
    sources.push_back(test::textOf(path));
  }
  fuzz::BytesOptions o;
  o.count = texts;
  o.seed = seed;
  o.out = GIRIH_BINARY_DIR "/bytes";
  // Maps and lanes take the search to its budget: above a second at times.
  o.secondsPerText = 3;
  fuzz::BytesResult r = fuzz::runBytes(sources, o);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(fuzz::toJson(r));
  std::cout << text << "\n";
  EXPECT_EQ(r.tried, texts);
  EXPECT_EQ(r.bad(), 0u) << text;
  EXPECT_GT(r.refused, texts / 2);
  EXPECT_GT(r.read, texts / 50);
}
