// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the search must find, what it must not find, and how it stops.

#include "Corpus.h"

#include "proofs/Judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace girih;
using namespace girih::proofs;

static void expectAllCertified(const std::string &name, size_t count) {
  std::vector<Obligation> all = corpus(name);
  EXPECT_EQ(all.size(), count);
  for (const Obligation &o : all) {
    EXPECT_TRUE(certified(o)) << o.label;
  }
}

TEST(Certificate, launchOrders) { expectAllCertified("schedules", 14); }
TEST(Certificate, attention) { expectAllCertified("attention", 12); }
TEST(Certificate, layouts) { expectAllCertified("layouts", 13); }
TEST(Certificate, kernels) { expectAllCertified("kernels", 16); }

static const char *const tiles = R"(obligation claim.disjoint
label "tiles"
location ""
variables M b0 b1 e
given contract: M >= 0
given contract: 1099511627776 - M >= 0
given launch: b0 >= 0
given launch: b1 >= 0
given distinct: any of (b1 - b0 - 1 >= 0) | (b0 - b1 - 1 >= 0)
given region: e - 128*b0 >= 0
given region: 128*b0 + 127 - e >= 0
given region: e - 128*b1 >= 0
given region: 128*b1 + 127 - e >= 0
given region: M - e - 1 >= 0
goal -1
end
)";

/// Hypotheses `facts` and the goal over x, y, z: what the search makes of it.
static std::optional<Certificate> search3(const std::string &facts,
                                          const std::string &goal) {
  Obligation o = parse("obligation claim.bounds\nlabel \"\"\nlocation \"\"\n"
                       "variables x y z\n" +
                       facts + "goal " + goal + "\nend\n");
  return api().findCertificate(o, {}, nullptr);
}

// Over the rationals none of these holds.
TEST(Certificate, integersAreRounded) {
  // A common divisor: 2x <= 5 makes x <= 2.
  EXPECT_TRUE(search3("given contract: 5 - 2*x >= 0\n", "2 - x"));
  EXPECT_FALSE(search3("given contract: 5 - 2*x >= 0\n", "1 - x"));
  EXPECT_TRUE(search3("given contract: 2*x*y - 2*z + 1 >= 0\n", "x*y - z"));
  // Parity: 2x = 4y + 1 has no solution.
  EXPECT_TRUE(search3("given contract: 2*x - 4*y - 1 = 0\n", "-1"));
  EXPECT_FALSE(search3("given contract: 2*x - 4*y - 2 = 0\n", "-1"));
  // Bounds of the others: 16x + y <= 12 and y >= 0 make x <= 0.
  const std::string tile = "given contract: 12 - 16*x - y >= 0\n"
                           "given contract: y >= 0\n";
  EXPECT_TRUE(search3(tile, "-x"));
  EXPECT_FALSE(search3(tile, "-x - 1"));
  EXPECT_TRUE(search3(tile + "given contract: x >= 0\n"
                             "given contract: z >= 0\n",
                      "-x*z"));
  // Both signs: x = y, found before products are.
  const std::string pinned = "given contract: 2*x - 2*y + 1 >= 0\n"
                             "given contract: 2*y - 2*x + 1 >= 0\n";
  EXPECT_TRUE(search3(pinned, "x*x*x - y*y*y"));
  EXPECT_FALSE(search3(pinned, "x*x*x - y*y*y - 1"));
}

// The large bound of a fact does not hide the small one, of which products are
// made: q*d <= 2^31 and d >= 1 keep q below 2^63.
TEST(Certificate, factorsAreSmallFacts) {
  const std::string facts = "given contract: x >= 0\n"
                            "given contract: y - 1 >= 0\n"
                            "given contract: 2147483647 - x*y >= 0\n";
  EXPECT_TRUE(search3(facts, "9223372036854775807 - 3*x"));
  EXPECT_TRUE(search3(facts, "2147483647 - x"));
  EXPECT_FALSE(search3(facts, "2147483646 - x"));
}

// Twenty selects of which the goal does not speak: 2^20 cases, none is opened.
TEST(Certificate, irrelevantDefinitionsAreNoCases) {
  Obligation o;
  o.variables = {"x"};
  o.hypotheses = {{Fact::atLeastZero(Poly::variable(0) - 3), {}}};
  for (Var v = 1; v <= 20; ++v) {
    o.variables.push_back("m" + std::to_string(v));
    Definition d{Definition::Kind::Select,
                 {Poly::variable(0) - 7 * v, Poly::variable(0), Poly(v)},
                 {v}};
    Origin origin;
    origin.kind = Origin::Kind::Definition;
    origin.index = static_cast<uint32_t>(o.definitions.size());
    o.hypotheses.push_back({definitionFacts(d)[0], origin});
    o.definitions.push_back(d);
  }
  o.goal = Poly::variable(0) * Poly::variable(0) - 9;
  search::Stats stats;
  ASSERT_TRUE(api().findCertificate(o, {}, &stats));
  EXPECT_EQ(stats.cases, 0u);
  EXPECT_LT(stats.pivots, 100u);
}

TEST(Certificate, tilesAreDisjoint) {
  Obligation o = parse(tiles);
  search::Stats stats;
  auto c = api().findCertificate(o, {}, &stats);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->kind, Certificate::Kind::Case);
  EXPECT_EQ(stats.leaves, 2u);
  EXPECT_EQ(stats.cases, 1u);
  EXPECT_EQ(stats.degree, 1u);
}

TEST(Certificate, tilesOfDifferentSizeAreNot) {
  Obligation o = parse(tiles);
  o.hypotheses[8].fact =
      Fact::atLeastZero(Poly::fromTerms({{{2}, 128}, {{}, 128}, {{3}, -1}}));
  EXPECT_FALSE(certified(o));
}

// Integer reasoning that no linear combination knows: q <= gm - 1.
TEST(Certificate, quotientBoundIsCutIn) {
  Obligation o = parse(R"(obligation claim.bounds
label "persistent"
location ""
variables M N gm rm gn rn t q r
define quotient (M + 127, 128) -> gm rm
define quotient (N + 255, 256) -> gn rn
define quotient (t, gn) -> q r
given contract: M >= 0
given contract: N >= 0
given definition 0 part 0: M + 127 - 128*gm - rm = 0
given definition 0 part 1: rm >= 0
given definition 0 part 2: 127 - rm >= 0
given definition 0 part 3: gm >= 0
given definition 1 part 0: N + 255 - 256*gn - rn = 0
given definition 1 part 1: rn >= 0
given definition 1 part 2: 255 - rn >= 0
given definition 1 part 3: gn >= 0
given loop: t >= 0
given loop: gm*gn - t - 1 >= 0
given proved 0: gn - 1 >= 0
given definition 2 part 0: t - q*gn - r = 0
given definition 2 part 1: r >= 0
given definition 2 part 2: gn - 1 - r >= 0
given definition 2 part 3: q >= 0
goal M - 1 - 128*q
end
)");
  auto c = api().findCertificate(o, {}, nullptr);
  ASSERT_TRUE(c);
  EXPECT_NE(print(*c).find("have"), std::string::npos) << print(*c);
}

// e = 128*b stays inside 32 bits, so it never wraps.
static const char *const wrap = R"(obligation index.width
label "no wrap"
location ""
variables M b v k
define wrap (128*b, 32) -> v k
given contract: M >= 0
given contract: 2147483647 - M >= 0
given launch: b >= 0
given launch: M - 128*b - 1 >= 0
given definition 0 part 0: 128*b - 4294967296*k - v = 0
given definition 0 part 1: v + 2147483648 >= 0
given definition 0 part 2: 2147483647 - v >= 0
goal v
end
)";

TEST(Certificate, wrapThatNeverHappens) {
  Obligation o = parse(wrap);
  EXPECT_TRUE(certified(o));
  // One element more is one too many.
  o.hypotheses[1].fact = Fact::atLeastZero(
      Poly::fromTerms({{{}, Int(2147483648) + 1}, {{0}, -1}}));
  EXPECT_FALSE(certified(o));
}

TEST(Certificate, limitsOfTheIndexWidthAreExact) {
  for (Int slack : {0, 1}) {
    Obligation o;
    o.variables = {"x"};
    Int limit = (Int(1) << 63) - 1;
    o.hypotheses.push_back(
        {Fact::atLeastZero(Poly(limit + slack) - Poly::variable(0)), {}});
    o.goal = Poly(limit) - Poly::variable(0);
    EXPECT_EQ(certified(o), slack == 0);
  }
}

// A disjunction that has nothing to do with the goal leaves no trace.
TEST(Certificate, idleCasesAreDropped) {
  Obligation o = parse(tiles);
  Poly x = Poly::variable(4);
  for (int i = 0; i < 20; ++i) {
    o.hypotheses.insert(
        o.hypotheses.begin(),
        {Fact::anyOf({{{false, x - i}}, {{false, -x + (7 + i)}}}), {}});
  }
  search::Stats stats;
  ASSERT_TRUE(api().findCertificate(o, {}, &stats));
  EXPECT_EQ(stats.cases, 1u);
}

TEST(Certificate, sameObligationSameCertificate) {
  for (const Obligation &o : corpus("schedules")) {
    search::Stats first, second;
    auto a = api().findCertificate(o, {}, &first);
    auto b = api().findCertificate(o, {}, &second);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(*a, *b);
    EXPECT_EQ(first.pivots, second.pivots);
  }
}

/// The hypotheses in another order; definitions know their place by number, so
/// they stay as they are.
static Obligation shuffled(Obligation o, unsigned seed) {
  std::mt19937 random(seed);
  std::shuffle(o.hypotheses.begin(), o.hypotheses.end(), random);
  return o;
}

TEST(Certificate, orderOfHypothesesDoesNotMatter) {
  for (const char *name : {"attention", "kernels"}) {
    for (const Obligation &o : corpus(name)) {
      for (unsigned seed = 0; seed < 10; ++seed) {
        EXPECT_TRUE(certified(shuffled(o, seed))) << o.label << " " << seed;
      }
    }
  }
}

TEST(Certificate, nothingIsFoundWhereThereIsACounterexample) {
  std::vector<Obligation> all = corpus("refuted");
  EXPECT_EQ(all.size(), 29u);
  for (const Obligation &o : all) {
    EXPECT_FALSE(certified(o, {5000, 10, 3})) << o.label;
  }
}

TEST(Certificate, budgetEndsTheSearch) {
  for (const Obligation &o : corpus("refuted")) {
    for (uint64_t pivots : {0, 1, 100, 2000}) {
      search::Stats stats;
      search::Budget budget{pivots, 10, 3};
      EXPECT_FALSE(api().findCertificate(o, budget, &stats)) << o.label;
      EXPECT_LE(stats.pivots, pivots);
    }
  }
}

/// x0 - x1 >= 0 does not follow from all x >= 0, however many: so the search
/// ends by its steps. With more facts than a column can name it ended never;
/// with fewer, pairs of them were looked at before a step was counted.
TEST(Certificate, manyFactsEndTheSearch) {
  for (size_t count : {20'000, 65'536, 70'000}) {
    Obligation o;
    for (size_t i = 0; i < count; ++i) {
      o.variables.push_back("x" + std::to_string(i));
      o.hypotheses.push_back({Fact::atLeastZero(Poly::variable(Var(i))), {}});
    }
    o.goal = Poly::variable(0) - Poly::variable(1);
    for (unsigned degree : {1, 4}) {
      search::Stats stats;
      EXPECT_FALSE(api().findCertificate(o, {2000, 10, degree}, &stats));
      EXPECT_LE(stats.pivots, 2000u);
    }
    o.goal = Poly(1);
    EXPECT_TRUE(certified(o)) << "the goal is a positive number";
  }
}

TEST(Certificate, depthZeroMeansNoSplits) {
  for (const Obligation &o : corpus("schedules")) {
    search::Stats stats;
    api().findCertificate(o, {20000, 0, 3}, &stats);
    EXPECT_EQ(stats.splits, 0u);
  }
}

TEST(Certificate, overflowIsNoCertificate) {
  // x >= 2^126, y >= 2^126, x*y <= 1: the product leaves 128 bits.
  Obligation o;
  o.variables = {"x", "y"};
  Poly x = Poly::variable(0), y = Poly::variable(1), big(Int(1) << 126);
  o.hypotheses = {{Fact::atLeastZero(x - big), {}},
                  {Fact::atLeastZero(y - big), {}}};
  o.goal = x * y - 2;
  auto c = api().findCertificate(o, {}, nullptr);
  EXPECT_TRUE(!c || certified(o));
}

/// Row h of B * H rows of L elements, whose product fits 32 bits or does not.
static Obligation wrappedProduct(const std::string &most,
                                 const std::string &goal) {
  return parse("obligation claim.bounds\nlabel \"\"\nlocation \"\"\n"
               "variables B H L b h v k\n"
               "define wrap (h*L, 32) -> v k\n"
               "given contract: B >= 0\n"
               "given contract: H >= 0\n"
               "given contract: L >= 0\n"
               "given contract: " +
               most +
               " - B*H*L >= 0\n"
               "given launch: b >= 0\n"
               "given launch: B - b - 1 >= 0\n"
               "given launch: h >= 0\n"
               "given launch: H - h - 1 >= 0\n"
               "given definition 0 part 0: h*L - v - 4294967296*k = 0\n"
               "given definition 0 part 1: v + 2147483648 >= 0\n"
               "given definition 0 part 2: 2147483647 - v >= 0\n"
               "goal " +
               goal + "\nend\n");
}

TEST(Certificate, valuesThatDoNotWrapAreShownOnce) {
  Obligation o = wrappedProduct("2147483647", "H*L - L - v");
  search::Lemmas lemmas;
  search::Budget budget;
  EXPECT_GT(api().findLemmas(o, budget, lemmas), 0u);
  EXPECT_EQ(lemmas.byText.size(), 2u);
  for (const auto &[text, lemma] : lemmas.byText) {
    EXPECT_TRUE(lemma.proof) << text;
  }
  EXPECT_EQ(api().findLemmas(o, budget, lemmas), 0u);
  budget.lemmas = &lemmas;
  auto c = api().findCertificate(o, budget, nullptr);
  ASSERT_TRUE(c);
  std::vector<Fact> facts;
  for (const Hypothesis &h : o.hypotheses) {
    facts.push_back(h.fact);
  }
  facts.push_back(Fact::atLeastZero(negatedGoal(o)));
  EXPECT_TRUE(refutes(facts, *c).accepted);
}

TEST(Certificate, valuesThatMayWrapAreNotShown) {
  Obligation o = wrappedProduct("4294967296", "v");
  search::Lemmas lemmas;
  search::Budget budget;
  api().findLemmas(o, budget, lemmas);
  size_t proved = std::count_if(
      lemmas.byText.begin(), lemmas.byText.end(),
      [](const auto &entry) { return entry.second.proof.has_value(); });
  EXPECT_EQ(proved, 1u); // the lower bound
  budget.lemmas = &lemmas;
  EXPECT_FALSE(api().findCertificate(o, budget, nullptr));
}
