// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order the blocks of a launch run.

#ifndef GIRIH_SPEC_EXECUTOR_MACHINE_SCHEDULE_H
#define GIRIH_SPEC_EXECUTOR_MACHINE_SCHEDULE_H

#include "spec/executor/machine/Machine.h"

namespace girih::exec {

/// The k-th number of a permutation of 0..count-1 that depends on the seed,
/// without storing it.
int64_t permuted(int64_t k, int64_t count, uint64_t seed);

/// Runs `count` blocks; `blockAt` gives the number of the k-th in sequential
/// order. Stops early when the world does.
void runBlocks(World &world, int64_t count,
               llvm::function_ref<int64_t(int64_t)> blockAt);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_MACHINE_SCHEDULE_H
