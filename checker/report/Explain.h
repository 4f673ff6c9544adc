// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules, as `tile-verify --explain` tells of them.

#ifndef GIRIH_CHECKER_REPORT_EXPLAIN_H
#define GIRIH_CHECKER_REPORT_EXPLAIN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace girih::checker {

/// Every rule with what it demands, a line each.
void listRules(llvm::raw_ostream &os);

/// One rule: what it demands, how it is met, a kernel that breaks it, and what
/// its verified twin does otherwise. False when there is no such rule.
bool explainRule(llvm::StringRef name, llvm::raw_ostream &os);

/// The rules whose names are most like `name`, at most three: "a, b or c".
/// Empty when none is.
std::string similarRules(llvm::StringRef name);

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_EXPLAIN_H
