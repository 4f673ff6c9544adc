// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of tiles through chains of views at random, and outputs that
// stores to every so many-th element cover together.

#ifndef GIRIH_FUZZ_GENERATORS_FAMILIES_TILESOFVIEWS_H
#define GIRIH_FUZZ_GENERATORS_FAMILIES_TILESOFVIEWS_H

#include "fuzz/generators/Generator.h"

namespace girih::fuzz {

/// Only the box can tell whether it is safe.
Sample tilesOfViews(uint64_t seed);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_FAMILIES_TILESOFVIEWS_H
