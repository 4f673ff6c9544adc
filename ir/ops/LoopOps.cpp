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

LogicalResult MeasureOp::verify() {
  if (isInCondition(*this) &&
      isa_and_present<scf::ConditionOp>((*this)->getNextNode())) {
    return success();
  }
  return emitOpError() << "stands in the condition region of an scf.while, "
                          "last before the scf.condition";
}

/// Whether an op may stand where a loop states what each trip finds true: it
/// touches no memory and has one way through.
static bool isStatedWith(Operation &op) {
  bool givesValues = llvm::none_of(op.getResultTypes(), [](Type type) {
    return isa<PartitionType, TileTensorType, PieceType>(type);
  });
  return isa<InvariantOp>(op) ||
         (!isa<ApplyOp>(op) && isMemoryEffectFree(&op) &&
          op.getNumRegions() == 0 && givesValues);
}

LogicalResult InvariantOp::verify() {
  bool isInBody = isa_and_present<scf::ForOp>((*this)->getParentOp());
  if (!isInCondition(*this) && !isInBody) {
    return emitOpError() << "stands in the condition region of an scf.while, "
                            "or first in the body of an scf.for";
  }
  for (Operation *op = (*this)->getPrevNode(); isInBody && op;
       op = op->getPrevNode()) {
    if (!isStatedWith(*op)) {
      return emitOpError() << "stands first in the body of an scf.for, but for "
                              "pure ops on values; "
                           << op->getName() << " stands before it";
    }
  }
  return success();
}

static LogicalResult verifyInCondition(Operation &op) {
  if (isa<MeasureOp, scf::ConditionOp>(op) || isStatedWith(op)) {
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
