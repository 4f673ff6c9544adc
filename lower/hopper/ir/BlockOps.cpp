// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/ir/Hopper.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace girih::hopper;

#define GET_OP_CLASSES
#include "lower/hopper/ir/BlockOps.cpp.inc"

static LogicalResult refuseRead(Operation *op, Value memory) {
  if (cast<GlobalType>(memory.getType()).getAccess() == Access::Write) {
    return op->emitOpError("reads memory that the kernel writes");
  }
  return success();
}

static LogicalResult refuseWrite(Operation *op, Value memory) {
  Access access = cast<GlobalType>(memory.getType()).getAccess();
  if (access != Access::Write && access != Access::Own) {
    return op->emitOpError("writes memory that the kernel reads");
  }
  return success();
}

/// One instruction moves no more, and whole words, or half of one.
static LogicalResult refuseWidth(Operation *op, Type type, bool isHalfTaken) {
  auto vector = cast<VectorType>(type);
  int64_t bits = vector.getNumElements() * vector.getElementTypeBitWidth();
  if (vector.getRank() != 1 || ((bits != 16 || !isHalfTaken) && bits != 32 &&
                                bits != 64 && bits != 128)) {
    return op->emitOpError("moves ") << (isHalfTaken ? "2, " : "")
                                     << "4, 8 or 16 bytes a lane, not " << type;
  }
  return success();
}

LogicalResult LoadOp::verify() { return refuseRead(*this, getMemory()); }

LogicalResult PrefetchOp::verify() { return refuseRead(*this, getMemory()); }

LogicalResult StoreOp::verify() { return refuseWrite(*this, getMemory()); }

LogicalResult MaskedLoadOp::verify() {
  return success(succeeded(refuseRead(*this, getMemory())) &&
                 succeeded(refuseWidth(*this, getValue().getType(), true)));
}

LogicalResult MaskedStoreOp::verify() {
  return success(succeeded(refuseWrite(*this, getMemory())) &&
                 succeeded(refuseWidth(*this, getValue().getType(), false)));
}

LogicalResult MmaOp::verify() {
  constexpr size_t ofLeft = 4, ofRight = 2;
  if (getLeft().size() != ofLeft || getRight().size() != ofRight) {
    return emitOpError("takes four words of the left matrix and two of the "
                       "right one");
  }
  return success();
}

static LogicalResult refuseBits(Operation *op, ArrayRef<int64_t> bits) {
  int64_t seen = 0;
  for (int64_t bit : bits) {
    if (bit < 1 || bit >= lanes || !llvm::isPowerOf2_64(bit) || (seen & bit)) {
      return op->emitOpError("takes bits of a lane's number, each once");
    }
    seen |= bit;
  }
  return success();
}

LogicalResult GroupSumOp::verify() { return refuseBits(*this, getBits()); }

LogicalResult GroupMaxOp::verify() { return refuseBits(*this, getBits()); }
