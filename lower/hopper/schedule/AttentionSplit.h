// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule attention_split: attention of one new query a sequence over a
// cache whose keys are dealt to P splits, a block for each of them and each
// head of the cache. Keys and values go from memory to the registers that
// mma.sync takes them from, at the speed of memory.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONSPLIT_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONSPLIT_H

#include "ir/ops/Tile.h"
#include "lower/hopper/ir/Hopper.h"
#include "lower/hopper/schedule/Misfit.h"

namespace girih::hopper {

/// What the schedule takes from a kernel: names. All else is as in the library.
struct AttentionSplit {
  /// Sequences, heads of the cache, queries of each, rows, splits, keys; of
  /// pages there are no rows and keys, in one split there are no splits.
  mlir::StringAttr b, g, r, t, p, l;
  mlir::StringAttr n, m; ///< pages, and of a sequence in the table
  static constexpr int64_t depth = 128;     ///< of a head
  static constexpr int64_t maxQueries = 16; ///< that share a head of the cache
  static constexpr int64_t tile = 256;      ///< keys that are dealt together
  static constexpr int64_t page = 64;       ///< in pages: keys of one

  bool isPaged() const { return bool(m); }
  bool isWhole() const { return !p; }
  /// How many keys are dealt together.
  int64_t dealt() const { return isPaged() ? page : tile; }

  /// The arguments, in their order; behind V those of pages, then the result,
  /// of splits with the logarithms of weights, and the scale.
  enum Argument : unsigned { Q, K, V, Table, Lengths };
  unsigned result() const { return isPaged() ? Lengths + 1 : V + 1; }
  unsigned lse() const { return result() + 1; } ///< of splits
  unsigned scale() const { return isWhole() ? result() + 1 : lse() + 1; }
};

/// The kernel as attention of one query over a cache: op by op one of the
/// library, proofs/kernels/attention_decode_gqa_split, attention_decode_paged
/// or attention_decode_paged_whole, whatever its symbols are called.
std::variant<AttentionSplit, Misfit> matchAttentionSplit(tile::KernelOp kernel);

/// The schedule as an op of its own, at the builder's place. Its arguments are
/// the parameters of the kernel's entry points.
KernelOp buildAttentionSplit(mlir::OpBuilder &builder, tile::KernelOp kernel,
                             const AttentionSplit &split);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONSPLIT_H
