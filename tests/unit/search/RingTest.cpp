// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The polynomials of the search agree with those of the judge.

#include "checker/search/Ring.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

using namespace girih;
using namespace girih::search;
using proofs::Poly;

static Poly randomPoly() {
  std::vector<proofs::Term> terms;
  for (int i = *rc::gen::inRange(0, 6); i > 0; --i) {
    proofs::Term t{{}, *rc::gen::inRange(-9, 10)};
    for (int k = *rc::gen::inRange(0, 4); k > 0; --k) {
      t.vars.push_back(*rc::gen::inRange<Var>(0, 4));
    }
    terms.push_back(t);
  }
  return Poly::fromTerms(terms);
}

RC_GTEST_PROP(Ring, agreesWithPoly, ()) {
  Ring ring;
  Poly a = randomPoly(), b = randomPoly();
  Var v = *rc::gen::inRange<Var>(0, 4);
  PolyId x = ring.fromPoly(a), y = ring.fromPoly(b);
  RC_ASSERT(ring.toPoly(x) == a);
  RC_ASSERT(ring.toPoly(ring.add(x, y)) == a + b);
  RC_ASSERT(ring.toPoly(ring.subtract(x, y)) == a - b);
  RC_ASSERT(ring.toPoly(ring.negate(x)) == -a);
  RC_ASSERT(ring.toPoly(ring.multiply(x, y)) == a * b);
  RC_ASSERT(ring.toPoly(ring.scale(x, 7)) == a * Poly(7));
  RC_ASSERT(ring.toPoly(ring.substitute(x, v, y)) == a.substitute(v, b));
  RC_ASSERT(ring.contains(x, v) == a.contains(v));
  RC_ASSERT(ring.degree(x) == a.degree());
  RC_ASSERT(ring.isConstant(x) == a.constant().has_value());
  RC_ASSERT((x == y) == (a == b));
}

RC_GTEST_PROP(Ring, dividesProducts, ()) {
  Ring ring;
  PolyId q = ring.fromPoly(randomPoly()), d = ring.fromPoly(randomPoly());
  // Not every product is recognised; what is, is right.
  PolyId t = ring.quotient(ring.multiply(q, d), d);
  RC_ASSERT(t == noPoly || t == q ||
            ring.multiply(t, d) != ring.multiply(q, d));
}

TEST(Ring, overflowIsNoPolynomial) {
  Ring ring;
  PolyId big = ring.constant(Int(1) << 126);
  EXPECT_EQ(ring.multiply(big, big), noPoly);
  EXPECT_EQ(ring.add(ring.add(big, big), ring.constant(0)), noPoly);
  EXPECT_EQ(ring.multiply(noPoly, zeroPoly), noPoly);
  EXPECT_EQ(ring.substitute(ring.variable(0), 0, noPoly), noPoly);
}

TEST(Ring, quotientsAreRead) {
  Ring ring;
  auto v = [&](Var i) { return ring.variable(i); };
  // (x*d + 3*d) / d = x + 3
  PolyId d = v(1), x = v(0);
  PolyId product = ring.add(ring.multiply(x, d), ring.scale(d, 3));
  EXPECT_EQ(ring.quotient(product, d), ring.addConstant(x, 3));
  EXPECT_EQ(ring.quotient(ring.scale(x, 12), ring.constant(4)),
            ring.scale(x, 3));
  EXPECT_EQ(ring.quotient(x, d), noPoly);
}
