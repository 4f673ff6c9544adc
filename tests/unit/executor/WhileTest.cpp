// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that end when they end: values, and where they are stuck.

#include "Launching.h"

#include <fstream>
#include <numeric>
#include <sstream>

namespace girih::exec {
namespace {

std::string corpus(const std::string &name) {
  std::ifstream file(GIRIH_SOURCE_DIR "/tests/corpus/girih/whiles/" + name +
                     ".mlir");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Array integers(Kind kind, std::vector<int64_t> numbers) {
  return {kind, {std::ssize(numbers)}, {}, std::move(numbers)};
}

TEST(While, SearchesATable) {
  Kernel search(corpus("search.good"));
  Options options;
  options.inputs["s"] = integers(Kind::I32, {-4, -1, -1, 0, 7, 9});
  options.inputs["x"] = integers(Kind::I32, {-9, -4, -1, 0, 1, 9, 10});
  Result result = search.run({{"N", 6}, {"M", 7}}, options);
  ASSERT_EQ(verdict(result), "clean");
  EXPECT_EQ(result.tensors[2]->ints,
            (std::vector<int64_t>{0, 0, 1, 3, 4, 5, 6}));
  options.inputs["s"] = integers(Kind::I32, {});
  result = search.run({{"N", 0}, {"M", 7}}, options);
  ASSERT_EQ(verdict(result), "clean");
  EXPECT_EQ(result.tensors[2]->ints, std::vector<int64_t>(7, 0));
}

TEST(While, CarriesTwoNumbers) {
  Kernel gcd(corpus("gcd.good"));
  std::vector<int64_t> a = {1, 12, 18, 35, 1000, 17}, b = {1, 18, 12, 7, 24, 1};
  Options options;
  options.inputs["a"] = integers(Kind::I32, a);
  options.inputs["b"] = integers(Kind::I32, b);
  Result result = gcd.run({{"N", 6}}, options);
  ASSERT_EQ(verdict(result), "clean");
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(result.tensors[2]->ints[i], std::gcd(a[i], b[i]));
  }
}

TEST(While, PassesOnCrosswise) {
  Kernel kept(corpus("kept.good"));
  Options options;
  options.inputs["x"] = integers(Kind::I32, {5, 6});
  Result result = kept.run({{"N", 2}, {"M", 4}, {"s", 1}}, options);
  ASSERT_EQ(verdict(result), "clean");
  EXPECT_EQ(result.tensors[1]->ints, std::vector<int64_t>(4, 5));
}

TEST(While, IsStuckAtTheMeasure) {
  Kernel stays(corpus("search_stays.bad"));
  Options options;
  options.inputs["s"] = integers(Kind::I32, {0, 0, 0, 0});
  options.inputs["x"] = integers(Kind::I32, {1});
  Result result = stays.run({{"N", 4}, {"M", 1}}, options);
  ASSERT_EQ(verdict(result), "while.measure");
  EXPECT_EQ(result.faults[0].message,
            "goes on with the measure 1 behind 1 after 3 trips");
  Kernel down(corpus("down.bad"));
  result = down.run({{"N", 1}, {"first", 1}});
  ASSERT_EQ(verdict(result), "while.measure");
  EXPECT_EQ(result.faults[0].message,
            "goes on with the measure -2 after 1 trip");
  // Where the loop ends nothing is asked of the measure.
  Kernel ends(corpus("down.good"));
  EXPECT_EQ(verdict(ends.run({{"N", 1}, {"first", 1}})), "clean");
}

TEST(While, IsStuckAtAnInvariant) {
  Kernel start(corpus("search_start.bad"));
  Result result = start.run({{"N", 0}, {"M", 1}});
  ASSERT_EQ(verdict(result), "invariant.holds");
  EXPECT_EQ(result.faults[0].message,
            "finds that the range is not turned round does not hold");
}

TEST(While, EndsWithTheBudget) {
  Kernel search(corpus("search.good"));
  Options options;
  options.maxSteps = 100;
  Result result = search.run({{"N", 1 << 20}, {"M", 10}}, options);
  EXPECT_TRUE(result.exhausted);
}

} // namespace
} // namespace girih::exec
