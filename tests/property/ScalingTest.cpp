// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long texts of every family take little time and memory.

#include "fuzz/scaling/Scaling.h"
#include "checker/decide/Verify.h"
#include "checker/search/SearchLibrary.h"
#include "fuzz/scaling/ScalingTools.h"
#include "ir/text/Reader.h"
#include "tests/unit/Long.h"

#include <ctime>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

using namespace girih;

static const size_t texts = test::isLong ? 600 : 16;
static const uint64_t seed = test::isLong ? 1000000 : 1;

/// Processor time of work that has nothing of Girih's: nodes of a map
/// allocated, compared and freed, as in a tool that reads a long text. 1.4
/// to 2.5 s.
static double referenceSeconds() {
  std::clock_t start = std::clock();
  std::map<std::string, size_t> nodes;
  uint64_t drawn = 1;
  for (size_t i = 0; i < 1'000'000; ++i) {
    drawn = drawn * 6364136223846793005 + 1442695040888963407;
    nodes["key of a node, " + std::to_string(drawn >> 44)] = i;
  }
  EXPECT_GT(nodes.size(), 500'000u);
  nodes.clear();
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Scaling, longTextsTakeLittle) {
  fuzz::ScalingOptions o;
  o.count = texts;
  o.seed = seed;
  // Machines differ by a factor of two, and a core that runs other tests too
  // does less in a second of processor time.
  o.secondsPerTool = 12 * referenceSeconds();
  o.out = GIRIH_BINARY_DIR "/scaling";
  fuzz::ScalingResult r = fuzz::runScaling(o);
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(fuzz::toJson(r));
  std::cout << text << "\n";
  EXPECT_EQ(r.tried, texts);
  EXPECT_TRUE(r.problems.empty()) << text;
}

/// With no memory allowed every text is a problem, which names its family.
TEST(Scaling, drawsFromTheFamiliesAskedFor) {
  fuzz::ScalingOptions o;
  o.count = 12;
  o.families = {"comments", "many-models"};
  o.maxBytes = 0;
  std::map<std::string, int> drawn;
  for (const std::string &problem : fuzz::runScaling(o).problems) {
    size_t start = problem.find(", ") + 2;
    ++drawn[problem.substr(start, problem.find(' ', start) - start)];
  }
  EXPECT_EQ(drawn.size(), 2u);
  EXPECT_EQ(drawn["comments"] + drawn["many-models"], 12);
}

/// An object of JSON took 4 KB, and the manifest has some for each tensor: this
/// took 700 MB, a text of 1 MB 2.5 GB.
TEST(Scaling, manifestsOfManyTensorsTakeLittle) {
  auto family = std::ranges::find_if(fuzz::scalingFamilies(), [](auto &f) {
    return f.name == std::string("tensors");
  });
  ASSERT_NE(family, fuzz::scalingFamilies().end());
  std::string path = testing::TempDir() + "/tensors.mlir";
  std::ofstream(path) << fuzz::scaledTo(*family, 250'000).text;
  fuzz::ToolCosts costs = fuzz::runTools(path);
  EXPECT_EQ(costs.wrong, "");
  ASSERT_EQ(costs.tools.back().tool, "tile-compile");
  EXPECT_LT(costs.tools.back().bytes, size_t(300) << 20);
}

/// Powers of sums are short texts and long polynomials. Each of these took the
/// search or the solver most of a minute, or did not end, before what they look
/// at was counted.
TEST(LongScaling, powersOfSumsTakeLittle) {
  auto family = std::ranges::find_if(fuzz::scalingFamilies(), [](auto &f) {
    return f.name == std::string("many-terms");
  });
  ASSERT_NE(family, fuzz::scalingFamilies().end());
  checker::VerifyOptions options;
  options.search = checker::openSearch();
  ASSERT_TRUE(options.search);
  for (size_t bytes : {1000, 1228, 1536}) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    auto file = tile::readKernelText(
        context, fuzz::scaledTo(*family, bytes).text, "k.mlir", llvm::errs());
    ASSERT_TRUE(file);
    std::clock_t start = std::clock();
    checker::verify(file->kernel, options);
    // 10.5 was seen beside other tests.
    EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, 25) << bytes;
  }
}
