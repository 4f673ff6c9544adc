// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of Rules.def as an enumeration: code asks for a rule by its
// enumerator and writes or reads its name only where text leaves or enters.

#ifndef GIRIH_SPEC_RULE_H
#define GIRIH_SPEC_RULE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace girih {

/// In the order of Rules.def.
enum class Rule : uint8_t {
#define RULE(id, name, text) id,
#include "spec/Rules.def"
};

inline constexpr size_t ruleCount = 0
#define RULE(id, name, text) +1
#include "spec/Rules.def"
    ;

/// Its name in text: "claim.bounds".
const char *ruleName(Rule rule);

/// What it says.
const char *ruleText(Rule rule);

/// The rule of a name; nothing when there is none.
std::optional<Rule> ruleNamed(std::string_view name);

/// Each rule once, in the order of Rules.def.
const std::array<Rule, ruleCount> &allRules();

} // namespace girih

#endif // GIRIH_SPEC_RULE_H
