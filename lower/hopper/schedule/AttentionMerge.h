// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule attention_merge: what attention over splits of the keys leaves,
// to attention over all of them, a small block a query head. Blocks of
// attention leave few registers of a multiprocessor: these fit beside them,
// wait there, and keep no block of the attention behind them from its place.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONMERGE_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONMERGE_H

#include "ir/ops/Tile.h"
#include "lower/hopper/ir/Hopper.h"
#include "lower/hopper/schedule/Misfit.h"

namespace girih::hopper {

/// What the schedule takes from a kernel: names. All else is as in the library.
struct AttentionMerge {
  mlir::StringAttr p, h; ///< splits, heads of queries
  mlir::StringAttr b;    ///< sequences; null of a new token
  mlir::StringAttr g, t; ///< of a new token: heads of the cache, and rows
  int64_t together = 16; ///< splits that are on their way together
  static constexpr int64_t depth = 128; ///< of a head

  bool isOfStep() const { return !b; }

  /// The arguments, in their order; of a new token there are more behind Lse.
  enum Argument : unsigned { Partial, Lse, Mean };
  enum StepArgument : unsigned {
    K = Lse + 1,
    V,
    Position,
    KWeight,
    Cos,
    Sin,
    KCache,
    VCache,
    StepMean,
    Epsilon
  };
  unsigned mean() const {
    return isOfStep() ? unsigned(StepMean) : unsigned(Mean);
  }
};

/// The kernel as a merge of splits: op by op one of the library,
/// proofs/kernels/attention_merge or attention_step_merge, whatever its symbols
/// are called.
std::variant<AttentionMerge, Misfit> matchAttentionMerge(tile::KernelOp kernel);

/// The schedule as an op of its own, at the builder's place. Its arguments are
/// the parameters of the kernel's entry points.
KernelOp buildAttentionMerge(mlir::OpBuilder &builder, tile::KernelOp kernel,
                             const AttentionMerge &merge);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONMERGE_H
