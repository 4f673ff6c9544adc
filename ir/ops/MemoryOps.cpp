// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Partitions, claims, loads, stores and atomics.

#include "ir/ops/Ops.h"
#include "ir/ops/Views.h"
#include "ir/types/Diagnose.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace girih::tile;

static ParseResult parseTileShape(OpAsmParser &parser,
                                  DenseI64ArrayAttr &tile) {
  SmallVector<int64_t> dims;
  if (parseTile(parser, dims)) {
    return failure();
  }
  tile = parser.getBuilder().getDenseI64ArrayAttr(dims);
  return success();
}

static void printTileShape(OpAsmPrinter &printer, Operation *,
                           DenseI64ArrayAttr tile) {
  printTile(printer, tile);
}

#define GET_OP_CLASSES
#include "ir/ops/MemoryOps.cpp.inc"

LogicalResult PartitionOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> location,
                                            Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  Location loc = location.value_or(UnknownLoc::get(context));
  auto tensor = dyn_cast<TileTensorType>(adaptor.getTensor().getType());
  if (!tensor || !adaptor.getTileAttr()) {
    return mlir::emitError(loc) << "only a tensor can be partitioned";
  }
  types.push_back(
      PartitionType::getChecked([&] { return mlir::emitError(loc); }, context,
                                adaptor.getTile(), tensor));
  return success(types.back() != nullptr);
}

LogicalResult ClaimOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location> location,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  Location loc =
      operandLocation(location.value_or(UnknownLoc::get(context)), 0);
  auto partition = dyn_cast<PartitionType>(adaptor.getPartition().getType());
  if (!partition) {
    return mlir::emitError(loc) << "only a tile of a partition can be claimed";
  }
  TileTensorType tensor = partition.getTensor();
  if (!isClaimed(tensor.getMode())) {
    return mlir::emitError(loc) << "claims need mode own, out or raw, got "
                                << stringifyMode(tensor.getMode());
  }
  types.push_back(PieceType::getChecked(
      [&] { return mlir::emitError(loc); }, context, partition.getTile(),
      tensor.getElementType(), tensor.getMode()));
  return success(types.back() != nullptr);
}

static LogicalResult verifyIndices(Operation *op, StringRef what,
                                   size_t indices, unsigned rank) {
  if (indices == rank) {
    return success();
  }
  return emitOperandError(op, 0)
         << what << " has " << counted(indices, "index", "indices")
         << " but the partition has " << counted(rank, "axis", "axes");
}

LogicalResult ClaimOp::verify() {
  return verifyIndices(*this, "claim", getIndices().size(),
                       getPartition().getType().getRank());
}

LogicalResult InsideOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto partition = dyn_cast<PartitionType>(adaptor.getPartition().getType());
  if (!partition) {
    Location loc =
        operandLocation(location.value_or(UnknownLoc::get(context)), 0);
    return mlir::emitError(loc)
           << "only a tile of a partition has lanes inside, got "
           << adaptor.getPartition().getType();
  }
  types.push_back(
      tileTypeOf(partition.getTile(), IntegerType::get(context, 1)));
  return success();
}

LogicalResult InsideOp::verify() {
  return verifyIndices(*this, "inside", getIndices().size(),
                       getPartition().getType().getRank());
}

LogicalResult PartitionOp::verify() {
  Type element = getTensor().getType().getElementType();
  std::optional<unsigned> axis = packedAxis(getTensor());
  if (axis && getTile()[*axis] < 2) {
    return emitOperandError(*this, 0)
           << "two elements of " << element << " share a byte: tiles have an "
           << "even extent on axis " << *axis << ", got "
           << std::max<int64_t>(getTile()[*axis], 1);
  }
  return success();
}

LogicalResult LoadOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> location,
                                       Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(tileTypeOf(adaptor.getSource().getType()));
  if (types.back()) {
    return success();
  }
  Location loc =
      operandLocation(location.value_or(UnknownLoc::get(context)), 0);
  return mlir::emitError(loc)
         << "only a tile of a partition or a piece can be loaded, got "
         << adaptor.getSource().getType();
}

LogicalResult LoadOp::verify() {
  Type elementType;
  if (auto partition = dyn_cast<PartitionType>(getSource().getType())) {
    Mode mode = partition.getTensor().getMode();
    if (mode != Mode::Shared && mode != Mode::Raw) {
      return emitOperandError(*this, 0)
             << "loads from a partition need mode shared or raw, got "
             << stringifyMode(mode)
             << (isClaimed(mode) ? ": claim the tile and load the piece"
                                 : ", of which nothing is read in a launch");
    }
    if (failed(verifyIndices(*this, "load", getIndices().size(),
                             partition.getRank()))) {
      return failure();
    }
    elementType = partition.getTensor().getElementType();
  } else {
    if (!getIndices().empty()) {
      return emitOperandError(*this, 1)
             << "a load from a piece has no index, got " << getIndices().size();
    }
    elementType = cast<PieceType>(getSource().getType()).getElementType();
  }
  return verifyPad(*this, getPadAttr(), elementType);
}

LogicalResult AtomicOp::verify() {
  Mode mode = getPartition().getType().getTensor().getMode();
  if (failed(verifyAtomicMode(*this, "atomic", getKind(), mode))) {
    return failure();
  }
  return verifyIndices(*this, "atomic", getIndices().size(),
                       getPartition().getType().getRank());
}
