// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The line of C++ of each line of the text.

#include "ir/embed/Places.h"
#include "Recorded.h"
#include <fstream>
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

/// Signs that stand once on lines to which other ops belong as well.
struct elsewhere {
  Shared<f32, N, M> x;
  Out<f32, N, M> y;
  void operator()() {
    Expr beyond = N + 8;
    auto [i, j] = grid(ceildiv(N, 8), ceildiv(M, 8));
    prove(i + 4 < beyond);
    auto v = load<8, 8>(x, {i, j}, pad::zero);
    auto meets = sum(v, axis<0>) * sum(v, axis<1>);
    auto twice = meets * 2.0f;
    store(y, {i, j}, twice);
  }
};
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

/// The column behind an op in the text with places, and what stands there.
template <class K> static std::string atColumnOf(const std::string &op) {
  auto lines = linesOf(record<K>().placed);
  const std::string &line = lines[lineWith(lines, op)];
  size_t colon = line.rfind(':'), before = line.rfind(':', colon - 1);
  unsigned column = unsigned(std::stoul(line.substr(colon + 1)));
  unsigned number = unsigned(std::stoul(line.substr(before + 1)));
  std::ifstream in(__FILE__);
  std::string text;
  for (unsigned k = 0; k < number; ++k) {
    std::getline(in, text);
  }
  return column ? text.substr(column - 1, 2) : "whole line";
}
TEST(Places, AnOperatorThatIsAloneOnItsLineHasAColumn) {
  EXPECT_EQ(atColumnOf<placed>("arith.shli"), "<<");
  EXPECT_EQ(atColumnOf<placed>("arith.cmpi slt"), "< ");
  EXPECT_EQ(atColumnOf<placed>("arith.cmpi sge"), ">=");
  EXPECT_EQ(atColumnOf<placed>("arith.mulf %other"), "*=");
  EXPECT_EQ(atColumnOf<placed>("arith.addi %i, %j"), "+ ");
  EXPECT_EQ(atColumnOf<placed>("%v = tile.load"), "lo");
  // One of two, and one of one operand.
  EXPECT_EQ(atColumnOf<placed>("arith.mulf %wide"), "whole line");
  EXPECT_EQ(atColumnOf<placed>("arith.negf"), "whole line");
  // Those of an expression on symbols, and of what has the place of its use.
  EXPECT_EQ(atColumnOf<elsewhere>("arith.addi %i"), "+ ");
  EXPECT_EQ(atColumnOf<elsewhere>("arith.addi %N"), "whole line");
  EXPECT_EQ(atColumnOf<elsewhere>("%twice = "), "* ");
  EXPECT_EQ(atColumnOf<elsewhere>("arith.mulf %lanes"), "whole line");
}
TEST(Places, ColumnsOfOperators) {
  using recorder::columnOfOperator;
  EXPECT_EQ(columnOfOperator("  auto x = a + b;", "+"), 14u);
  EXPECT_EQ(columnOfOperator("x += b; // + 1", "+"), 3u);
  EXPECT_EQ(columnOfOperator("x = a + 1e+5;", "+"), 7u);
  EXPECT_EQ(columnOfOperator("x = a + b + c;", "+"), 0u);
  EXPECT_EQ(columnOfOperator("x = a - b;", "+"), 0u);
  EXPECT_EQ(columnOfOperator("prove(a - 1 <= b->c, \"a - 1\");", "-"), 9u);
  EXPECT_EQ(columnOfOperator("x = a < 1;", "<"), 7u);
  EXPECT_EQ(columnOfOperator("x = a <= 1;", "<"), 0u);
  EXPECT_EQ(columnOfOperator("x = a <= 1;", "<="), 7u);
  EXPECT_EQ(columnOfOperator("x = sum(a, axis<1>) < b;", "<"), 0u);
  EXPECT_EQ(columnOfOperator("x = a << 1;", "<<"), 7u);
  EXPECT_EQ(columnOfOperator("x = a + /* of", "+"), 0u);
  EXPECT_EQ(columnOfOperator("", "+"), 0u);
  EXPECT_EQ(columnOfOperator("\"open + ", "+"), 0u);
}
TEST(Places, LinesThatAreStatements) {
  std::vector<std::string> lines = {
      "auto x = a +",      "// why", "    (b + c);", "", "if_(a < b, [&] {",
      "  x = a + b; // +", "});",    "f(a + b,"};
  std::vector<unsigned> found;
  for (unsigned number = 0; number <= 9; ++number) {
    if (recorder::isStatement(lines, number)) {
      found.push_back(number);
    }
  }
  EXPECT_EQ(found, (std::vector<unsigned>{5, 6, 7}));
}
