// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule rows: each block has one row, or a few, of tensors [M, N], and
// each row one tile. A row is loaded once, 16 bytes a lane at a time, all of it
// before the first use, and stays in registers until it is stored. Reductions
// go through a warp's lanes, then through shared memory, with one barrier each.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_ROWS_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_ROWS_H

#include "ir/ops/Tile.h"
#include "lower/hopper/ir/Hopper.h"
#include "lower/hopper/schedule/Misfit.h"

namespace girih::hopper {

/// What the schedule takes from a kernel.
struct Rows {
  mlir::StringAttr m, n;                      ///< launch symbols
  mlir::SmallVector<mlir::Attribute> pitches; ///< of rows, symbols
  int64_t rows = 1;          ///< of a tile, each with warps of its own
  int64_t columns = 0;       ///< of a tile
  int64_t warps = 0;         ///< of a block
  int64_t registers = 0;     ///< of a thread, at most
  int64_t width = 0;         ///< elements that a lane has side by side
  bool isStreamed = false;   ///< what is stored is not read soon
  bool isEveryRowIn = false; ///< no tile reaches behind the last row
  /// What is computed, in order: ops of the kernel that have a meaning for
  /// lanes, loads and stores among them.
  mlir::SmallVector<mlir::Operation *> ops;

  int64_t rowWarps() const { return warps / rows; }
  /// Vectors of `width` elements that a lane has of a row.
  int64_t vectors() const { return columns / (rowWarps() * lanes * width); }
};

/// The kernel as what is computed of each row for itself.
std::variant<Rows, Misfit> matchRows(tile::KernelOp kernel);

/// The schedule as an op of its own, at the builder's place. Its arguments are
/// the parameters of the kernel's entry points.
KernelOp buildRows(mlir::OpBuilder &builder, tile::KernelOp kernel,
                   const Rows &rows);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_ROWS_H
