// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of polynomials, and that overflow is never lost.

#include "Build.h"

#include <limits>
#include <random>

using namespace girih::proofs;
using namespace girih::proofs::test;

static const Int maxInt =
    static_cast<Int>((static_cast<unsigned __int128>(1) << 127) - 1);
static const Int minInt = -maxInt - 1;

TEST(Poly, fromTermsSortsMergesAndDropsZero) {
  Poly p = Poly::fromTerms({{{2, 1}, 3}, {{1, 2}, -1}, {{5}, 4}, {{5}, -4}});
  EXPECT_EQ(print(p, nullptr), "2*v1*v2");
  EXPECT_EQ(p.coefficient({1, 2}), 2);
  EXPECT_EQ(p.coefficient({5}), 0);
  EXPECT_TRUE(p.contains(2));
  EXPECT_FALSE(p.contains(5));
}

TEST(Poly, printsHighestDegreeFirst) {
  std::vector<std::string> names = {"a", "b", "c"};
  Poly p = poly("1 - v1 + 2*v0*v2 - v0");
  EXPECT_EQ(print(p, &names), "2*a*c - a - b + 1");
  EXPECT_EQ(print(-p, nullptr), "-2*v0*v2 + v0 + v1 - 1");
  EXPECT_EQ(print(Poly(0), nullptr), "0");
}

TEST(Poly, substituteMultipliesOut) {
  Poly p = poly("v1*v1*v2 - 3*v1 + v3");
  EXPECT_EQ(p.substitute(1, poly("v2 + 1")),
            poly("v2*v2*v2 + 2*v2*v2 + v2 - 3*v2 - 3 + v3"));
  EXPECT_EQ(p.substitute(9, poly("v2 + 1")), p);
  EXPECT_EQ(p.substitute(1, Poly(0)), poly("v3"));
}

TEST(Poly, renameMergesWhatMeets) {
  EXPECT_EQ(poly("v1 - v2 + v1*v2").rename([](Var) { return Var(7); }),
            poly("v7*v7"));
}

TEST(Poly, arithmeticAgreesWithValues) {
  std::mt19937 random(1);
  auto number = [&](int bound) {
    return int(random() % (2 * bound + 1)) - bound;
  };
  auto randomPoly = [&] {
    std::vector<Term> terms(random() % 5);
    for (Term &t : terms) {
      t.coeff = number(9);
      t.vars.resize(random() % 4);
      for (Var &v : t.vars) {
        v = random() % 4;
      }
    }
    return Poly::fromTerms(terms);
  };
  for (int i = 0; i < 2000; ++i) {
    Poly a = randomPoly(), b = randomPoly();
    Int at[4] = {number(50), number(50), number(50), number(50)};
    auto value = [&](const Poly &p) {
      return *p.evaluate([&](Var v) { return at[v]; });
    };
    EXPECT_EQ(value(a + b), value(a) + value(b));
    EXPECT_EQ(value(a - b), value(a) - value(b));
    EXPECT_EQ(value(a * b), value(a) * value(b));
    EXPECT_EQ(value(-a), -value(a));
    Poly substituted = a.substitute(2, b);
    at[2] = value(b);
    // b may mention v2 itself, so compare where it does not.
    if (!b.contains(2)) {
      EXPECT_EQ(value(substituted), value(a));
    }
    EXPECT_EQ((a + b) - b, a);
    EXPECT_EQ(a * b, b * a);
  }
}

TEST(Poly, overflowStays) {
  Poly top(maxInt), bottom(minInt), x = Poly::variable(1);
  EXPECT_FALSE(top.overflowed());
  EXPECT_TRUE((top + Poly(1)).overflowed());
  EXPECT_TRUE((bottom - Poly(1)).overflowed());
  EXPECT_TRUE((-bottom).overflowed());
  EXPECT_TRUE((bottom * Poly(-1)).overflowed());
  EXPECT_TRUE((top * Poly(2)).overflowed());
  Poly lost = top * x + x - top * x; // the sum overflows before it shrinks
  EXPECT_TRUE(lost.overflowed());
  EXPECT_FALSE(lost.constant());
  EXPECT_FALSE(lost.isZero());
  EXPECT_FALSE(lost.evaluate([](Var) { return Int(0); }));
  Poly zeroed = (top + Poly(1)) * Poly(0);
  EXPECT_TRUE(zeroed.overflowed());
  EXPECT_TRUE((zeroed + Poly(1)).overflowed());
  EXPECT_TRUE((Poly(1) - zeroed).overflowed());
  EXPECT_TRUE(x.substitute(1, zeroed).overflowed());
  EXPECT_TRUE(zeroed.rename([](Var v) { return v; }).overflowed());
  EXPECT_TRUE((top * x + top * Poly::variable(2))
                  .rename([](Var) { return Var(0); })
                  .overflowed());
  EXPECT_TRUE(zeroed.substitute(1, Poly(1)).overflowed());
}

TEST(Poly, aProductOfTooManyTermsIsAnOverflow) {
  std::vector<Term> terms;
  for (Var v = 0; v < 600; ++v) {
    terms.push_back({{v}, 1});
  }
  Poly p = Poly::fromTerms(terms);
  EXPECT_FALSE((p * Poly(2)).overflowed());
  EXPECT_TRUE((p * p).overflowed());
}

TEST(Poly, aProductOfHighDegreeIsAnOverflow) {
  Poly power = Poly::variable(0);
  for (size_t degree = 2; degree <= 64; degree *= 2) {
    power = power * power;
    EXPECT_EQ(power.degree(), degree);
    EXPECT_FALSE(power.overflowed());
  }
  EXPECT_TRUE((power * Poly::variable(0)).overflowed());
  EXPECT_TRUE(power.substitute(0, power).overflowed());
}

TEST(Poly, decimalText) {
  EXPECT_EQ(toString(0), "0");
  EXPECT_EQ(toString(-7), "-7");
  EXPECT_EQ(toString(maxInt), "170141183460469231731687303715884105727");
  EXPECT_EQ(toString(minInt), "-170141183460469231731687303715884105728");
}
