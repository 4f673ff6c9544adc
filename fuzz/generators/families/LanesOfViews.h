// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers, scatters and atomic scatters through chains of views at random.

#ifndef GIRIH_FUZZ_GENERATORS_FAMILIES_LANESOFVIEWS_H
#define GIRIH_FUZZ_GENERATORS_FAMILIES_LANESOFVIEWS_H

#include "fuzz/generators/Generator.h"

namespace girih::fuzz {

/// Only the box can tell whether it is safe.
Sample lanesOfViews(uint64_t seed);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_FAMILIES_LANESOFVIEWS_H
