// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge against its twin in Coq: the same certificates and their
// mutants, and the two tables of definitions.

#include "Build.h"
#include "Coqc.h"
#include "Mutate.h"
#include "MutateList.h"
#include "Reference.h"
#include "proofs/CoqPrinter.h"
#include "tests/unit/Long.h"

#include <cstdlib>

using girih::test::compileCoq;
using namespace girih::proofs;
using namespace girih::proofs::test;

/// More mutants than this make a certificate a long one.
static constexpr size_t longCertificate = 150;

/// Of so many certificates of one corpus Coq sees the mutants: reading terms
/// is what takes its time.
static const size_t mutatedInCoq = girih::test::isLong ? 8 : 1;

/// Of every so many long certificates the two judges in C++ see all mutants, of
/// the others a share; in the long form of all.
static constexpr size_t everyLong = 4;

/// What Coq should say where the judge says this.
static std::optional<uint64_t> expected(const CheckResult &r) {
  return r.accepted ? std::optional(r.work) : std::nullopt;
}

/// What the three judges say of the exhibits of a corpus and of their mutants.
/// Coq is asked about all with Extent::Every, else about the mutants of some
/// exhibits, spread evenly from one that the name of the first one chooses, and
/// of a long one about a share.
class Trial {
public:
  Trial(const std::vector<Exhibit> &corpus, Extent extent) {
    size_t step = extent == Extent::Every
                      ? 1
                      : (corpus.size() + mutatedInCoq - 1) / mutatedInCoq;
    size_t first = 0;
    for (char c : corpus.empty() ? std::string() : corpus[0].name) {
      first = (first + static_cast<unsigned char>(c)) % step;
    }
    for (size_t i = 0; i < corpus.size(); ++i) {
      ++certificates;
      rule(corpus[i]);
      std::vector<Exhibit> all = mutants(corpus, i, extent);
      bool large = extent == Extent::Main && all.size() > longCertificate;
      std::vector<bool> some = share(all, unsigned(i));
      bool whole = girih::test::isLong || !large || i % everyLong == 0;
      for (size_t m = 0; m < all.size(); ++m) {
        if (whole || some[m]) {
          rule(all[m], i % step == first && (!large || some[m]));
        }
      }
    }
    flush();
  }

  size_t certificates = 0, accepted = 0, rejected = 0, overflowed = 0;
  size_t compiled = 0; ///< put to Coq too

private:
  void rule(const Exhibit &e, bool inCoq = true) {
    CheckResult r = refutes(e.facts, e.tree);
    bool reference = referenceRefutes(e.facts, e.tree);
    if (r.reason == "overflow") {
      ++overflowed; // the other two have no bounds
      return;
    }
    ++(r.accepted ? accepted : rejected);
    if (r.accepted) {
      EXPECT_TRUE(refutes(e.facts, e.tree, r.work).accepted) << e.name;
      EXPECT_FALSE(refutes(e.facts, e.tree, r.work - 1).accepted) << e.name;
    }
    EXPECT_EQ(r.accepted, reference) << e.name << "\n"
                                     << print(e.tree) << "\n"
                                     << r.reason;
    if (inCoq) {
      cases.push_back({e.facts, e.tree, expected(r)});
      ++compiled;
    }
    if (cases.size() == 1000) { // memory grows with the file
      flush();
    }
  }

  void flush() {
    EXPECT_EQ(compileCoq(coqFile(cases)), "");
    cases.clear();
  }

  std::vector<CoqCase> cases;
};

TEST(Mutation, threeJudgesAgreeOnWhatIsWrittenByHand) {
  Trial trial(exhibits(handWritten()), Extent::Every);
  EXPECT_GE(trial.accepted, 100u);
  EXPECT_GE(trial.rejected, 2000u);
  EXPECT_EQ(trial.overflowed, 0u);
}

class Kernels : public testing::TestWithParam<std::string> {};

TEST_P(Kernels, threeJudgesAgreeOnTheMutants) {
  Trial trial(exhibits(kernel(GetParam())), Extent::Main);
  RecordProperty("certificates", int(trial.certificates));
  RecordProperty("accepted", int(trial.accepted));
  RecordProperty("rejected", int(trial.rejected));
  RecordProperty("compiled", int(trial.compiled));
  RecordProperty("overflowed", int(trial.overflowed));
  EXPECT_GE(trial.certificates, 1u);
  EXPECT_GE(trial.rejected, 50 * trial.certificates);
  // The first certificates may be the small ones, which have fewer mutants.
  EXPECT_GE(trial.compiled, 30 * std::min(trial.certificates, mutatedInCoq));
}

/// Every one of so many from a first one on, or all.
static std::vector<std::string> someKernels(size_t every, size_t first = 0) {
  std::vector<std::string> all = kernelNames(), some;
  for (size_t i = girih::test::isLong ? 0 : first; i < all.size();
       i += girih::test::isLong ? 1 : every) {
    some.push_back(all[i]);
  }
  return some;
}

class SomeKernels : public Kernels {};

INSTANTIATE_TEST_SUITE_P(Mutation, Kernels,
                         testing::ValuesIn(someKernels(19, 1)),
                         [](const auto &info) { return info.param; });

TEST(Mutation, bothJudgesAgreeOnWhatIsWellFounded) {
  std::vector<CoqListCase> cases;
  Lists lists = changesOf(soundList());
  lists.push_back(soundList());
  for (const std::vector<Obligation> &all : lists) {
    CoqListCase c{all, {}};
    for (size_t i = 0; i < all.size(); ++i) {
      c.expected.push_back(wellFounded(all, i).accepted);
    }
    cases.push_back(std::move(c));
  }
  EXPECT_EQ(compileCoq(coqFile(cases)), "");
}

/// Compiles a docket with all certificates, or with every second one missing.
static void judgeInCoq(const Docket &d, bool all) {
  CoqJudgement judgement;
  for (size_t i = 0; i < d.trees.size(); ++i) {
    judgement.certificates.push_back(all || i % 2 ? &d.trees[i] : nullptr);
  }
  for (const CheckResult &r : judge(d.obligations, judgement.certificates)) {
    EXPECT_TRUE(r.accepted || !all) << d.name << ": " << r.reason;
    judgement.expected.push_back(r.accepted);
  }
  EXPECT_EQ(compileCoq(coqFile(d.obligations, std::span(&judgement, 1))), "");
}

TEST(Coq, acceptsTheDocketsThatTheJudgeAccepts) {
  for (const Docket &d : handWritten()) {
    judgeInCoq(d, true);
    judgeInCoq(d, false);
  }
}

/// That Coq accepts all certificates of a kernel is its theorem
/// (tests/unit/coq/InstanceTest.cpp).
TEST_P(SomeKernels, acceptsInCoqWhatIsThereOfTheCertificates) {
  for (const Docket &d : kernel(GetParam())) {
    judgeInCoq(d, false);
  }
}

INSTANTIATE_TEST_SUITE_P(Coq, SomeKernels, testing::ValuesIn(someKernels(13)),
                         [](const auto &info) { return info.param; });

TEST(Coq, aWrongExpectationDoesNotCompile) {
  std::vector<CoqCase> cases;
  for (Exhibit &e : exhibits(handWritten())) {
    std::optional<uint64_t> work = expected(refutes(e.facts, e.tree));
    cases.push_back({std::move(e.facts), std::move(e.tree), work});
  }
  cases.resize(4);
  cases[1].expected.reset();
  ++*cases[3].expected;
  std::string output = compileCoq(coqFile(cases));
  EXPECT_NE(output.find("Unable to unify \"[]\" with \"[1; 3]\""),
            std::string::npos)
      << output;
}

/// An obligation, and a certificate for it that asks for so much work: a fact
/// of many terms, and one that is less than its negative, are added by turns.
/// A product of a zero in front of nothing costs 2, and one of its square 3.
static std::pair<Obligation, Certificate> costs(uint64_t work) {
  Poly sum;
  for (Var v = 0; v < 2000; ++v) {
    sum = sum + Poly::variable(v);
  }
  Obligation o;
  o.rule = "claim.bounds";
  for (const Poly &p : {sum, -sum - Poly(1), Poly()}) {
    o.hypotheses.push_back({Fact::atLeastZero(p), {}});
  }
  o.goal = Poly::variable(0);
  std::vector<Fact> facts;
  for (const Hypothesis &h : o.hypotheses) {
    facts.push_back(h.fact);
  }
  facts.push_back(Fact::atLeastZero(negatedGoal(o)));
  Certificate tree;
  tree.kind = Certificate::Kind::Leaf;
  auto cost = [&] { return refutes(facts, tree).work; };
  tree.products = {{1, {0}}, {1, {1}}};
  uint64_t first = cost();
  tree.products.insert(tree.products.end(), {{1, {0}}, {1, {1}}});
  uint64_t pair = cost() - first;
  // One more pair is on a sum that is a constant: all but the first cost that.
  size_t pairs = (work - first - 8) / pair;
  tree.products.clear();
  for (size_t i = 0; i <= pairs; ++i) {
    tree.products.insert(tree.products.end(), {{1, {0}}, {1, {1}}});
  }
  uint64_t rest = work - first - pairs * pair;
  for (; rest % 2 != 0; rest -= 3) {
    tree.products.push_back({1, {2, 2}});
  }
  for (; rest != 0; rest -= 2) {
    tree.products.push_back({1, {2}});
  }
  EXPECT_EQ(refutes(facts, tree, work).work, work);
  return {o, tree};
}

/// Both judges accept what asks for just as much as the limit, and nothing
/// beyond.
static void judgeWorks(const std::vector<uint64_t> &works,
                       const std::vector<bool> &accepted) {
  std::vector<Obligation> all;
  std::vector<Certificate> trees;
  for (uint64_t work : works) {
    auto [o, tree] = costs(work);
    all.push_back(std::move(o));
    trees.push_back(std::move(tree));
  }
  CoqJudgement judgement;
  for (const Certificate &tree : trees) {
    judgement.certificates.push_back(&tree);
  }
  for (const CheckResult &r : judge(all, judgement.certificates)) {
    judgement.expected.push_back(r.accepted);
    EXPECT_EQ(r.reason, r.accepted ? "" : "over the work limit of the judge");
  }
  EXPECT_EQ(judgement.expected, accepted);
  EXPECT_EQ(compileCoq(coqFile(all, std::span(&judgement, 1))), "");
}

/// That each certificate is accepted with its work and not with less, the
/// trials above test; here, that the limits are the same numbers.
TEST(Coq, theLimitsAreTheSame) {
  EXPECT_EQ(compileCoq("From Coq Require Import NArith.\n"
                       "From Girih Require Import Work.\n"
                       "Example one : maxWork = " +
                       std::to_string(maxWork) +
                       "%N.\nProof. reflexivity. Qed.\n"
                       "Example list : maxListWork = " +
                       std::to_string(maxListWork) +
                       "%N.\nProof. reflexivity. Qed.\n"),
            "");
}

// Some 10 s and 30 s: in the preset long alone.
TEST(Limits, bothJudgesHaveOne) {
  judgeWorks({maxWork + 1, maxWork}, {false, true});
}

TEST(Limits, bothJudgesHaveOneOfLists) {
  // What is rejected takes nothing.
  judgeWorks({maxWork, maxWork, maxWork + 1, maxWork, maxWork - 50'000, 50'001,
              50'000, 100'000},
             {true, true, false, true, true, false, true, false});
}

TEST(Coq, theTablesOfDefinitionsAreTheSame) {
  std::string text = "From Coq Require Import ZArith List.\n"
                     "From Girih Require Import Cert Definitions.\n"
                     "Import ListNotations.\nOpen Scope N_scope.\n";
  for (Var v = 0; v < 8; ++v) {
    text += "Definition v" + std::to_string(v) +
            " := " + std::to_string(v + 1) + "%positive.\n";
  }
  auto facts = [](const std::vector<Fact> &all) {
    std::string out;
    for (const Fact &f : all) {
      out += (out.empty() ? "" : "; ") + coqTerm(f);
    }
    return "[" + out + "]";
  };
  int number = 0;
  for (const char *line :
       {"quotient (v0 + 3, v1) -> v2 v3", "quotient (v0*v1, 128) -> v2 v3",
        "quotient (0, 0) -> v2 v3", "quotient (v0) -> v2 v3",
        "quotient (v0, v1) -> v2", "select (v0, v1, 5) -> v2",
        "select (v0 - v1 + 2, v0*v0, v1 - v0) -> v7", "select (v0, v1) -> v2",
        "wrap (v0, 2) -> v1 v2", "wrap (v0*v3 - 7, 32) -> v1 v2",
        "wrap (v0, 64) -> v1 v2", "wrap (v0, 1) -> v1 v2",
        "wrap (v0, 65) -> v1 v2", "wrap (v0, 0) -> v1 v2",
        "wrap (v0, v3) -> v1 v2", "wrap (v0, 8) -> v1",
        "name (v0*v1 - 1) -> v2", "name (0) -> v2", "name (v0, v1) -> v2"}) {
    Definition d =
        obligation(std::string("define ") + line + "\ngoal 0").definitions[0];
    std::string name = "d" + std::to_string(number++);
    text += "Definition " + name + " := " + coqTerm(d) + ".\n";
    text += "Example " + name + "_facts : definitionFacts " + name + " = " +
            facts(definitionFacts(d)) + ".\nProof. reflexivity. Qed.\n";
    text += "Example " + name + "_needs : definitionNeeds " + name + " = " +
            facts(definitionNeeds(d)) + ".\nProof. reflexivity. Qed.\n";
  }
  EXPECT_EQ(compileCoq(text), "");
}
