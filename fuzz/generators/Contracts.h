// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random contracts, many of which no launch meets, and an enumeration of
// launches and contents that says whether one does: it shares no code with the
// checker and none with the executor.

#ifndef GIRIH_FUZZ_GENERATORS_CONTRACTS_H
#define GIRIH_FUZZ_GENERATORS_CONTRACTS_H

#include "fuzz/generators/Generator.h"
#include "ir/ops/Tile.h"

#include <map>

namespace girih::fuzz {

/// A kernel of few statements under facts about contents that contradict each
/// other, the element type or the extents as often as not. At an index of 64
/// bits extents are at times forced to be large. The box has a launch that
/// meets the contract if there is any.
Sample contractKernel(uint64_t seed, unsigned width);

/// Whether the contract admits a launch: its symbols, and contents that keep
/// what is given. Elements do not share memory.
bool admits(tile::KernelOp kernel,
            const std::map<std::string, int64_t> &symbols, unsigned width);

/// Whether it admits one of the box with every extent and the grid at least 1.
bool isSatisfiable(tile::KernelOp kernel, const Box &box, unsigned width);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_CONTRACTS_H
