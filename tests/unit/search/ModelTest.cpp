// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counterexamples: they satisfy every fact, and they are as small as asked.

#include "Corpus.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace girih;
using namespace girih::proofs;
using search::Answer;

TEST(Model, everyPlantedBugHasOne) {
  for (const Obligation &o : corpus("refuted")) {
    search::Model m;
    ASSERT_EQ(findModel(o, {0, 1, 2}, m), Answer::Sat) << o.label;
    EXPECT_TRUE(satisfies(o, m)) << o.label;
    EXPECT_LE(*std::max_element(m.values.begin(), m.values.end()), 40)
        << o.label;
  }
}

TEST(Model, unitsAreCountedDownAndNoneIsNoAnswer) {
  for (const Obligation &o : corpus("refuted")) {
    search::Model m;
    search::Units units{0, 1000};
    EXPECT_EQ(api().findModel(o, {0}, units, m), Answer::Unknown) << o.label;
    EXPECT_EQ(units.lower, 1000u);
    units = {1'000'000, 0};
    EXPECT_EQ(api().findModel(o, {0}, units, m), Answer::Sat) << o.label;
    EXPECT_TRUE(satisfies(o, m)) << o.label;
    EXPECT_LT(units.find, 1'000'000u) << o.label;
    EXPECT_GT(units.find, 0u) << o.label;
  }
}

TEST(Model, whatHoldsHasNone) {
  for (const Obligation &o : corpus("kernels")) {
    search::Model m;
    EXPECT_NE(findModel(o, {0}, m), Answer::Sat) << o.label;
  }
}

TEST(Model, crossCheckAgrees) {
  for (const Obligation &o : corpus("kernels")) {
    if (!o.label.starts_with("gemm_persistent")) { // seconds each
      EXPECT_EQ(api().crossCheck(o, 1), Answer::Unsat) << o.label;
    }
  }
  for (const Obligation &o : corpus("refuted")) {
    EXPECT_NE(api().crossCheck(o, 1), Answer::Unsat) << o.label;
  }
  Obligation o;
  o.variables = {"x"};
  o.goal = Poly::variable(0) * Poly::variable(0);
  EXPECT_EQ(api().crossCheck(o, 1), Answer::Unsat);
  o.goal = o.goal - 1;
  EXPECT_EQ(api().crossCheck(o, 1), Answer::Sat);
}

// Tile 128 over M elements, the offset in 32 bits: the first element of the
// tile at 2^31 has a negative offset, and M must reach it.
TEST(Model, exactSizeAtWhichAnOffsetWraps) {
  Obligation o = parse(R"(obligation claim.bounds
label "1-D"
location ""
variables M q r b v k
define quotient (M + 127, 128) -> q r
define wrap (128*b, 32) -> v k
given contract: M >= 0
given contract: 1099511627776 - M >= 0
given definition 0 part 0: M + 127 - 128*q - r = 0
given definition 0 part 1: r >= 0
given definition 0 part 2: 127 - r >= 0
given definition 0 part 3: q >= 0
given contract: 2147483647 - q >= 0
given launch: b >= 0
given launch: q - 1 - b >= 0
given definition 1 part 0: 128*b - 4294967296*k - v = 0
given definition 1 part 1: v + 2147483648 >= 0
given definition 1 part 2: 2147483647 - v >= 0
goal v
end
)");
  search::Model m;
  ASSERT_EQ(findModel(o, {0}, m), Answer::Sat);
  EXPECT_TRUE(satisfies(o, m));
  EXPECT_EQ(m.values[0], (Int(1) << 31) + 1);
  EXPECT_EQ(m.values[3], Int(1) << 24);
}

TEST(Model, exactSizeOfAFlatAddress) {
  Obligation o = parse(R"(obligation claim.bounds
label "2-D"
location ""
variables M N r c v k
define wrap (r*N + c, 32) -> v k
given contract: M >= 0
given contract: 1099511627776 - M >= 0
given contract: N >= 0
given contract: 1099511627776 - N >= 0
given contract: 140737488355328 - 4*M*N >= 0
given launch: r >= 0
given launch: M - 1 - r >= 0
given launch: c >= 0
given launch: N - 1 - c >= 0
given definition 0 part 0: r*N + c - 4294967296*k - v = 0
given definition 0 part 1: v + 2147483648 >= 0
given definition 0 part 2: 2147483647 - v >= 0
goal v
end
)");
  search::Model m;
  ASSERT_EQ(findModel(o, {0, 1}, m), Answer::Sat);
  EXPECT_TRUE(satisfies(o, m));
  EXPECT_EQ(m.values[0], 1);
  EXPECT_EQ(m.values[1], (Int(1) << 31) + 1);
  ASSERT_EQ(findModel(o, {1, 0}, m), Answer::Sat);
  EXPECT_EQ(m.values[1], 1);
  EXPECT_EQ(m.values[0], (Int(1) << 31) + 1);
}

TEST(Model, negativeValuesMoveTowardsZero) {
  Obligation o;
  o.variables = {"x"};
  o.hypotheses = {{Fact::atLeastZero(-Poly::variable(0) - 5), {}}};
  o.goal = Poly::variable(0) + 3;
  search::Model m;
  ASSERT_EQ(findModel(o, {0}, m), Answer::Sat);
  EXPECT_EQ(m.values[0], -5);
}

TEST(Model, contradictionIsUnsat) {
  Obligation o;
  o.variables = {"x"};
  o.hypotheses = {{Fact::atLeastZero(Poly::variable(0) - 5), {}},
                  {Fact::atLeastZero(-Poly::variable(0) + 4), {}}};
  o.goal = Poly(-1);
  search::Model m;
  EXPECT_EQ(findModel(o, {0}, m), Answer::Unsat);
}
