// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that have a model, each with a tree that would refute them if the judge
// forgot one of its rules: all are turned down, and the model is shown.

#include "proofs/Judge.h"
#include "fuzz/sanitiser/Evaluate.h"

#include <gtest/gtest.h>
#include <random>

using namespace girih;
using namespace girih::proofs;

namespace {
const Poly x = Poly::variable(0), y = Poly::variable(1);
using K = Certificate::Kind;

Certificate leaf(std::vector<Product> products) {
  Certificate c;
  c.products = std::move(products);
  return c;
}
Certificate node(K kind, std::vector<Certificate> children) {
  Certificate c;
  c.kind = kind;
  c.children = std::move(children);
  return c;
}
Certificate split(const Poly &p, std::vector<Certificate> children) {
  Certificate c = node(K::Split, std::move(children));
  c.poly = p;
  return c;
}
Certificate have(const Poly &p, std::vector<Certificate> children) {
  Certificate c = node(K::Have, std::move(children));
  c.poly = p;
  return c;
}
Certificate solve(uint32_t fact, Var v, Certificate child) {
  Certificate c = node(K::Solve, {std::move(child)});
  c.fact = fact;
  c.variable = v;
  return c;
}
Certificate cases(uint32_t fact, std::vector<Certificate> children) {
  Certificate c = node(K::Case, std::move(children));
  c.fact = fact;
  return c;
}

struct Case {
  const char *name;
  std::vector<Fact> facts;
  std::vector<int> model; ///< of x and y
  Certificate tree;
};

std::vector<Case> satisfiable() {
  auto ge = [](const Poly &p) { return Fact::atLeastZero(p); };
  const Int huge = Int(1) << 126;
  return {
      {"weightsBelowZero",
       {ge(x), ge(Poly(3) - x)},
       {1, 0},
       leaf({{-1, {0}}, {-1, {1}}})},
      {"weightOfAConstantBelowZero", {ge(Poly(1))}, {0, 0}, leaf({{-1, {0}}})},
      {"sumIsZero", {ge(x), ge(-x)}, {0, 0}, leaf({{1, {0}}, {1, {1}}})},
      {"emptySum", {ge(x)}, {0, 0}, leaf({})},
      {"sumIsNoConstant", {ge(x - 1)}, {2, 0}, leaf({{1, {0}}})},
      {"productOverflows",
       {ge(Poly(huge)), ge(Poly(2))},
       {0, 0},
       leaf({{1, {0, 1}}})},
      {"sumOverflows",
       {ge(Poly(huge)), ge(Poly(huge))},
       {0, 0},
       leaf({{1, {0}}, {1, {1}}})},
      // 2x - 4 = 0 says x = 2, not x = -4.
      {"solveByTwo",
       {Fact::zero(x * 2 - 4), ge(x)},
       {2, 0},
       solve(0, 0, leaf({{1, {1}}}))},
      {"solveAnInequality",
       {ge(x - 1), ge(x - 3)},
       {3, 0},
       solve(0, 0, leaf({{1, {1}}}))},
      {"solveWithTheWrongSign",
       {Fact::zero(x - 1), ge(x)},
       {1, 0},
       solve(0, 0, leaf({{1, {1}}}))},
      {"solveBackwards",
       {Fact::zero(-x + 1), ge(x)},
       {1, 0},
       solve(0, 0, leaf({{1, {1}}}))},
      {"lastBranchForgotten",
       {Fact::anyOf({{{false, x - 5}}, {{false, Poly(3) - x}}}),
        ge(Poly(4) - x)},
       {3, 0},
       cases(0, {leaf({{1, {1}}, {1, {2}}}), leaf({})})},
      {"firstBranchForgotten",
       {Fact::anyOf({{{false, Poly(3) - x}}, {{false, x - 5}}}),
        ge(Poly(4) - x)},
       {3, 0},
       cases(0, {leaf({}), leaf({{1, {1}}, {1, {2}}})})},
      {"branchWithoutChild",
       {Fact::anyOf({{{false, x - 5}}, {{false, Poly(3) - x}}}),
        ge(Poly(4) - x)},
       {3, 0},
       cases(0, {leaf({{1, {1}}, {1, {2}}})})},
      {"zeroForgotten",
       {ge(x), ge(-x)},
       {0, 0},
       split(x, {leaf({{1, {0}}, {1, {2}}}), leaf({}),
                 leaf({{1, {1}}, {1, {2}}})})},
      {"zeroForgottenBesideAnEquality",
       {Fact::zero(x * y), ge(y - 1)},
       {0, 1},
       split(x, {leaf({{1, {1, 2}}, {1, {0}}, {1, {2}}, {1, {1}}}), leaf({}),
                 leaf({{1, {1, 2}}, {-1, {0}}, {1, {2}}, {1, {1}}})})},
      {"belowForgotten",
       {ge(-x)},
       {-1, 0},
       split(x, {leaf({}), leaf({}), leaf({{1, {0}}, {1, {1}}})})},
      {"cutNotProved",
       {ge(x)},
       {0, 0},
       have(-x - 1, {leaf({}), leaf({{1, {0}}, {1, {1}}})})},
      // That x is at least 1 does not follow from what it says of 0.
      {"cutOneTooStrong",
       {ge(x), ge(-x)},
       {0, 0},
       have(x - 1, {leaf({{1, {0}}, {1, {2}}}), leaf({{1, {1}}, {1, {2}}})})},
      {"disjunctionInAProduct",
       {Fact::anyOf({{{false, x - 5}}, {{false, Poly(3) - x}}}),
        ge(Poly(4) - x)},
       {3, 0},
       leaf({{1, {0}}, {1, {1}}})},
      {"factThatDoesNotExist", {ge(x)}, {0, 0}, leaf({{1, {7}}})},
  };
}
} // namespace

class Satisfiable : public ::testing::TestWithParam<Case> {};

TEST_P(Satisfiable, isNotRefuted) {
  const Case &c = GetParam();
  fuzz::Environment model;
  for (int v : c.model) {
    model.push_back(v);
  }
  for (const Fact &f : c.facts) {
    EXPECT_EQ(fuzz::holds(f, model), true) << print(f, nullptr);
  }
  EXPECT_FALSE(refutes(c.facts, c.tree).accepted);
}

INSTANTIATE_TEST_SUITE_P(Judge, Satisfiable, ::testing::ValuesIn(satisfiable()),
                         [](const auto &info) { return info.param.name; });

// Random trees over random facts, mostly nonsense: those that are accepted are
// so over facts that no small numbers satisfy.
TEST(RandomTrees, acceptedOnesRefute) {
  std::mt19937_64 random(7);
  auto below = [&](size_t n) { return random() % n; };
  auto number = [&] { return Int(below(7)) - 3; };
  auto atom = [&] {
    Poly p = Poly(number()) + Poly(number()) * x + Poly(number()) * y;
    if (below(4) == 0) {
      p = p + Poly(number()) * x * y;
    }
    return Atom{below(4) == 0, p};
  };
  std::function<Certificate(size_t, int)> tree = [&](size_t facts, int depth) {
    switch (depth > 0 ? below(6) : 0) {
    case 1:
      return split(atom().poly,
                   {tree(facts + 1, depth - 1), tree(facts + 1, depth - 1),
                    tree(facts + 1, depth - 1)});
    case 2:
      return have(atom().poly,
                  {tree(facts + 1, depth - 1), tree(facts + 1, depth - 1)});
    case 3:
      return solve(static_cast<uint32_t>(below(facts)),
                   static_cast<Var>(below(2)), tree(facts, depth - 1));
    case 4:
      return cases(static_cast<uint32_t>(below(facts)),
                   {tree(facts + 1, depth - 1), tree(facts + 1, depth - 1)});
    default: {
      std::vector<Product> products;
      for (size_t n = 1 + below(2); n > 0; --n) {
        Product p{number(), {static_cast<uint32_t>(below(facts))}};
        if (below(5) == 0) {
          p.facts.push_back(static_cast<uint32_t>(below(facts)));
        }
        products.push_back(p);
      }
      return leaf(std::move(products));
    }
    }
  };
  size_t accepted = 0;
  for (int round = 0; round < 400000; ++round) {
    std::vector<Fact> facts;
    for (size_t n = 2 + below(2); n > 0; --n) {
      facts.push_back(below(5) ? Fact::anyOf({{atom()}})
                               : Fact::anyOf({{atom()}, {atom()}}));
    }
    Certificate c = tree(facts.size(), 2);
    if (!refutes(facts, c).accepted) {
      continue;
    }
    ++accepted;
    for (int a = -6; a <= 6; ++a) {
      for (int b = -6; b <= 6; ++b) {
        bool all = true;
        for (const Fact &f : facts) {
          all &= fuzz::holds(f, {a, b}).value_or(false);
        }
        ASSERT_FALSE(all) << print(c) << "\nx = " << a << ", y = " << b << "\n"
                          << print(facts[0], nullptr) << "\n"
                          << print(facts[1], nullptr);
      }
    }
  }
  EXPECT_GT(accepted, 100u);
}
