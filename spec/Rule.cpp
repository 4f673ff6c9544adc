// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spec/Rule.h"

namespace girih {

const char *ruleName(Rule rule) {
  switch (rule) {
#define RULE(id, name, text)                                                   \
  case Rule::id:                                                               \
    return name;
#include "spec/Rules.def"
  }
  return "";
}

const char *ruleText(Rule rule) {
  switch (rule) {
#define RULE(id, name, text)                                                   \
  case Rule::id:                                                               \
    return text;
#include "spec/Rules.def"
  }
  return "";
}

std::optional<Rule> ruleNamed(std::string_view name) {
  for (Rule rule : allRules()) {
    if (name == ruleName(rule)) {
      return rule;
    }
  }
  return std::nullopt;
}

const std::array<Rule, ruleCount> &allRules() {
  static constexpr std::array<Rule, ruleCount> all = {
#define RULE(id, name, text) Rule::id,
#include "spec/Rules.def"
  };
  return all;
}

} // namespace girih
