// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a while may hold beyond what its upstream verifier asks.

#include "ir/ops/ClosedOps.h"
#include "ir/ops/Ops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace girih::tile;

#define GET_OP_CLASSES
#include "ir/ops/LoopOps.cpp.inc"

/// Whether an op stands in the condition region of a while.
static bool isInCondition(Operation *op) {
  auto loop = dyn_cast_or_null<scf::WhileOp>(op->getParentOp());
  return loop && op->getParentRegion() == &loop.getBefore();
}

LogicalResult InvariantOp::verify() {
  if (isInCondition(*this)) {
    return success();
  }
  return emitOpError() << "stands in the condition region of an scf.while";
}

LogicalResult MeasureOp::verify() {
  if (isInCondition(*this) &&
      isa_and_present<scf::ConditionOp>((*this)->getNextNode())) {
    return success();
  }
  return emitOpError() << "stands in the condition region of an scf.while, "
                          "last before the scf.condition";
}

/// What decides whether a loop goes on touches no memory and has one way
/// through.
static LogicalResult verifyInCondition(Operation &op) {
  if (isa<InvariantOp, MeasureOp, scf::ConditionOp>(op)) {
    return success();
  }
  bool givesValues = llvm::none_of(op.getResultTypes(), [](Type type) {
    return isa<PartitionType, TileTensorType, PieceType>(type);
  });
  if (!isa<ApplyOp>(op) && isMemoryEffectFree(&op) && op.getNumRegions() == 0 &&
      givesValues) {
    return success();
  }
  return op.emitError() << op.getName()
                        << " has no place in the condition region of an "
                           "scf.while, which holds pure ops on values, "
                           "tile.invariant and one tile.measure";
}

LogicalResult girih::tile::verifyWhile(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  if (!loop.getBefore().hasOneBlock() || !loop.getAfter().hasOneBlock()) {
    return op->emitError() << "regions have one block";
  }
  Block &condition = loop.getBefore().front();
  for (Operation &inner : condition) {
    if (failed(verifyInCondition(inner))) {
      return failure();
    }
  }
  if (condition.getOps<MeasureOp>().empty()) {
    return op->emitError()
           << "an scf.while has a tile.measure before its scf.condition: an "
              "index of at least 0 that each trip makes smaller";
  }
  return success();
}
