// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule skinny: products of at most 16 rows (skinny GEMM), bound by the
// stream of the weights, which go from memory to the registers that mma.sync
// takes them from.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_SKINNY_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_SKINNY_H

#include "ir/ops/Tile.h"
#include "lower/hopper/ir/Hopper.h"
#include "lower/hopper/schedule/Misfit.h"

namespace girih::hopper {

/// What the schedule takes from a kernel: which of the library's it is, and
/// names. All else is as in the library.
struct Skinny {
  /// A product; both of w[2, N, K], with silu of the first; parts of one.
  enum class Form { Product, Gated, Split };
  /// As x; in f8E4M3FN, with a scale a row; of 4 bits, with a scale for each
  /// row and group, where `k` is the number of groups.
  enum class Weights { AsX, F8, Int4 };
  /// The arguments, in their order. What is stored stands behind them: see `y`.
  enum Argument : unsigned { X, W, Scale };

  Form form = Form::Product;
  int64_t rows = 8; ///< of x, at most: 8 or 16
  mlir::StringAttr m, n, k, p;
  mlir::StringAttr s; ///< of Split
  bool isF16 = false; ///< in f16 where the library's is in bf16
  Weights weights = Weights::AsX;

  static constexpr int64_t tile = 64;     ///< columns that are dealt together
  static constexpr int64_t maxTiles = 40; ///< of a block
  static constexpr int64_t maxSplits = 16;
  static constexpr int64_t maxGroups = 20; ///< of a block
  bool isF8() const { return weights == Weights::F8; }
  bool isInt4() const { return weights == Weights::Int4; }
  unsigned y() const { return weights == Weights::AsX ? 2 : 3; }
  /// Of an element, but of 4 bits.
  int64_t weightBytes() const { return isF8() ? 1 : 2; }
  /// Columns of w that a lane loads at a time.
  int64_t vectorColumns() const { return 16 / weightBytes(); }
  /// Columns of a tile of y.
  int64_t columns() const { return form == Form::Gated ? 8 : 16; }
};

/// The kernel as a product of few rows: op by op one of the library,
/// proofs/kernels/skinny.cpp, whatever its symbols are called.
std::variant<Skinny, Misfit> matchSkinny(tile::KernelOp kernel);

/// The schedule as an op of its own, at the builder's place. Its arguments are
/// the parameters of the kernel's entry points.
KernelOp buildSkinny(mlir::OpBuilder &builder, tile::KernelOp kernel,
                     const Skinny &skinny);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_SKINNY_H
