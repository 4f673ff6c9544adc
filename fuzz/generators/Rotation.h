// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles taken in an order that a number decides. Whoever is to write a tile is
// known when the launch fixes the number; when it is loaded or carried by a
// loop, each of its values may leave every tile its turn and yet two trips, or
// two blocks, may find different ones.

#ifndef GIRIH_FUZZ_GENERATORS_ROTATION_H
#define GIRIH_FUZZ_GENERATORS_ROTATION_H

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

/// One block goes through the tiles 0 to n - 1 of an axis; opens the loop and
/// returns the index.
std::string writeRotatedLoop(Writer &w, Draw &d, const std::string &n);

/// Block number `b` of n takes the tile that its turn gives it.
std::string writeRotatedBlock(Writer &w, Draw &d, const std::string &b,
                              const std::string &n);

/// One tile of the n, any one: which, is read from memory. Opens a branch, for
/// there may be none.
std::string writePicked(Writer &w, Draw &d, const std::string &n);

/// An index that is read from memory: element `at` modulo a few of a shared
/// tensor of integers.
std::string loadNumber(Writer &w, const std::string &at,
                       const std::string &type = "i32");

/// The tile that a turn by `number` makes of tile `t` of n: in one of the ways
/// in which every t has another for every number.
std::string rotated(Writer &w, Draw &d, const std::string &number,
                    const std::string &t, const std::string &n);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_TURN_H
