// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The line of C++ of each line of the text.

#include "Recorded.h"
using namespace girih::kernel;
using namespace girih::kernel::test;

namespace {
constexpr Sym N{"N"}, M{"M"};
constexpr unsigned first = __LINE__;
struct placed {
  Shared<f32, N, M> x;
  Shared<i64, N> ids;
  Out<f32, N, M> y;
  void operator()() {
    require(M >= 1);
    auto [i, j] = grid(ceildiv(N, 8), ceildiv(M, 8));
    auto v = load<8, 8>(x, {i, j}, pad::zero);
    // Neither widens to the other.
    auto meets = sum(v, axis<0>) + sum(v, axis<1>);
    auto less = sum(v, axis<0>) < sum(v, axis<1>);
    auto minus = -meets;
    auto other = where(~less, minus, 1.5f);
    auto id = load<8>(ids, {i}, pad::zero);
    auto wide = reshape<8, 1>(to<f32>(id << 3)) * max(v, 2);
    for (Index k : range(1, i + 2)) {
      other = other + wide * to<f32>(to<i32>(k * N));
    }
    if_(i + j < 5, [&] { other *= 2; });
    prove(i >= 0, "no id is negative");
    print("all", i);
    store(y, {i, j}, other);
  }
};
constexpr unsigned last = __LINE__;
} // namespace

namespace {
constexpr unsigned twice = __LINE__;
struct usedTwice {
  Shared<f32, N> x;
  Out<f32, N> y, z;
  void operator()() {
    auto [i] = grid(ceildiv(N, 8));
    auto minus = -load<8>(x, {i}, pad::zero);
    store(y, {i}, max(minus, 1));
    store(z, {i}, exp(minus));
  }
};
} // namespace

TEST(Places, OfSeveralUsesTheFirstOneCounts) {
  recorder::File file = record<usedTwice>();
  auto lines = linesOf(file.text);
  auto lineOf = [&](const char *text) {
    return file.places[lineWith(lines, text)].line - twice;
  };
  EXPECT_EQ(lineOf("arith.negf"), 7u);
  EXPECT_EQ(lineOf("math.exp"), 8u);
}

TEST(Places, EachOpHasALineOfTheKernel) {
  recorder::File file = record<placed>();
  auto lines = linesOf(file.text);
  ASSERT_EQ(file.places.size(), lines.size());
  for (size_t k = 0; k < lines.size(); ++k) {
    const auto &place = file.places[k];
    bool isOp = lines[k].find("  ") == 0 && lines[k].find("  }") != 0 &&
                lines[k].find('%') != std::string::npos;
    if (place.line) {
      EXPECT_EQ(place.file, __FILE__) << lines[k];
    }
    if (isOp) {
      EXPECT_GT(place.line, first) << lines[k];
      EXPECT_LT(place.line, last) << lines[k];
    }
  }
}
TEST(Places, AnOpHasTheLineThatWritesIt) {
  recorder::File file = record<placed>();
  auto lines = linesOf(file.text);
  auto lineOf = [&](const char *text) {
    return file.places[lineWith(lines, text)].line - first;
  };
  EXPECT_EQ(lineOf("%v = tile.load"), 8u);
  // Operators without room for a place have that of their first use.
  EXPECT_EQ(lineOf("arith.addf %lanes"), 13u);
  EXPECT_EQ(lineOf("arith.cmpf"), 13u);
  EXPECT_EQ(lineOf("arith.negf"), 13u);
  EXPECT_EQ(lineOf("arith.shli"), 15u);
  EXPECT_EQ(lineOf("scf.for"), 16u);
  EXPECT_EQ(lineOf("arith.muli %k"), 17u);
  EXPECT_EQ(lineOf("scf.if"), 19u);
  EXPECT_EQ(lineOf("tile.prove"), 20u);
  EXPECT_EQ(lineOf("tile.print"), 21u);
  EXPECT_EQ(lineOf("tile.store"), 22u);
}
