// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/ir/Hopper.h"

using namespace mlir;
using namespace girih::hopper;

#define GET_OP_CLASSES
#include "lower/hopper/ir/BlockOps.cpp.inc"

LogicalResult LoadOp::verify() {
  if (cast<GlobalType>(getMemory().getType()).getAccess() == Access::Write) {
    return emitOpError("reads memory that the kernel writes");
  }
  return success();
}

LogicalResult StoreOp::verify() {
  if (cast<GlobalType>(getMemory().getType()).getAccess() != Access::Write) {
    return emitOpError("writes memory that the kernel reads");
  }
  return success();
}
