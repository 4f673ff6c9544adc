// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the judge recomputes of the hypotheses: definitions and proved goals.

#include "Build.h"

#include <chrono>

using namespace girih::proofs;
using namespace girih::proofs::test;

/// The ruling on the last of some obligations.
static std::string wrongIn(const std::vector<Obligation> &all) {
  CheckResult r = wellFounded(all, all.size() - 1);
  EXPECT_EQ(r.accepted, r.reason.empty());
  return r.reason;
}

static std::string wrongIn(const std::string &lines) {
  return wrongIn(std::vector{obligation(lines)});
}

/// Obligations of which only their place in a list matters.
static Obligation plain(const std::string &given, const std::string &goal) {
  return obligation(given + "\ngoal " + goal);
}

TEST(Definitions, theTable) {
  auto factsText = [](const Definition &d) {
    std::string out;
    for (const Fact &f : definitionFacts(d)) {
      out += print(f, nullptr) + "; ";
    }
    return out;
  };
  auto define = [](const std::string &text) {
    return obligation("define " + text + "\ngoal 0").definitions[0];
  };
  EXPECT_EQ(factsText(define("quotient (v0 + 3, v1) -> v2 v3")),
            "-v1*v2 + v0 - v3 + 3 = 0; v3 >= 0; v1 - v3 - 1 >= 0; v2 >= 0; ");
  EXPECT_EQ(factsText(define("select (v0, v1, 5) -> v2")),
            "any of (v0 >= 0, -v1 + v2 = 0) | (-v0 - 1 >= 0, v2 - 5 = 0); ");
  EXPECT_EQ(factsText(define("wrap (v0, 8) -> v1 v2")),
            "v0 - v1 - 256*v2 = 0; v1 + 128 >= 0; -v1 + 127 >= 0; ");
  EXPECT_EQ(factsText(define("wrap (v0, 64) -> v1 v2")),
            "v0 - v1 - 18446744073709551616*v2 = 0; "
            "v1 + 9223372036854775808 >= 0; -v1 + 9223372036854775807 >= 0; ");
  EXPECT_EQ(factsText(define("name (v0*v1 + 1) -> v2")),
            "-v0*v1 + v2 - 1 = 0; ");

  auto needs = definitionNeeds(define("quotient (v0 + 3, v1) -> v2 v3"));
  ASSERT_EQ(needs.size(), 2u);
  EXPECT_EQ(needs[0], fact("v1 - 1 >= 0"));
  EXPECT_EQ(needs[1], fact("v0 + 3 >= 0"));
  EXPECT_TRUE(definitionNeeds(define("select (v0, v1, 5) -> v2")).empty());
}

TEST(Definitions, malformedOnesHaveNoFacts) {
  for (const char *text :
       {"quotient (v0) -> v2 v3", "quotient (v0, v1) -> v2",
        "select (v0, v1) -> v2", "select (v0, v1, v2) -> v3 v4",
        "wrap (v0, 1) -> v1 v2", "wrap (v0, 65) -> v1 v2",
        "wrap (v0, v3) -> v1 v2", "wrap (v0, -8) -> v1 v2",
        "wrap (v0, 8) -> v1", "name (v0) -> v1 v2", "name () -> v1"}) {
    Obligation o = obligation(std::string("define ") + text + "\ngoal 0");
    EXPECT_TRUE(definitionFacts(o.definitions[0]).empty()) << text;
  }
}

TEST(WellFounded, acceptsDefinitionsAfterTheirNeeds) {
  EXPECT_EQ(wrongIn("define quotient (v0, v1) -> v2 v3\n"
                    "define name (v2 + v3) -> v4\n"
                    "given contract: v1 - 1 >= 0\n"
                    "given path: v0 >= 0\n"
                    "given definition 0 part 3: v2 >= 0\n"
                    "given definition 0 part 0: v0 - v2*v1 - v3 = 0\n"
                    "given path: v0 - v2 >= 0\n"
                    "given definition 1 part 0: v4 - v2 - v3 = 0\n"
                    "goal v4"),
            "");
}

TEST(WellFounded, constantNeedsStandByThemselves) {
  EXPECT_EQ(wrongIn("define quotient (v0, 128) -> v2 v3\n"
                    "given path: v0 >= 0\n"
                    "given definition 0 part 2: 127 - v3 >= 0\n"
                    "goal 0"),
            "");
  EXPECT_EQ(wrongIn("define quotient (v0, 0) -> v2 v3\n"
                    "given path: v0 >= 0\n"
                    "given definition 0 part 2: -1 - v3 >= 0\n"
                    "goal 0"),
            "hypothesis 1: definition 0 stands before what it needs, -1 >= 0");
}

TEST(WellFounded, rejectsDefinitionsBeforeTheirNeeds) {
  std::string definition = "define quotient (v0, v1) -> v2 v3\n";
  EXPECT_EQ(wrongIn(definition + "given contract: v1 - 1 >= 0\n"
                                 "given definition 0 part 1: v3 >= 0\n"
                                 "given path: v0 >= 0\n"
                                 "goal 0"),
            "hypothesis 1: definition 0 stands before what it needs, v0 >= 0");
  EXPECT_EQ(
      wrongIn(definition + "given path: v0 >= 0\n"
                           "given contract: v1 >= 0\n"
                           "given definition 0 part 1: v3 >= 0\n"
                           "goal 0"),
      "hypothesis 2: definition 0 stands before what it needs, v1 - 1 >= 0");
}

TEST(WellFounded, rejectsFactsThatAreNotTheTables) {
  std::string before = "define quotient (v0, v1) -> v2 v3\n"
                       "given contract: v1 - 1 >= 0\n"
                       "given path: v0 >= 0\n";
  auto wrong = [&](const std::string &hypothesis) {
    return wrongIn(before + "given definition " + hypothesis + "\ngoal 0");
  };
  EXPECT_EQ(wrong("0 part 0: v0 - v2*v1 - v3 = 0"), "");
  std::string not0 = "hypothesis 2: not part 0 of definition 0";
  EXPECT_EQ(wrong("0 part 0: v0 - 2*v2*v1 - v3 = 0"), not0);
  EXPECT_EQ(wrong("0 part 0: v0 - v2*v1 - v3 + 1 = 0"), not0);
  EXPECT_EQ(wrong("0 part 0: v0 - v2*v1 - v3 >= 0"), not0);
  EXPECT_EQ(wrong("0 part 0: v0 - v3*v1 - v2 = 0"), not0);
  EXPECT_EQ(wrong("0 part 0: -v0 + v2*v1 + v3 = 0"), not0);
  EXPECT_EQ(wrong("0 part 1: v0 - v2*v1 - v3 = 0"),
            "hypothesis 2: not part 1 of definition 0");
  EXPECT_EQ(wrong("0 part 4: v0 >= 0"),
            "hypothesis 2: not part 4 of definition 0");
  EXPECT_EQ(wrong("1 part 0: v0 >= 0"), "definition 1 does not exist");
  EXPECT_EQ(wrongIn("define wrap (v0, 65) -> v1 v2\n"
                    "given definition 0 part 0: v0 >= 0\ngoal 0"),
            "hypothesis 0: not part 0 of definition 0");
}

TEST(WellFounded, rejectsResultsThatAreNotFresh) {
  std::string late = "mentions the result of a later definition";
  EXPECT_EQ(wrongIn("define name (v0) -> v1\n"
                    "given path: v1 >= 0\n"
                    "given definition 0 part 0: v1 - v0 = 0\ngoal 0"),
            "hypothesis 0: " + late);
  EXPECT_EQ(wrongIn("define name (v1 + 1) -> v1\n"
                    "given definition 0 part 0: -1 = 0\ngoal 0"),
            "hypothesis 0: definition 0 has an argument that a later "
            "definition introduces");
  EXPECT_EQ(wrongIn("define quotient (v0, 4) -> v1 v1\n"
                    "given path: v0 >= 0\n"
                    "given definition 0 part 1: v1 >= 0\ngoal 0"),
            "v1 is defined twice");
  EXPECT_EQ(wrongIn("define name (0) -> v1\ndefine name (1) -> v1\n"
                    "given definition 0 part 0: v1 = 0\n"
                    "given definition 1 part 0: v1 - 1 = 0\ngoal 0"),
            "v1 is defined twice");
}

TEST(WellFounded, rejectsDefinitionsInACircle) {
  // Each of the four facts is the table's, and no result occurs in a fact
  // before its definition is cited; yet together they say 1 = 256*(...).
  EXPECT_EQ(wrongIn("define wrap (v2, 8) -> v0 v1\n"
                    "define wrap (v0 + 1, 8) -> v2 v3\n"
                    "given definition 0 part 1: v0 + 128 >= 0\n"
                    "given definition 1 part 1: v2 + 128 >= 0\n"
                    "given definition 0 part 0: v2 - 256*v1 - v0 = 0\n"
                    "given definition 1 part 0: v0 + 1 - 256*v3 - v2 = 0\n"
                    "goal -1"),
            "hypothesis 0: definition 0 has an argument that a later "
            "definition introduces");
}

TEST(WellFounded, aDefinitionThatNobodyCitesSaysNothing) {
  EXPECT_EQ(wrongIn("define name (v0) -> v1\n"
                    "define name (v1) -> v1\n"
                    "given path: v1 >= 0\ngoal v1"),
            "");
}

TEST(WellFounded, acceptsProvedGoals) {
  Obligation lemma = plain("given path: v0 >= 0", "v0 + v1");
  EXPECT_EQ(wrongIn({lemma, plain("given path: v0 >= 0\n"
                                  "given proved 0: v0 + v1 >= 0",
                                  "0")}),
            "");
  EXPECT_EQ(wrongIn({lemma, plain("given contract: v7 >= 0\n"
                                  "given proved 0 {v0 -> v7}: v7 + v1 >= 0",
                                  "0")}),
            "");
  // Swapped, and with a variable that stays.
  EXPECT_EQ(
      wrongIn({lemma, plain("given contract: v1 >= 0\n"
                            "given proved 0 {v1 -> v0, v0 -> v1, v5 -> v5}: "
                            "v1 + v0 >= 0",
                            "0")}),
      "");
}

TEST(WellFounded, renamingsNeedNotBeInjective) {
  // What holds for all v0 and v1 holds where they are equal.
  Obligation lemma =
      plain("given path: v0 - 1 >= 0\ngiven path: v1 - 1 >= 0", "v0*v1 - 1");
  EXPECT_EQ(wrongIn({lemma, plain("given path: v3 - 1 >= 0\n"
                                  "given proved 0 {v0 -> v3, v1 -> v3}: "
                                  "v3*v3 - 1 >= 0",
                                  "0")}),
            "");
}

TEST(WellFounded, rejectsWrongProvedGoals) {
  Obligation lemma =
      plain("given path: v0 >= 0\ngiven path: v1 >= 0", "v0 + v1 + v2");
  auto wrong = [&](const std::string &given) {
    return wrongIn({lemma, plain(given, "0")});
  };
  EXPECT_EQ(wrong("given path: v0 >= 0\ngiven path: v1 >= 0\n"
                  "given proved 0: v0 + v1 + v2 >= 0"),
            "");
  EXPECT_EQ(wrong("given path: v0 >= 0\n"
                  "given proved 0: v0 + v1 + v2 >= 0"),
            "hypothesis 1: a hypothesis of obligation 0 is missing before");
  EXPECT_EQ(wrong("given path: v0 >= 0\n"
                  "given proved 0: v0 + v1 + v2 >= 0\n"
                  "given path: v1 >= 0"),
            "hypothesis 1: a hypothesis of obligation 0 is missing before");
  EXPECT_EQ(wrong("given path: v0 >= 0\ngiven path: v1 + 1 >= 0\n"
                  "given proved 0: v0 + v1 + v2 >= 0"),
            "hypothesis 2: a hypothesis of obligation 0 is missing before");
  EXPECT_EQ(wrong("given path: v0 >= 0\ngiven path: v1 >= 0\n"
                  "given proved 0 {v1 -> v3}: v0 + v3 + v2 >= 0"),
            "hypothesis 2: a hypothesis of obligation 0 is missing before");
  EXPECT_EQ(wrong("given path: v0 >= 0\ngiven path: v1 >= 0\n"
                  "given proved 0 {v2 -> v3}: v0 + v1 + v2 >= 0"),
            "hypothesis 2: not the goal of obligation 0");
  EXPECT_EQ(wrong("given path: v0 >= 0\ngiven path: v1 >= 0\n"
                  "given proved 0: v0 + v1 + v2 - 1 >= 0"),
            "hypothesis 2: not the goal of obligation 0");
  EXPECT_EQ(wrong("given path: v0 >= 0\ngiven path: v1 >= 0\n"
                  "given proved 0: v0 + v1 + v2 = 0"),
            "hypothesis 2: not the goal of obligation 0");
  EXPECT_EQ(wrong("given path: v0 >= 0\ngiven path: v1 >= 0\n"
                  "given proved 0 {v2 -> v3, v2 -> v2}: v0 + v1 + v3 >= 0"),
            "hypothesis 2: a variable is renamed twice");
}

TEST(WellFounded, rejectsGoalsOfLaterObligations) {
  Obligation self = plain("given proved 0: v0 >= 0", "v0");
  EXPECT_EQ(wrongIn({self}),
            "hypothesis 0: obligation 0 is not an earlier one");
  Obligation circle = plain("given proved 1: v0 >= 0", "v0");
  std::vector<Obligation> two = {circle, plain("given path: v1 >= 0", "v0")};
  EXPECT_EQ(wellFounded(two, 0).reason,
            "hypothesis 0: obligation 1 is not an earlier one");
  EXPECT_EQ(wellFounded(two, 2).reason, "no such obligation");
}

TEST(WellFounded, rejectsOverflowAndUnknownOrigins) {
  Obligation o = plain("given path: v0 >= 0", "v0");
  Poly big = Poly(Int(1) << 100) * Poly(Int(1) << 100);
  Obligation goal = o, hypothesis = o, origin = o;
  goal.goal = big;
  hypothesis.hypotheses[0].fact = Fact::anyOf({{}, {{true, big}}});
  origin.hypotheses[0].origin.kind = Origin::Kind(99);
  EXPECT_EQ(wrongIn({goal}), "overflow");
  EXPECT_EQ(wrongIn({hypothesis}), "overflow");
  EXPECT_EQ(wrongIn({origin}), "hypothesis 0: unknown origin");
}

TEST(Judge, rulesInOrder) {
  Obligation lemma = plain("given path: v0 - 1 >= 0", "v0");
  Obligation user = plain("given path: v0 - 1 >= 0\n"
                          "given proved 0: v0 >= 0",
                          "2*v0 - 1");
  Certificate ofLemma = certificate("(leaf 1[0] 1[1])");
  Certificate ofUser = certificate("(leaf 1[0] 1[1] 1[2])");
  Certificate wrong = certificate("(leaf 1[0])");
  std::vector<Obligation> all = {lemma, user};
  auto reasons = [&](const Certificate *a, const Certificate *b) {
    std::vector<CheckResult> r = judge(all, std::vector{a, b});
    return r.at(0).reason + "; " + r.at(1).reason;
  };
  EXPECT_EQ(reasons(&ofLemma, &ofUser), "; ");
  EXPECT_EQ(reasons(&ofLemma, nullptr), "; no certificate");
  EXPECT_EQ(reasons(&ofLemma, &wrong), "; products sum to v0 - 1");
  EXPECT_EQ(reasons(nullptr, &ofUser),
            "no certificate; rests on obligation 0, which is not proved");
  EXPECT_EQ(reasons(&wrong, &ofUser),
            "products sum to v0 - 1; rests on obligation 0, which is not "
            "proved");
  EXPECT_EQ(judge(all, {})[1].reason, "no certificate");
  // A certificate does not help an obligation that is ill founded.
  all[1].hypotheses[1].fact = fact("v0 - 2 >= 0");
  EXPECT_EQ(reasons(&ofLemma, &ofUser),
            "; hypothesis 1: not the goal of obligation 0");
}

TEST(Judge, doesNotReadWhatOverflowed) {
  Obligation o = plain("given path: -1 >= 0", "v0");
  Certificate c = certificate("(leaf 1[0])");
  EXPECT_EQ(
      judge(std::vector{o}, std::vector<const Certificate *>{&c})[0].reason,
      "");
  o.goal = Poly(Int(1) << 100) * Poly(Int(1) << 100);
  EXPECT_EQ(
      judge(std::vector{o}, std::vector<const Certificate *>{&c})[0].reason,
      "overflow");
}

TEST(Judge, theNegatedGoalIsTheLastFact) {
  Obligation o = plain("given path: v0 - 1 >= 0", "v0 - 1");
  Certificate c = certificate("(leaf 1[0] 1[1])");
  EXPECT_EQ(
      judge(std::vector{o}, std::vector<const Certificate *>{&c})[0].reason,
      "");
  o.goal = poly("v0 - 2");
  EXPECT_EQ(
      judge(std::vector{o}, std::vector<const Certificate *>{&c})[0].reason,
      "products sum to 0");
}

TEST(Judge, aHundredLongObligationsAreQuick) {
  // 20 lemmas, each after those before it; then 80 obligations with the
  // premises twice, for two blocks, and all lemmas, for one of them.
  constexpr Var copy = 100;
  auto premise = [](int i, Var shift) {
    Poly x = Poly::variable(Var(i / 2) + shift), y = Poly::variable(300);
    return Hypothesis{Fact::atLeastZero(x * y + x - y + Poly(i)), {}};
  };
  auto goal = [](uint32_t i, Var shift) {
    return Poly::variable(i % 10 + shift) * Poly::variable(301) + Poly(i);
  };
  std::vector<Obligation> all;
  for (uint32_t i = 0; i < 100; ++i) {
    Obligation o;
    for (int f = 0; f < 20; ++f) {
      o.hypotheses.push_back(premise(f, 0));
      if (i >= 20) {
        o.hypotheses.push_back(premise(f, copy));
      }
    }
    Var shift = i >= 20 && i % 2 ? copy : 0;
    for (uint32_t p = 0; p < std::min(i, 20u); ++p) {
      Origin origin{Origin::Kind::Proved, p, 0, {{1000 + i, 1000 + p}}, ""};
      for (Var v = 0; v < 10; ++v) {
        origin.renaming.push_back({v, v + shift});
      }
      o.hypotheses.push_back({Fact::atLeastZero(goal(p, shift)), origin});
    }
    o.goal = goal(i, 0);
    all.push_back(std::move(o));
  }
  // Nothing is refuted; what is timed comes before.
  Certificate none;
  auto start = std::chrono::steady_clock::now();
  std::vector<CheckResult> rulings =
      judge(all, std::vector<const Certificate *>(all.size(), &none));
  auto spent = std::chrono::duration<double, std::milli>(
      std::chrono::steady_clock::now() - start);
  EXPECT_EQ(rulings[0].reason, "products sum to 0");
  EXPECT_EQ(rulings[99].reason, "rests on obligation 0, which is not proved");
  EXPECT_EQ(wellFounded(all, 99).reason, "");
  RecordProperty("milliseconds", std::to_string(spent.count()));
  EXPECT_LT(spent.count(), 300) << "ten times what it takes";
}
