// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether tokens order the accesses of a Tile IR function, found by running it:
// two trips of each loop, either side of each branch. The gate finds it by a
// fixed point over statements about tokens; the two share nothing.

#ifndef GIRIH_FUZZ_CAMPAIGN_TOKENORDER_H
#define GIRIH_FUZZ_CAMPAIGN_TOKENORDER_H

#include "lower/tileir/Module.h"

namespace girih::fuzz {

/// Whether on each path that was tried every two accesses to memory of one
/// parameter, of which one stores or they are of two kinds, have a path of
/// tokens, and each access one from a wait for grids, if there is one. Stores of
/// one op whose index is computed from the counter of the loop around it may
/// need none between its trips: they are not looked at.
bool isOrdered(const tileir::Function &function);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_CAMPAIGN_TOKENORDER_H
