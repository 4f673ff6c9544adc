// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule GEMV: y[N] of w[N, K] x[K], by P persistent blocks, each of
// which takes every P-th tile of rows. Eight warps share a tile: each has one
// of its rows, and of that row one slice of K, which it streams through a ring
// of its own. x stands in shared memory; what the slices of a row give is added
// there. What is stored of a row is computed from its sum, or from those of the
// same row of two matrices, w[2, N, K]; x may be that of a norm. Weights of 4
// bits are bytes, w[N, G, 64], of G groups of 128 columns each, with a scale
// for each row and group; then x is [G, 2, 64], and tensor cores multiply.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_GEMV_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_GEMV_H

#include "ir/ops/Tile.h"
#include "lower/hopper/ir/Hopper.h"
#include "lower/hopper/schedule/Misfit.h"

#include <optional>

namespace girih::hopper {

/// Bytes that a lane reads of a row of w at a time.
constexpr int64_t vectorBytes = 16;

/// Weights of 4 bits: columns that share a scale, and bytes of them. Byte j has
/// column j in its low half and column j + 64 in its high one.
constexpr int64_t groupColumns = 128, groupBytes = groupColumns / 2;

/// Of a block.
constexpr int64_t gemvWarps = 8;

/// What the schedule takes from a kernel.
struct Gemv {
  unsigned w = 0, x = 0, y = 0; ///< the arguments
  /// Elements of x are multiplied with those of this argument, [K], and
  /// rounded.
  std::optional<unsigned> gain;
  /// Of weights of 4 bits: the argument [N, G] in bf16, or that of both
  /// matrices.
  std::optional<unsigned> scale;
  mlir::StringAttr n, k, p; ///< launch symbols; of 4 bits k is G
  int64_t rows = 0;         ///< of a tile, in each matrix
  int64_t matrices = 1;     ///< 1 or 2
  /// Of an element of w, of two bytes or f8E4M3FN; of 4 bits of a group.
  int64_t weightBytes = 2;
  bool isF16 = false;    ///< elements of two bytes are f16, and not bf16
  int64_t depthStep = 8; ///< the contract makes K a multiple of it
  int64_t maxK = 0;
  int64_t slots = 8; ///< of a ring
  /// Of a slot: long enough for the memory to be busy, and short enough for
  /// rows of a few thousand elements.
  int64_t slotBytes = 2560;
  /// By matrix: the sums of a tile's rows.
  mlir::SmallVector<mlir::Value> sums;
  /// The sum of the squares of x, if anything needs it.
  mlir::Value squares;
  /// Of each row, from its sums and elements of tensors [N].
  mlir::Value stored;

  /// Rows that the warps of a block have at a time.
  int64_t warpRows() const { return rows * matrices; }
  /// Warps that share a row.
  int64_t slices() const { return gemvWarps / warpRows(); }
  bool isInt4() const { return weightBytes == groupBytes; }
  /// Whether it is that of x, and of all that has two bytes.
  bool isNarrow(mlir::Type element) const {
    return isF16 ? element.isF16() : element.isBF16();
  }
  /// What a slice of a row is a multiple of: elements of k, and vectors of w.
  int64_t stepVectors() const {
    return isInt4() ? groupBytes / vectorBytes : 1;
  }
  /// Elements of x that go with one of k.
  int64_t columns() const { return isInt4() ? groupColumns : 1; }
};

/// The kernel as a product that the schedule computes.
std::variant<Gemv, Misfit> matchGemv(tile::KernelOp kernel);

/// What is loaded, a row at a time, for what is stored.
mlir::SmallVector<tile::LoadOp> loadsByRow(mlir::Value stored);

/// The schedule as an op of its own, at the builder's place. Its arguments are
/// the parameters of the kernel's entry points.
KernelOp buildGemv(mlir::OpBuilder &builder, tile::KernelOp kernel,
                   const Gemv &gemv);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_GEMV_H
