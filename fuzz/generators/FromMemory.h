// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose indices come from memory: loaded, gathered, a lane of a tile,
// or read back after a store. Whether one is safe hangs on what lies there, so
// that a mistake shows at few contents.

#ifndef GIRIH_FUZZ_GENERATORS_FROMMEMORY_H
#define GIRIH_FUZZ_GENERATORS_FROMMEMORY_H

#include "fuzz/generators/Generator.h"

namespace girih::fuzz {

/// Safe by construction.
Sample fromMemory(uint64_t seed);

/// The mistakes that can be made in that kernel, by name. Each breaks it for
/// some contents that the contract admits.
std::vector<std::string> memoryMistakes(uint64_t seed);

/// The same kernel with one of them, by its place in the list.
Sample fromMemory(uint64_t seed, size_t mistake);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_FROMMEMORY_H
