// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iota, mma, reduce, scan, argmax and argmin.

#include "ir/Diagnose.h"
#include "ir/Ops.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace girih::tile;

static ParseResult parseReduceWord(OpAsmParser &parser, ReduceKindAttr &kind) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word)) {
    return failure();
  }
  std::optional<ReduceKind> value = symbolizeReduceKind(word);
  if (!value) {
    return parser.emitError(loc)
           << "a reduction is one of add, mul, max, min, got " << word;
  }
  kind = ReduceKindAttr::get(parser.getContext(), *value);
  return success();
}

static void printReduceWord(OpAsmPrinter &printer, Operation *,
                            ReduceKindAttr kind) {
  printer << stringifyReduceKind(kind.getValue());
}

#define GET_OP_CLASSES
#include "ir/ValueOps.cpp.inc"

/// The axis of an op on the lanes of a vector, as the text says it.
static LogicalResult verifyAxis(Operation *op, uint64_t axis, VectorType type) {
  if (axis < static_cast<uint64_t>(type.getRank())) {
    return success();
  }
  return op->emitError() << "axis " << static_cast<int64_t>(axis)
                         << " of a vector of "
                         << counted(type.getRank(), "axis", "axes");
}

LogicalResult IotaOp::verify() {
  auto type = cast<VectorType>(getResult().getType());
  Type element = type.getElementType();
  if (!element.isIntOrIndex() || element.isInteger(1)) {
    return emitError() << "iota counts lanes in index or in i8, i16, i32, i64, "
                          "got "
                       << element;
  }
  return verifyAxis(*this, getAxis(), type);
}

LogicalResult MmaOp::verify() {
  auto lhs = cast<VectorType>(getLhs().getType());
  auto rhs = cast<VectorType>(getRhs().getType());
  auto acc = cast<VectorType>(getAcc().getType());
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    auto type = cast<VectorType>(operand.get().getType());
    if (type.getRank() != 2) {
      return emitOperandError(*this, operand.getOperandNumber())
             << "mma needs vectors of 2 axes, got " << type;
    }
  }
  if (lhs.getDimSize(1) != rhs.getDimSize(0)) {
    return emitOperandError(*this, 1)
           << "lhs has " << lhs.getDimSize(1) << " columns but rhs has "
           << rhs.getDimSize(0) << " rows";
  }
  if (acc.getDimSize(0) != lhs.getDimSize(0) ||
      acc.getDimSize(1) != rhs.getDimSize(1)) {
    return emitOperandError(*this, 2)
           << "the accumulator has " << acc.getDimSize(0) << " by "
           << acc.getDimSize(1) << " elements but the product has "
           << lhs.getDimSize(0) << " by " << rhs.getDimSize(1);
  }
  Type factor = lhs.getElementType();
  if (factor != rhs.getElementType()) {
    return emitOperandError(*this, 1)
           << "lhs has elements of type " << factor << " but rhs of type "
           << rhs.getElementType();
  }
  Type sum = acc.getElementType();
  bool isFloat = factor.isF16() || factor.isBF16() || factor.isF32() ||
                 isSmallFloat(factor);
  if ((isFloat && sum.isF32()) || (factor.isF64() && sum.isF64()) ||
      (factor.isSignlessInteger(8) && sum.isSignlessInteger(32))) {
    return success();
  }
  return emitOperandError(*this, 2)
         << "mma accumulates f8, f16, bf16 and f32 in f32, f64 in f64, i8 in "
            "i32, got "
         << factor << " in " << sum;
}

/// Whether a vector has the axis.
static LogicalResult verifyAxis(Location loc, VectorType vector, int64_t axis) {
  if (axis < 0 || axis >= vector.getRank()) {
    return mlir::emitError(loc) << "axis " << axis << " of a vector of "
                                << counted(vector.getRank(), "axis", "axes");
  }
  return success();
}

/// The type that is left of `value` when an axis becomes one lane of
/// `element`, or of the value's own element type when that is null.
static LogicalResult dropAxis(Location loc, Value value, IntegerAttr axis,
                              bool keep, Type element,
                              SmallVectorImpl<Type> &types) {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector || !axis) {
    return mlir::emitError(loc) << "only a vector can be reduced";
  }
  if (failed(verifyAxis(loc, vector, axis.getInt()))) {
    return failure();
  }
  SmallVector<int64_t> shape(vector.getShape());
  if (keep) {
    shape[axis.getInt()] = 1;
  } else {
    shape.erase(shape.begin() + axis.getInt());
  }
  element = element ? element : vector.getElementType();
  types.push_back(shape.empty() ? element : VectorType::get(shape, element));
  return success();
}

static LogicalResult verifyNumbers(Operation *op, StringRef what) {
  Type element = cast<VectorType>(op->getOperand(0).getType()).getElementType();
  if (element.isInteger(1) || element.isIndex() || isSmallFloat(element)) {
    return emitOperandError(op, 0)
           << what << " needs numbers, got elements of type " << element;
  }
  return success();
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  return dropAxis(location.value_or(UnknownLoc::get(context)),
                  adaptor.getValue(), adaptor.getAxisAttr(), adaptor.getKeep(),
                  Type(), types);
}

LogicalResult ReduceOp::verify() { return verifyNumbers(*this, "a reduction"); }

LogicalResult ConvertOp::verify() {
  auto shapeOf = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? SmallVector<int64_t>(vector.getShape())
                  : SmallVector<int64_t>();
  };
  Type from = getValue().getType(), to = getType();
  Type wide = getElementTypeOrSelf(from), narrow = getElementTypeOrSelf(to);
  bool known =
      (wide.isF16() || wide.isBF16() || wide.isF32()) && isSmallFloat(narrow);
  if (known && isa<VectorType>(from) == isa<VectorType>(to) &&
      shapeOf(from) == shapeOf(to)) {
    return success();
  }
  return emitOperandError(*this, 0)
         << "convert takes f16, bf16 or f32 to f8E4M3FN or f8E5M2, lane by "
            "lane, got "
         << from << " to " << to;
}

LogicalResult ScanOp::verify() {
  if (failed(verifyAxis(getLoc(), cast<VectorType>(getValue().getType()),
                        getAxis()))) {
    return failure();
  }
  return verifyNumbers(*this, "a scan");
}

/// The place of the largest or smallest lane along an axis.
template <typename Adaptor>
static LogicalResult inferPlace(MLIRContext *context,
                                std::optional<Location> location,
                                Adaptor adaptor, SmallVectorImpl<Type> &types) {
  return dropAxis(location.value_or(UnknownLoc::get(context)),
                  adaptor.getValue(), adaptor.getAxisAttr(), adaptor.getKeep(),
                  IntegerType::get(context, 32), types);
}

LogicalResult ArgMaxOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  return inferPlace(context, location, adaptor, types);
}

LogicalResult ArgMaxOp::verify() { return verifyNumbers(*this, "argmax"); }

LogicalResult ArgMinOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  return inferPlace(context, location, adaptor, types);
}

LogicalResult ArgMinOp::verify() { return verifyNumbers(*this, "argmin"); }
