// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which obligation a fault breaks. One statement has several of one rule, of
// an index that it is not too small and not too large; a run shows that the
// rule is broken, the numbers of the run show which half.

#ifndef GIRIH_CHECKER_DECIDE_BLAME_H
#define GIRIH_CHECKER_DECIDE_BLAME_H

#include "checker/decide/Verify.h"

namespace girih::checker {

/// Whether a fault breaks the rule of the obligation, at its place.
bool isAbout(const exec::Fault &f, const Vc &o);

/// Of obligations that a fault is about, by number and at least one, the one
/// that is false in the launch and block of the fault; the first where that
/// cannot be told. `search` may be null; it is asked for values that the fault
/// does not name.
size_t blamed(const Counterexample &c, const Verdict &v,
              llvm::ArrayRef<size_t> candidates, const search::Api *search);

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_BLAME_H
