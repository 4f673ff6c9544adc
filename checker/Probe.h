// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with an obligation that nothing proved and no model refuted is run
// at the edges of its tiles: most mistakes show there.

#ifndef GIRIH_CHECKER_PROBE_H
#define GIRIH_CHECKER_PROBE_H

#include "checker/Replay.h"

namespace girih::checker {

/// A run at some small launch that breaks the rule of an open obligation, or
/// nothing. Costs a bounded number of the executor's steps.
std::optional<Counterexample> probe(tile::KernelOp kernel, const Verdict &v,
                                    Width width);

} // namespace girih::checker

#endif // GIRIH_CHECKER_PROBE_H
