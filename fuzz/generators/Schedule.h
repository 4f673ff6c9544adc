// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways in which blocks share the tiles of a written tensor, each of them right,
// with the mistakes that people make in it.

#ifndef GIRIH_FUZZ_GENERATORS_SCHEDULE_H
#define GIRIH_FUZZ_GENERATORS_SCHEDULE_H

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

/// Extends the grid, opens the loops and branches around the body of a kernel
/// and returns the tile index on each axis of the written tensor. With `covers`
/// every tile has its turn; without, some may be left out. What was opened is
/// left open.
std::vector<std::string> writeSchedule(Writer &w, Draw &d, const Tensor &t,
                                       bool covers);

/// A second tile of the same block, or nothing: two claims in two halves.
struct Halves {
  std::vector<std::string> first, second;
};
Halves writeHalves(Writer &w, Draw &d, const Tensor &t);

/// The number of tiles along an axis, in one of the ways to write it.
std::string writeCount(Writer &w, Draw &d, const Tensor &t, size_t axis);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_SCHEDULE_H
