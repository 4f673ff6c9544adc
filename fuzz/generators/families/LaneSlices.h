// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose lanes are taken apart and put together in another order on
// their way to gathers, scatters and atomic scatters.

#ifndef GIRIH_FUZZ_GENERATORS_FAMILIES_LANESLICES_H
#define GIRIH_FUZZ_GENERATORS_FAMILIES_LANESLICES_H

#include "fuzz/generators/Generator.h"

namespace girih::fuzz {

/// Safe by construction.
Sample laneSlices(uint64_t seed);

/// The mistakes that can be made in that kernel, by name. Each breaks it for
/// some launch and contents that the contract admits.
std::vector<std::string> sliceMistakes(uint64_t seed);

/// The same kernel with one of them, by its place in the list.
Sample laneSlices(uint64_t seed, size_t mistake);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_FAMILIES_LANESLICES_H
