// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/verify/Verify.h"

using namespace mlir;

namespace girih::hopper {

LogicalResult verifyOps(KernelOp kernel) {
  WalkResult walked = kernel.getBody().walk([](Operation *op) {
    bool isKnown =
        isa<HopperDialect, arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        isa<scf::ForOp, scf::IfOp, scf::YieldOp, vector::BitCastOp,
            vector::BroadcastOp, vector::ExtractOp, vector::FromElementsOp>(op);
    if (!isKnown) {
      op->emitError() << op->getName() << " is no op of a hopper kernel";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

LogicalResult verifyKernel(KernelOp kernel) {
  return success(
      succeeded(verifyOps(kernel)) && succeeded(verifyBudget(kernel)) &&
      succeeded(verifyUniform(kernel)) && succeeded(verifyDependency(kernel)) &&
      succeeded(verifyProtocol(kernel)));
}

} // namespace girih::hopper
