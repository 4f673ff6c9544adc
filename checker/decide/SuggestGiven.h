// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The preconditions on contents under which a kernel that was not verified is:
// those of a closed list that no small launch breaks are verified, and the
// first that is enough is told.

#ifndef GIRIH_CHECKER_DECIDE_SUGGESTGIVEN_H
#define GIRIH_CHECKER_DECIDE_SUGGESTGIVEN_H

#include "checker/decide/Verify.h"

namespace girih::checker {

/// `given [within(%idx, 0, V)]`: the kernel's own preconditions, then the new,
/// of tensors that open or refuted obligations speak of; for `suggest`. Costs a
/// bounded number of steps, and none where no obligation speaks of a loaded
/// number.
std::optional<std::string> suggestGiven(tile::KernelOp kernel, const Verdict &v,
                                        const VerifyOptions &options);

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_SUGGESTGIVEN_H
