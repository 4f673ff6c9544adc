// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of spec/Rules.def as an enumeration.

#include "spec/Rule.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using namespace girih;

TEST(Rule, IsFoundByItsNameAlone) {
  std::set<std::string> names;
  for (Rule rule : allRules()) {
    EXPECT_EQ(ruleNamed(ruleName(rule)), rule) << ruleName(rule);
    EXPECT_STRNE(ruleText(rule), "");
    names.insert(ruleName(rule));
  }
  EXPECT_EQ(names.size(), ruleCount);
  for (const char *none : {"", "claim", "claim.bound", "claim.bounds ",
                           "Claim.bounds", "ClaimBounds"}) {
    EXPECT_FALSE(ruleNamed(none)) << none;
  }
}

// Formats index their tables of rules by the number of the enumerator.
TEST(Rule, HasTheNumberOfItsPlace) {
  for (size_t i = 0; i < ruleCount; ++i) {
    EXPECT_EQ(static_cast<size_t>(allRules()[i]), i);
  }
  EXPECT_STREQ(ruleName(Rule::ClaimBounds), "claim.bounds");
  EXPECT_STREQ(ruleText(Rule::LoopStep), "the step of a loop is at least 1");
}
