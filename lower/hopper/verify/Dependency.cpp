// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programmatic dependent launch: a block may start while grids before it still
// run. Until its dependency wait it sees only what none of them writes.

#include "lower/hopper/verify/Verify.h"

using namespace mlir;

namespace girih::hopper {

/// Refuses what op, or an op in it, does to memory that is still in use.
static LogicalResult refuseUse(Operation *op) {
  WalkResult walked = op->walk([](Operation *inner) {
    Value memory;
    if (auto load = dyn_cast<LoadOp>(inner)) {
      memory = load.getMemory();
    } else if (auto masked = dyn_cast<MaskedLoadOp>(inner)) {
      memory = masked.getMemory();
    } else if (auto fill = dyn_cast<FillOp>(inner)) {
      memory = fill.getSource();
    } else if (isa<StoreOp, MaskedStoreOp>(inner)) {
      inner->emitOpError("writes before the dependency wait what a grid that "
                         "is not done may use");
      return WalkResult::interrupt();
    }
    if (memory &&
        cast<GlobalType>(memory.getType()).getAccess() != Access::Early) {
      inner->emitOpError("reads before the dependency wait what a grid that is "
                         "not done may write: ")
          << memory.getType();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

LogicalResult verifyDependency(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  auto waits = llvm::to_vector(body.getOps<BeforeDependencyOp>());
  if (waits.size() > 1) {
    return waits[1].emitOpError("is the second dependency wait of the kernel");
  }
  if (waits.empty()) {
    // The grid behind it waits for this one alone: it would not see whether
    // those before are done.
    for (TriggerOp trigger : body.getOps<TriggerOp>()) {
      return trigger.emitOpError(
          "stands in a kernel that waits for no grid before it");
    }
    return success();
  }
  for (Operation &op : body) {
    if (failed(refuseUse(&op))) {
      return failure();
    }
    if (isa<BeforeDependencyOp>(op)) {
      return success();
    }
  }
  return success();
}

} // namespace girih::hopper
