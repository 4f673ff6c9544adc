// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that combine lanes with elements of an atomic tensor: histograms and
// sums of rows, whose places are computed or come from memory.

#ifndef GIRIH_FUZZ_GENERATORS_ATOMICLANES_H
#define GIRIH_FUZZ_GENERATORS_ATOMICLANES_H

#include "fuzz/generators/Generator.h"

namespace girih::fuzz {

/// Safe by construction.
Sample atomicLanes(uint64_t seed);

/// The mistakes that can be made in that kernel, by name. Each breaks it for
/// some launch and contents that the contract admits.
std::vector<std::string> atomicMistakes(uint64_t seed);

/// The same kernel with one of them, by its place in the list.
Sample atomicLanes(uint64_t seed, size_t mistake);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_ATOMICLANES_H
