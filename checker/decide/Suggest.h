// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch condition under which a kernel that was not verified is: a closed
// list of conditions is tried, and what is told was verified like any kernel.

#ifndef GIRIH_CHECKER_DECIDE_SUGGEST_H
#define GIRIH_CHECKER_DECIDE_SUGGEST_H

#include "checker/decide/Verify.h"

namespace girih::checker {

struct Suggestion {
  /// `requires [N >= 1, M <= K]`: the kernel's own conditions, then the new; or
  /// `given [within(%t, 0, V)]`, likewise.
  std::string clause;
  /// `M * N <= 2147483647` when a launch just beyond it faults; or empty.
  std::string bound;
};

/// The first of the list, weakest first, under which every obligation of the
/// kernel is proved. Conditions are ordered by how many of the smallest
/// launches they admit, then as Conditions.h makes them; a bound of a size is
/// made as large as it can be proved for, and one of 1 is not worth a word.
/// Where there is none, preconditions on contents are tried (SuggestGiven.h).
/// Costs a bounded number of steps, and none where none are to be had.
std::optional<Suggestion> suggest(tile::KernelOp kernel, const Verdict &v,
                                  const VerifyOptions &options);

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_SUGGEST_H
