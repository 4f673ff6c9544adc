// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/ir/Hopper.h"

using namespace mlir;
using namespace girih::hopper;

#define GET_OP_CLASSES
#include "lower/hopper/ir/RingOps.cpp.inc"

void WaitOp::build(OpBuilder &builder, OperationState &state, Value ring,
                   Value slot, Value parity) {
  build(builder, state, SlotType::get(builder.getContext()), ring, slot,
        parity);
}

LogicalResult FillOp::verify() {
  Access access = getSource().getType().getAccess();
  if (access == Access::Write || access == Access::Own) {
    return emitOpError("reads memory that the kernel writes");
  }
  return success();
}
