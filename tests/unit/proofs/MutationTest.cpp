// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge against an independent one, on every mutant of every certificate.

#include "Build.h"
#include "Mutate.h"
#include "Reference.h"

#include <algorithm>
#include <set>

using namespace girih::proofs;
using namespace girih::proofs::test;

static void kindsIn(const Certificate &c, std::set<Certificate::Kind> &kinds) {
  kinds.insert(c.kind);
  for (const Certificate &child : c.children) {
    kindsIn(child, kinds);
  }
}

TEST(Mutation, theCorpusIsAcceptedAndHasEveryKindOfNode) {
  std::set<Certificate::Kind> kinds;
  for (const Exhibit &e : exhibits(handWritten())) {
    CheckResult r = refutes(e.facts, e.tree);
    EXPECT_TRUE(r.accepted) << e.name << ": " << r.reason;
    EXPECT_TRUE(referenceRefutes(e.facts, e.tree)) << e.name;
    kindsIn(e.tree, kinds);
  }
  EXPECT_EQ(kinds.size(), 5u);
}

TEST(Mutation, handWrittenObligationsAreProvedAsAList) {
  Docket d = handWritten().at(0);
  ASSERT_GE(d.obligations.size(), 13u);
  std::vector<const Certificate *> trees;
  for (const Certificate &tree : d.trees) {
    trees.push_back(&tree);
  }
  for (const CheckResult &r : judge(d.obligations, trees)) {
    EXPECT_EQ(r.reason, "");
  }
  std::rotate(trees.begin(), trees.begin() + 1, trees.end());
  for (const CheckResult &r : judge(d.obligations, trees)) {
    EXPECT_FALSE(r.accepted);
  }
}

TEST(Mutation, theJudgeAgreesWithTheReference) {
  size_t total = 0, accepted = 0;
  std::vector<Exhibit> corpus = exhibits(handWritten());
  for (size_t i = 0; i < corpus.size(); ++i) {
    for (const Exhibit &e : mutants(corpus, i, Extent::Every)) {
      CheckResult r = refutes(e.facts, e.tree);
      ASSERT_EQ(r.accepted, referenceRefutes(e.facts, e.tree))
          << e.name << "\n"
          << print(e.tree) << "\n"
          << r.reason;
      ++total;
      accepted += r.accepted;
    }
  }
  RecordProperty("mutants", int(total));
  RecordProperty("accepted", int(accepted));
  EXPECT_GE(total, 3000u);
  EXPECT_GE(accepted, 100u); // agreement on acceptance is seen as well
  EXPECT_GE(total - accepted, 2000u);
}
