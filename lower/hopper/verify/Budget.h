// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a block of sm_90 has, and where what a kernel asks for stands in it.

#ifndef GIRIH_LOWER_HOPPER_VERIFY_BUDGET_H
#define GIRIH_LOWER_HOPPER_VERIFY_BUDGET_H

#include "lower/hopper/ir/Hopper.h"

namespace girih::hopper {

/// Bytes of shared memory that a block may have, and those of an mbarrier.
inline constexpr int64_t maxSharedBytes = 232448, barrierBytes = 8;
/// Registers of a multiprocessor, and those that one thread may have.
inline constexpr int64_t maxRegisters = 65536, maxThreadRegisters = 255;

/// Offsets into the block's shared memory, in bytes.
struct SharedPlan {
  /// Of a ring: its slots, warp by warp; of other memory: itself.
  llvm::DenseMap<mlir::Operation *, int64_t> memory;
  /// Of a ring: its barriers of 8 bytes, warp by warp.
  llvm::DenseMap<mlir::Operation *, int64_t> barriers;
  int64_t bytes = 0;
};

SharedPlan planShared(KernelOp kernel);

/// Registers that a thread needs at least, as values are live in the text.
int64_t liveRegisters(KernelOp kernel);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_VERIFY_BUDGET_H
