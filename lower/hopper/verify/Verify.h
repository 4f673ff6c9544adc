// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds of a kernel of the dialect before it is lowered. Each function
// refuses with a message at the op that is at fault.

#ifndef GIRIH_LOWER_HOPPER_VERIFY_VERIFY_H
#define GIRIH_LOWER_HOPPER_VERIFY_VERIFY_H

#include "lower/hopper/ir/Hopper.h"

namespace girih::hopper {

/// All of the below, in this order.
mlir::LogicalResult verifyKernel(KernelOp kernel);

/// Only ops that this verifier understands.
mlir::LogicalResult verifyOps(KernelOp kernel);

/// Shared memory and registers are those that a block of sm_90 has.
mlir::LogicalResult verifyBudget(KernelOp kernel);

/// What all warps or all lanes do together stands where all of them come.
mlir::LogicalResult verifyUniform(KernelOp kernel);

/// Before the dependency wait nothing is touched that a grid may write which is
/// not done, and nothing is written.
mlir::LogicalResult verifyDependency(KernelOp kernel);

/// Rings: every wait ends, with its own copy landed; no slot is refilled before
/// its readers are done; no copy outlives the kernel. For every number of
/// items.
mlir::LogicalResult verifyProtocol(KernelOp kernel);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_VERIFY_VERIFY_H
