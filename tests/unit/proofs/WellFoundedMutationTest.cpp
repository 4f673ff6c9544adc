// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge's walk over hypotheses against a plain one, on a list of
// obligations and all its mutants.

#include "Build.h"
#include "MutateList.h"
#include "Reference.h"

using namespace girih::proofs;
using namespace girih::proofs::test;

TEST(WellFoundedMutation, theOriginalIsWellFounded) {
  std::vector<Obligation> all = soundList();
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(wellFounded(all, i).reason, "") << i;
    EXPECT_TRUE(referenceWellFounded(all, i)) << i;
  }
}

TEST(WellFoundedMutation, theJudgeAgreesWithTheReference) {
  size_t accepted = 0, rejected = 0;
  for (const std::vector<Obligation> &all : changesOf(soundList())) {
    for (size_t i = 0; i < all.size(); ++i) {
      CheckResult r = wellFounded(all, i);
      ++(r.accepted ? accepted : rejected);
      ASSERT_EQ(r.accepted, referenceWellFounded(all, i))
          << "obligation " << i << ": " << r.reason << "\n"
          << print(all[i]);
    }
  }
  RecordProperty("accepted", int(accepted));
  RecordProperty("rejected", int(rejected));
  EXPECT_GE(rejected, 800u);
}
