// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the judge accepts as a refutation, node by node, and what it does not.

#include "Build.h"
#include "Corpus.h"

using namespace girih::proofs;
using namespace girih::proofs::test;

static void accepts(const std::vector<std::string> &facts,
                    const std::string &tree) {
  CheckResult r = refutesText(facts, tree);
  EXPECT_TRUE(r.accepted) << r.reason;
  EXPECT_EQ(r.reason, "");
}

static void rejects(const std::vector<std::string> &facts,
                    const std::string &tree, const std::string &reason) {
  CheckResult r = refutesText(facts, tree);
  EXPECT_FALSE(r.accepted);
  EXPECT_EQ(r.reason, reason);
}

TEST(Leaf, sumsToANegativeConstant) {
  accepts({"v0 - 1 >= 0", "-v0 >= 0"}, "(leaf 1[0] 1[1])");
  accepts({"2*v0 - 3 >= 0", "1 - v0 >= 0"}, "(leaf 1[0] 2[1])");
  accepts({"-1 >= 0"}, "(leaf 5[0])");
  accepts({"-1 >= 0"}, "(leaf 5[0] 4[])"); // the empty product is 1
}

TEST(Leaf, productsOfFacts) {
  // x >= 1, y >= 1, x*y <= 0
  accepts({"v0 - 1 >= 0", "v1 - 1 >= 0", "-v0*v1 >= 0"},
          "(leaf 1[0,1] 1[2] 1[0] 1[1])");
  accepts({"v0 - 1 >= 0", "-v0*v0 >= 0"}, "(leaf 1[0,0] 1[1] 2[0])");
}

TEST(Leaf, equalitiesTakeAnyWeight) {
  accepts({"v0 - 1 >= 0", "v0 = 0"}, "(leaf 1[0] -1[1])");
  accepts({"-v0 - 1 >= 0", "v0 = 0"}, "(leaf 1[0] 1[1])");
  accepts({"v1 - 1 >= 0", "-v0*v1 - 1 >= 0", "v0 = 0"},
          "(leaf 1[1] 1[2,0] 1[2])");
}

TEST(Leaf, rejectsSumsThatAreNotNegative) {
  rejects({"v0 >= 0"}, "(leaf)", "products sum to 0");
  rejects({"v0 >= 0"}, "(leaf 1[])", "products sum to 1");
  rejects({"v0 - 1 >= 0"}, "(leaf 1[0])", "products sum to v0 - 1");
  rejects({"v0 - 1 >= 0", "1 - v0 >= 0"}, "(leaf 1[0] 1[1])",
          "products sum to 0");
}

TEST(Leaf, rejectsWeightsWithoutAnEquality) {
  rejects({"1 >= 0"}, "(leaf -1[0])", "weight -1 without an equality");
  rejects({"-1 >= 0", "v0 >= 0"}, "(leaf 1[0] 0[1])",
          "weight 0 without an equality");
  rejects({}, "(leaf -1[])", "weight -1 without an equality");
}

TEST(Leaf, rejectsFactsThatAreNoAtoms) {
  std::string either = "any of (v0 >= 0) | (v0 - 1 >= 0)";
  rejects({"-1 >= 0", either}, "(leaf 1[0] 1[1])",
          "fact 1 in a product is a disjunction");
  rejects({"any of (v0 >= 0, -1 >= 0)"}, "(leaf 1[0])",
          "fact 0 in a product is a disjunction");
  rejects({"any of nothing"}, "(leaf 1[0])",
          "fact 0 in a product is a disjunction");
}

TEST(Leaf, rejectsNumbersOutOfRange) {
  rejects({"-1 >= 0"}, "(leaf 1[1])", "fact 1 does not exist");
  rejects({"-1 >= 0"}, "(leaf 1[0,4294967295])",
          "fact 4294967295 does not exist");
}

static const std::string maximum = "170141183460469231731687303715884105727";

TEST(Leaf, rejectsOverflowOfAProduct) {
  rejects({"-2 >= 0"}, "(leaf " + maximum + "[0])", "overflow");
  // 2^64 * 2^64 wraps to 0; with -1 added an unchecked sum would be negative.
  rejects({"18446744073709551616*v0 >= 0", "-1 >= 0"}, "(leaf 1[0,0] 1[1])",
          "overflow");
}

TEST(Leaf, rejectsOverflowOfASum) {
  rejects({"-" + maximum + " >= 0", "-2 >= 0"}, "(leaf 1[0] 1[1])", "overflow");
  // Two positive numbers that would wrap to -2.
  rejects({maximum + " >= 0"}, "(leaf 1[0] 1[0])", "overflow");
}

TEST(Solve, rejectsOverflowOfWhatItUses) {
  std::vector<std::string> facts = {"v0 - " + maximum + "*v1 = 0",
                                    "2*v0 - 1 >= 0", "-v1 >= 0", "-1 >= 0"};
  rejects(facts, "(solve 0 v0 (leaf 1[1] 1[2]))", "overflow");
  // The fact that overflowed does no harm where it is not used.
  accepts(facts, "(solve 0 v0 (leaf 1[3]))");
}

TEST(Leaf, rejectsChildren) {
  rejects({"-1 >= 0"}, "(leaf 1[0] (leaf 1[0]))", "leaf with children");
}

TEST(Solve, substitutesEverywhere) {
  // x = y + 1 (either sign), x <= y, in products and disjunctions
  accepts({"v0 - v1 - 1 = 0", "v1 - v0 >= 0"}, "(solve 0 v0 (leaf 1[1]))");
  accepts({"v0 - v1 - 1 = 0", "v1 - v0 >= 0"}, "(solve 0 v1 (leaf 1[1]))");
  accepts({"v0 - v1*v1 - 1 = 0", "any of (-v0 + v1*v1 >= 0)"},
          "(solve 0 v0 (case 1 (leaf 1[2])))");
  accepts({"v0 - v1 = 0", "v0*v0 - v0*v1 - 1 = 0"}, "(solve 0 v0 (leaf 1[1]))");
}

TEST(Solve, doesNotTouchLaterFacts) {
  // After the equality is used up, v0 in a new fact is a variable on its own.
  rejects({"v0 - v1 = 0"},
          "(solve 0 v0 (split 'v0 - v1' (leaf 1[1]) (leaf) (leaf 1[1])))",
          "products sum to -v0 + v1 - 1");
}

TEST(Solve, rejectsWhatIsNoEquality) {
  std::string tree = "(solve 0 v0 (leaf 1[1]))";
  rejects({"v0 - v1 >= 0", "-1 >= 0"}, tree, "fact 0 is no equality");
  rejects({"any of (v0 = 0) | (v0 = 0)", "-1 >= 0"}, tree,
          "fact 0 is no equality");
  rejects({"-1 >= 0"}, "(solve 1 v0 (leaf 1[0]))", "fact 1 is no equality");
}

TEST(Solve, rejectsVariablesThatDoNotStandAlone) {
  std::string tree = "(solve 0 v0 (leaf 1[1]))";
  std::string reason = "fact 0 cannot be solved for v0";
  rejects({"2*v0 - v1 = 0", "-1 >= 0"}, tree, reason);
  rejects({"-2*v0 - v1 = 0", "-1 >= 0"}, tree, reason);
  rejects({"v1 = 0", "-1 >= 0"}, tree, reason);
  rejects({"v0 - v0*v1 = 0", "-1 >= 0"}, tree, reason);
  rejects({"v0 + v0*v0 = 0", "-1 >= 0"}, tree, reason);
  rejects({"v0*v0 = 0", "-1 >= 0"}, tree, reason);
}

TEST(Solve, wantsOneChild) {
  rejects({"v0 = 0", "-1 >= 0"}, "(solve 0 v0)",
          "number of children is 0 instead of 1");
  rejects({"v0 = 0", "-1 >= 0"}, "(solve 0 v0 (leaf 1[1]) (leaf 1[1]))",
          "number of children is 2 instead of 1");
}

TEST(Case, everyBranchIsRefuted) {
  std::string fact = "any of (v0 - 1 >= 0) | (v0 + 1 = 0, v1 >= 0)";
  accepts({fact, "v0 = 0"}, "(case 0 (leaf 1[2] -1[1]) (leaf 1[1] -1[2]))");
  rejects({fact, "v0 = 0"}, "(case 0 (leaf 1[2] -1[1]) (leaf 1[1] -1[4]))",
          "fact 4 does not exist");
  accepts({"any of nothing"}, "(case 0)");
  accepts({"any of (v0 >= 0, -1 >= 0)"}, "(case 0 (leaf 1[2]))");
  accepts({"-1 >= 0"}, "(case 0 (leaf 1[1]))");
}

TEST(Case, factsOfABranchEndWithIt) {
  rejects({"any of (-1 >= 0) | (v0 >= 0)"}, "(case 0 (leaf 1[1]) (leaf 1[1]))",
          "products sum to v0");
}

TEST(Case, rejectsWrongNumberOfChildren) {
  std::string fact = "any of (-1 >= 0) | (-1 >= 0)";
  rejects({fact}, "(case 0 (leaf 1[1]))",
          "number of branches of fact 0 is 2, of the case 1");
  rejects({fact}, "(case 0 (leaf 1[1]) (leaf 1[1]) (leaf 1[1]))",
          "number of branches of fact 0 is 2, of the case 3");
  rejects({fact}, "(case 0)",
          "number of branches of fact 0 is 2, of the case 0");
  rejects({fact}, "(case 1 (leaf 1[1]) (leaf 1[1]))", "fact 1 does not exist");
}

TEST(Split, threeWays) {
  // 2*x = 2*y + 1 has no solution: x < y, x = y, x > y
  std::string odd = "2*v0 - 2*v1 - 1 = 0";
  accepts({odd}, "(split 'v0 - v1' (leaf 2[1] 1[0]) (leaf 1[0] -2[1]) "
                 "(leaf 2[1] -1[0]))");
  rejects({odd}, "(split 'v0 - v1' (leaf 2[1] 1[0]) (leaf 2[1] -1[0]))",
          "number of children is 2 instead of 3");
  rejects({odd}, "(split 'v0 - v1' (leaf 2[1] 1[0]) (leaf 1[0] -2[1]) (leaf))",
          "products sum to 0");
}

TEST(Split, everyWayIsRefuted) {
  accepts({"v0 >= 0", "-v0 >= 0", "v1 - 1 >= 0", "-v1 - v0 >= 0"},
          "(split 'v0' (leaf 1[0] 1[4]) (leaf 1[2] 1[3] 1[4]) "
          "(leaf 1[1] 1[4]))");
  // The first or the second way stays open, the others are shut.
  rejects({"-v0 >= 0", "v0 + 1 >= 0"},
          "(split 'v0' (leaf 1[2]) (leaf 1[2]) (leaf 1[0] 1[2]))",
          "products sum to -v0 - 1");
  rejects({"v0 >= 0", "1 - v0 >= 0"},
          "(split 'v0' (leaf 1[0] 1[2]) (leaf 1[2]) (leaf 1[2]))",
          "products sum to v0");
}

TEST(Split, zeroIsAWayOfItsOwn) {
  // x = 0 and only that is left by the facts, and it is possible.
  std::vector<std::string> zero = {"v0 >= 0", "-v0 >= 0"};
  rejects(zero, "(split 'v0' (leaf 1[0] 1[2]) (leaf) (leaf 1[1] 1[2]))",
          "products sum to 0");
  // What says x = 0 says neither x <= -1 nor x >= 1.
  rejects(zero,
          "(split 'v0' (leaf 1[0] 1[2]) (leaf 1[0] 1[2]) (leaf 1[1] 1[2]))",
          "products sum to 2*v0");
  rejects(zero,
          "(split 'v0' (leaf 1[0] 1[2]) (leaf 1[1] 1[2]) (leaf 1[1] 1[2]))",
          "products sum to 0");
}

TEST(Have, isACut) {
  accepts({"2*v0 - 1 >= 0", "-v0 >= 0"},
          "(have 'v0 - 1' (leaf 1[0] 2[2]) (leaf 1[2] 1[1]))");
  rejects({"2*v0 - 1 >= 0"}, "(have 'v0 - 2' (leaf 1[0] 2[1]) (leaf 1[1]))",
          "products sum to 1");
  rejects({"-1 >= 0"}, "(have 'v0' (leaf 1[0]))",
          "number of children is 1 instead of 2");
}

//===-- The limit of work -------------------------------------------------===//

/// What README.md says that it costs, by hand.
TEST(Work, isCountedAsTheReadmeSays) {
  auto work = [](const std::vector<std::string> &facts,
                 const std::string &tree) {
    CheckResult r = refutesText(facts, tree);
    EXPECT_TRUE(r.accepted) << r.reason;
    return r.work;
  };
  // 1 | -v0: 1 + 2*1, sum 1 + 2 + 0 | v0 - 1: 1 + 3*1, sum 1 + 3 + 2
  EXPECT_EQ(work({"v0 - 1 >= 0", "-v0 >= 0"}, "(leaf 1[0] 1[1])"),
            1u + 3 + 3 + 4 + 6);
  // -v0*v0: 1 + 3, sum 1 + 3 | (v0 - 1)^2, of 6: 1 + 3, 1 + 3*3, sum 1 + 6 + 3
  // | 2*v0 - 2, before its weight v0 - 1: 1 + 3, sum 1 + 3 + 3
  EXPECT_EQ(work({"v0 - 1 >= 0", "-v0*v0 >= 0"}, "(leaf 2[0] 1[0,0] 1[1])"),
            1u + 4 + 4 + 4 + 10 + 10 + 4 + 7);
  // 1 | v0 - v1, of 4: 5; -v1: letter 1 + 1, sum 1 + 2; v0 becomes v1, of 2:
  // 1 + 2*1, sum 1 + 2 + 2 | v1 - 1: 4 | -v0: 3; 1 + 2*1, sum 1 + 2 | the leaf
  EXPECT_EQ(work({"v0 - v1 = 0", "v1 - 1 >= 0", "-v0 >= 0"},
                 "(solve 0 v0 (leaf 1[1] 1[2]))"),
            1u + (5 + 2 + 3 + 3 + 5) + 4 + (3 + 3 + 3) + 17);
  // 1 + (1 + 1) | 1 + 0 + 0, a leaf of -2 twice
  EXPECT_EQ(work({"any of (-1 >= 0) | (-1 >= 0, 1 >= 0)"},
                 "(case 0 (leaf 1[1]) (leaf 1[1]))"),
            1u + 2 + 4 + 2 * (1 + 2 + 2));
  EXPECT_EQ(work({"-1 >= 0"}, "(split 'v0' (leaf 1[0]) (leaf 1[0]) "
                              "(leaf 1[0]))"),
            1u + 3 * (1 + 2) + 3 * 5);
  EXPECT_EQ(work({"-1 >= 0"}, "(have 'v0 - 1' (leaf 1[0]) (leaf 1[0]))"),
            1u + 2 * (1 + 3) + 2 * 5);
}

/// So many units are enough, and one less is not; how many.
static uint64_t exactlyEnough(const Exhibit &e) {
  CheckResult r = refutes(e.facts, e.tree);
  EXPECT_TRUE(r.accepted) << e.name << ": " << r.reason;
  EXPECT_TRUE(refutes(e.facts, e.tree, r.work).accepted) << e.name;
  CheckResult less = refutes(e.facts, e.tree, r.work - 1);
  EXPECT_FALSE(less.accepted) << e.name;
  EXPECT_EQ(less.reason, "over the work limit of the judge");
  return r.work;
}

TEST(Work, isBoundedOfEveryCertificate) {
  std::vector<Docket> all = handWritten();
  for (const std::string &name : kernelNames()) {
    for (Docket &d : kernel(name)) {
      all.push_back(std::move(d));
    }
  }
  uint64_t most = 0;
  for (const Exhibit &e : exhibits(all)) {
    most = std::max(most, exactlyEnough(e));
  }
  std::cout << "at most " << most << " units a certificate\n";
  EXPECT_LE(most, maxWork / 16);
}

/// Products of a fact that says 0, which cancel: as much work as is wanted.
static std::string idle(size_t pairs) {
  std::string tree = "(leaf 1[1]";
  for (size_t i = 0; i < pairs; ++i) {
    tree += " 1[0,0,0,0] -1[0,0,0,0]";
  }
  return tree + ")";
}

static const std::vector<std::string> idleFacts = {
    "v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7 = 0", "-1 >= 0"};

TEST(Work, ofATooLongCertificateIsRefused) {
  std::string steep = "(leaf 1[1]";
  for (int i = 0; i < 2000; ++i) {
    steep += " 1[0,0,0,0,0,0,0,0] -1[0,0,0,0,0,0,0,0]";
  }
  rejects(idleFacts, steep + ")", "over the work limit of the judge");
}

TEST(Work, ofAListIsBounded) {
  uint64_t one = refutesText(idleFacts, idle(1)).work,
           two = refutesText(idleFacts, idle(2)).work;
  size_t pairs = size_t(1 + (maxWork - one) / (two - one));
  Obligation o = obligation("given contract: " + idleFacts[0] +
                            "\ngiven contract: " + idleFacts[1] + "\ngoal 0");
  Certificate c = certificate(idle(pairs));
  std::vector<Obligation> all(5, o);
  std::vector<const Certificate *> trees(5, &c);
  std::vector<CheckResult> rulings = judge(all, trees);
  uint64_t sum = 0;
  for (size_t i = 0; i < 5; ++i) {
    uint64_t left = maxListWork - sum;
    EXPECT_EQ(rulings[i].accepted, rulings[0].work <= left) << i;
    sum += rulings[i].accepted ? rulings[i].work : 0;
  }
  EXPECT_FALSE(rulings[4].accepted);
  EXPECT_EQ(rulings[4].reason, "over the work limit of the judge");
}
