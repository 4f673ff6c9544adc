// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions as facts: what a branch may assume, held against evaluation.

#include "checker/generate/Condition.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace girih::checker;
using namespace girih::proofs;

static Poly x() { return Poly::variable(0); }
static Poly y() { return Poly::variable(1); }

static bool holds(const Atom &a, Int vx, Int vy) {
  Int p = *a.poly.evaluate([&](Var v) { return v == 0 ? vx : vy; });
  return a.equality ? p == 0 : p >= 0;
}

static bool holds(const Fact &f, Int vx, Int vy) {
  for (const std::vector<Atom> &branch : f.branches) {
    bool all = true;
    for (const Atom &a : branch) {
      all &= holds(a, vx, vy);
    }
    if (all) {
      return true;
    }
  }
  return false;
}

static bool holds(const Condition &c, Int vx, Int vy) {
  switch (c.getKind()) {
  case Condition::Kind::AtLeastZero:
    return holds(Atom{false, c.poly()}, vx, vy);
  case Condition::Kind::Zero:
    return holds(Atom{true, c.poly()}, vx, vy);
  case Condition::Kind::And:
    return holds(c.left(), vx, vy) && holds(c.right(), vx, vy);
  case Condition::Kind::Or:
    return holds(c.left(), vx, vy) || holds(c.right(), vx, vy);
  case Condition::Kind::Unknown:
    break;
  }
  ADD_FAILURE() << "no value";
  return false;
}

static Condition arbitrary(int depth) {
  int kind = *rc::gen::inRange(0, depth > 0 ? 5 : 2);
  Poly p = x() * Poly(*rc::gen::inRange(-3, 4)) +
           y() * Poly(*rc::gen::inRange(-3, 4)) +
           Poly(*rc::gen::inRange(-4, 5));
  switch (kind) {
  case 0:
    return Condition::atLeastZero(p);
  case 1:
    return Condition::zero(p);
  case 2:
    return Condition::both(arbitrary(depth - 1), arbitrary(depth - 1));
  case 3:
    return Condition::either(arbitrary(depth - 1), arbitrary(depth - 1));
  default:
    return arbitrary(depth - 1).negated();
  }
}

RC_GTEST_PROP(Condition, FactsSayTheSame, ()) {
  Condition c = arbitrary(3);
  Int vx = *rc::gen::inRange(-4, 5), vy = *rc::gen::inRange(-4, 5);
  if (!c.alternatives()) {
    return;
  }
  bool all = true;
  for (const Fact &f : c.facts()) {
    all &= holds(f, vx, vy);
  }
  RC_ASSERT(all == holds(c, vx, vy));
}

RC_GTEST_PROP(Condition, NegationIsOpposite, ()) {
  Condition c = arbitrary(3);
  Int vx = *rc::gen::inRange(-4, 5), vy = *rc::gen::inRange(-4, 5);
  RC_ASSERT(holds(c.negated(), vx, vy) != holds(c, vx, vy));
}

RC_GTEST_PROP(Condition, RefusalIsOpposite, ()) {
  std::vector<Atom> branch;
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
    branch.push_back({*rc::gen::arbitrary<bool>(),
                      x() * Poly(*rc::gen::inRange(-2, 3)) + y() -
                          Poly(*rc::gen::inRange(-3, 4))});
  }
  Int vx = *rc::gen::inRange(-4, 5), vy = *rc::gen::inRange(-4, 5);
  RC_ASSERT(holds(refusal(branch), vx, vy) !=
            holds(Fact::anyOf({branch}), vx, vy));
}

TEST(Condition, UnknownSaysNothing) {
  EXPECT_TRUE(Condition::unknown().facts().empty());
  EXPECT_TRUE(Condition::unknown().negated().facts().empty());
  Condition or_ =
      Condition::either(Condition::unknown(), Condition::atLeastZero(x()));
  EXPECT_TRUE(or_.facts().empty());
  Condition and_ =
      Condition::both(Condition::unknown(), Condition::atLeastZero(x()));
  ASSERT_EQ(and_.facts().size(), 1u);
  EXPECT_EQ(and_.facts()[0], Fact::atLeastZero(x()));
  EXPECT_TRUE(and_.negated().facts().empty());
}

TEST(Condition, ConstantsDecide) {
  EXPECT_TRUE(holds(Condition::constant(true), 0, 0));
  EXPECT_FALSE(holds(Condition::constant(false), 0, 0));
}

TEST(Condition, TooManyAlternativesAreDropped) {
  Condition c = Condition::zero(x()).negated();
  for (int i = 0; i < 7; ++i) {
    c = Condition::both(Condition::either(c, c), Condition::either(c, c));
  }
  EXPECT_FALSE(Condition::either(c, c).alternatives().has_value());
  EXPECT_TRUE(Condition::either(c, c).facts().empty());
}
