// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear programs against Z3's exact arithmetic, and their answers against the
// equations themselves.

#include "checker/search/linear/Recovery.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <z3++.h>

#include <map>

using namespace girih;
using namespace girih::search;
using proofs::Int;

using Program = std::vector<LinearColumn>;

/// Whether there is x >= 0 with sum of x[j] * columns[j] = (c, 0, ...), c < 0.
static bool feasible(uint32_t rows, const Program &columns) {
  z3::context context;
  z3::solver solver(context, "QF_LRA");
  std::vector<z3::expr> sum(rows, context.real_val(0));
  for (size_t j = 0; j < columns.size(); ++j) {
    z3::expr x = context.real_const(("x" + std::to_string(j)).c_str());
    solver.add(x >= 0);
    for (const LinearEntry &e : columns[j]) {
      std::string c = proofs::toString(e.value);
      sum[e.row] = sum[e.row] + context.real_val(c.c_str()) * x;
    }
  }
  solver.add(sum[0] < 0);
  for (uint32_t r = 1; r < rows; ++r) {
    solver.add(sum[r] == 0);
  }
  return solver.check() == z3::sat;
}

static bool isAnswer(const Program &columns,
                     const std::vector<Multiplier> &answer) {
  std::map<uint32_t, Int> sum;
  for (auto &[j, x] : answer) {
    if (x <= 0) {
      return false;
    }
    for (const LinearEntry &e : columns.at(j)) {
      sum[e.row] += x * e.value;
    }
  }
  for (auto &[row, value] : sum) {
    if (row == 0 ? value >= 0 : value != 0) {
      return false;
    }
  }
  return sum.count(0) != 0;
}

static Program randomColumns(uint32_t rows, size_t count, int64_t most) {
  Program columns(count);
  for (LinearColumn &c : columns) {
    for (uint32_t r = 0; r < rows; ++r) {
      int64_t x = *rc::gen::inRange<int64_t>(-most, most + 1);
      if (x != 0 && *rc::gen::inRange(0, 3) == 0) {
        c.push_back({r, x});
      }
    }
  }
  return columns;
}

RC_GTEST_PROP(LinearProgram, agreesWithZ3, ()) {
  auto rows = *rc::gen::inRange<uint32_t>(1, 9);
  Program columns = randomColumns(rows, *rc::gen::inRange(0, 16), 5);
  LinearProgram program;
  program.add(rows, columns);
  uint64_t steps = 100000;
  std::vector<Multiplier> answer;
  LinearAnswer found = program.solve(steps, answer);
  RC_CLASSIFY(found == LinearAnswer::Found);
  RC_ASSERT(found != LinearAnswer::Exhausted);
  RC_ASSERT((found == LinearAnswer::Found) == feasible(rows, columns));
  RC_ASSERT(found != LinearAnswer::Found || isAnswer(columns, answer));
}

RC_GTEST_PROP(LinearProgram, exactAgreesWithZ3, ()) {
  auto rows = *rc::gen::inRange<uint32_t>(1, 7);
  Program columns =
      randomColumns(rows, *rc::gen::inRange(0, 12), int64_t(1) << 60);
  LinearProgram program;
  program.add(rows, columns);
  uint64_t steps = 10000000;
  std::vector<Multiplier> answer;
  LinearAnswer found = program.solveExactly(steps, answer);
  // Multipliers beyond 128 bits count as none.
  bool isFeasible = feasible(rows, columns);
  RC_ASSERT(found != LinearAnswer::Found || isFeasible);
  RC_ASSERT(found != LinearAnswer::Exhausted);
}

// Columns that come later are as good as columns that were there at first.
RC_GTEST_PROP(LinearProgram, goesOnFromWhereItWas, ()) {
  auto rows = *rc::gen::inRange<uint32_t>(2, 9);
  Program columns = randomColumns(rows, *rc::gen::inRange(2, 20), 4);
  auto cut = columns.begin() + *rc::gen::inRange<size_t>(0, columns.size());
  uint32_t firstRows = 1;
  for (auto c = columns.begin(); c != cut; ++c) {
    for (const LinearEntry &e : *c) {
      firstRows = std::max(firstRows, e.row + 1);
    }
  }
  LinearProgram program;
  program.add(firstRows, Program(columns.begin(), cut));
  uint64_t steps = 100000;
  std::vector<Multiplier> answer;
  if (program.solve(steps, answer) == LinearAnswer::Found) {
    RC_ASSERT(isAnswer(columns, answer));
    return;
  }
  LinearProgram longer = program;
  longer.add(rows, Program(cut, columns.end()));
  LinearAnswer found = longer.solve(steps, answer);
  RC_ASSERT((found == LinearAnswer::Found) == feasible(rows, columns));
  RC_ASSERT(found != LinearAnswer::Found || isAnswer(columns, answer));
  // The copy has left the original alone.
  RC_ASSERT(program.solve(steps, answer) == LinearAnswer::Impossible);
}

TEST(LinearProgram, tellsNeighboursOfLargeNumbersApart) {
  for (int shift : {31, 40, 47, 62}) {
    for (Int gap : {0, 1}) {
      Int big = Int(1) << shift;
      // big - x >= 0 and x - big - gap >= 0
      LinearProgram program;
      program.add(2, {{{0, big}, {1, -1}}, {{0, -big - gap}, {1, 1}}});
      uint64_t steps = 100000;
      std::vector<Multiplier> answer;
      LinearAnswer found = program.solve(steps, answer);
      EXPECT_EQ(found == LinearAnswer::Found, gap == 1) << shift;
      if (gap == 1 && found == LinearAnswer::Found) {
        EXPECT_EQ(answer, (std::vector<Multiplier>{{0, 1}, {1, 1}}));
      }
    }
  }
}

/// d * x = n * y for three x: the sum of constants leaves 128 bits on the way,
/// the multipliers do not.
TEST(LinearProgram, recoversBeyond128Bits) {
  const Int top = Int(1) << 39, n = Int(1) << 38, constant = -(Int(1) << 30);
  const Int d[] = {top - 7, top - 9, top - 11};
  std::vector<LinearColumn> columns(4);
  for (uint32_t i = 0; i < 3; ++i) {
    columns[i] = {{0, constant}, {i + 1, d[i]}};
    columns[3].push_back({i + 1, -n});
  }
  std::vector<const LinearColumn *> all;
  for (const LinearColumn &c : columns) {
    all.push_back(&c);
  }
  std::vector<Multiplier> answer;
  ASSERT_TRUE(recover(all, {0, 1, 2, 3}, {0.5, 0.5, 0.5, 1}, answer));
  EXPECT_TRUE(answer == (std::vector<Multiplier>{{0, n * d[1] * d[2]},
                                                 {1, n * d[0] * d[2]},
                                                 {2, n * d[0] * d[1]},
                                                 {3, d[0] * d[1] * d[2]}}));
}

TEST(LinearProgram, stopsWithoutSteps) {
  LinearProgram program;
  program.add(2, {{{0, 1}, {1, -1}}, {{0, -2}, {1, 1}}});
  uint64_t steps = 0;
  std::vector<Multiplier> answer;
  EXPECT_EQ(program.solve(steps, answer), LinearAnswer::Exhausted);
  EXPECT_EQ(steps, 0u);
}
