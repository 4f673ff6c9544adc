// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the launch of a counterexample again.

#ifndef GIRIH_FUZZ_CAMPAIGN_REPLAY_H
#define GIRIH_FUZZ_CAMPAIGN_REPLAY_H

#include "checker/decide/Verify.h"

namespace girih::fuzz {

/// Whether the launch of a counterexample breaks its rule again, at an index of
/// `width` bits.
bool replays(tile::KernelOp kernel, const checker::Counterexample &c,
             unsigned width);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_CAMPAIGN_REPLAY_H
