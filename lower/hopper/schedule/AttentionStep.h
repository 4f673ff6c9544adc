// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule attention_step: what stands between the projections of one new
// token and that of its attention, a block for each head of the cache, or for
// each split of its keys. Keys and values go from memory to the registers that
// mma.sync takes them from.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONSTEP_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONSTEP_H

#include "ir/ops/Tile.h"
#include "lower/hopper/ir/Hopper.h"
#include "lower/hopper/schedule/Misfit.h"

namespace girih::hopper {

/// What the schedule takes from a kernel: names. All else is as in the library.
struct AttentionStep {
  /// The arguments, in their order.
  enum Argument : unsigned {
    Q,
    K,
    V,
    Position,
    QWeight,
    KWeight,
    Cos,
    Sin,
    KCache,
    VCache,
    Y,
    Partial = Y, ///< in splits
    Lse
  };
  mlir::StringAttr g, r, t; ///< heads of the cache, queries of each, rows
  mlir::StringAttr p;       ///< splits; null of the kernel without
  static constexpr int64_t depth = 128;    ///< of a head
  static constexpr int64_t maxQueries = 8; ///< that share a head of the cache
  static constexpr int64_t tile = 128;     ///< keys that are dealt together
};

/// The kernel as attention of one new token: op by op one of the library,
/// proofs/kernels/attention_step or attention_step_split, whatever its symbols
/// are called.
std::variant<AttentionStep, Misfit> matchAttentionStep(tile::KernelOp kernel);

/// The schedule as an op of its own, at the builder's place. Its arguments are
/// the parameters of the kernel's entry points.
KernelOp buildAttentionStep(mlir::OpBuilder &builder, tile::KernelOp kernel,
                            const AttentionStep &step);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_ATTENTIONSTEP_H
