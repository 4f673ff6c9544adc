// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// iota, mma, reduce, scan, argmax, argmin, extract and cat.

#include "ir/ops/Ops.h"
#include "ir/types/Diagnose.h"
#include "ir/types/Types.h"

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

static ParseResult parseRoundingWord(OpAsmParser &parser,
                                     RoundingAttr &rounding) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word)) {
    return failure();
  }
  std::optional<Rounding> value = symbolizeRounding(word);
  if (!value) {
    return parser.emitError(loc)
           << "a rounding is one of zero, positive_inf, got " << word;
  }
  rounding = RoundingAttr::get(parser.getContext(), *value);
  return success();
}

static void printRoundingWord(OpAsmPrinter &printer, Operation *,
                              RoundingAttr rounding) {
  printer << stringifyRounding(rounding.getValue());
}

#define GET_OP_CLASSES
#include "ir/ops/ValueOps.cpp.inc"

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
  bool counts = element.isIndex() || element.isInteger(8) ||
                element.isInteger(16) || element.isInteger(32) ||
                element.isInteger(64);
  if (!counts) {
    return emitError() << "iota counts lanes in index or in i8, i16, i32, i64, "
                          "got "
                       << element;
  }
  return verifyAxis(*this, getAxis(), type);
}

/// Operands lhs, rhs, acc and perhaps others, matrices that fit; of factors of
/// one type.
static LogicalResult verifyProduct(Operation *op, StringRef what) {
  auto typeOf = [&](unsigned operand) {
    return cast<VectorType>(op->getOperand(operand).getType());
  };
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<VectorType>(operand.get().getType());
    if (type.getRank() != 2) {
      return emitOperandError(op, operand.getOperandNumber())
             << what << " needs vectors of 2 axes, got " << type;
    }
  }
  VectorType lhs = typeOf(0), rhs = typeOf(1), acc = typeOf(2);
  if (lhs.getDimSize(1) != rhs.getDimSize(0)) {
    return emitOperandError(op, 1)
           << "lhs has " << lhs.getDimSize(1) << " columns but rhs has "
           << rhs.getDimSize(0) << " rows";
  }
  if (acc.getDimSize(0) != lhs.getDimSize(0) ||
      acc.getDimSize(1) != rhs.getDimSize(1)) {
    return emitOperandError(op, 2)
           << "the accumulator has " << acc.getDimSize(0) << " by "
           << acc.getDimSize(1) << " elements but the product has "
           << lhs.getDimSize(0) << " by " << rhs.getDimSize(1);
  }
  if (lhs.getElementType() != rhs.getElementType()) {
    return emitOperandError(op, 1)
           << "lhs has elements of type " << lhs.getElementType()
           << " but rhs of type " << rhs.getElementType();
  }
  return success();
}

LogicalResult MmaOp::verify() {
  if (failed(verifyProduct(*this, "mma"))) {
    return failure();
  }
  Type factor = getElementTypeOrSelf(getLhs().getType());
  Type sum = getElementTypeOrSelf(getAcc().getType());
  bool hasFast =
      factor.isF32() || isa<Float8E4M3FNType, Float8E5M2Type>(factor);
  bool isFloat = factor.isF16() || factor.isBF16() || hasFast;
  if (getFast() && !hasFast) {
    return emitOperandError(*this, 0)
           << "fast is said of products of f8 or f32, got " << factor;
  }
  if ((isFloat && sum.isF32()) || (factor.isF64() && sum.isF64()) ||
      (factor.isSignlessInteger(8) && sum.isSignlessInteger(32))) {
    return success();
  }
  return emitOperandError(*this, 2)
         << "mma accumulates f8, f16, bf16 and f32 in f32, f64 in f64, i8 in "
            "i32, got "
         << factor << " in " << sum;
}

LogicalResult MmaScaledOp::verify() {
  if (failed(verifyProduct(*this, "mma_scaled"))) {
    return failure();
  }
  auto lhs = cast<VectorType>(getLhs().getType());
  auto rhs = cast<VectorType>(getRhs().getType());
  auto left = cast<VectorType>(getLhsScale().getType());
  auto right = cast<VectorType>(getRhsScale().getType());
  Type factor = lhs.getElementType(), scale = left.getElementType();
  Type sum = getElementTypeOrSelf(getAcc().getType());
  if (!sum.isF32()) {
    return emitOperandError(*this, 2)
           << "mma_scaled accumulates in f32, got " << sum;
  }
  if (scale != right.getElementType()) {
    return emitOperandError(*this, 4)
           << "lhs has scales of type " << scale << " but rhs of type "
           << right.getElementType();
  }
  if (left.getDimSize(0) != lhs.getDimSize(0) ||
      right.getDimSize(1) != rhs.getDimSize(1) ||
      left.getDimSize(1) != right.getDimSize(0)) {
    return emitOperandError(*this, 3)
           << "scales of " << left.getDimSize(0) << " by " << left.getDimSize(1)
           << " and " << right.getDimSize(0) << " by " << right.getDimSize(1)
           << " elements do not fit the factors";
  }
  bool isTiny = isa<Float4E2M1FNType>(factor);
  bool isByte = isa<Float8E4M3FNType, Float8E5M2Type>(factor);
  bool isPower = isa<Float8E8M0FNUType>(scale);
  int64_t depth = lhs.getDimSize(1), scales = left.getDimSize(1);
  bool fits = depth == 32 * scales
                  ? isPower && (isTiny || isByte)
                  : depth == 16 * scales && isTiny &&
                        (isPower || isa<Float8E4M3FNType>(scale));
  if (fits) {
    return success();
  }
  return emitOperandError(*this, 3)
         << "mma_scaled takes f8E4M3FN, f8E5M2 or f4E2M1FN with a scale of "
            "f8E8M0FNU for each 32, f4E2M1FN with one of f8E8M0FNU or "
            "f8E4M3FN for each 16, got "
         << depth << " of " << factor << " with " << scales << " of " << scale;
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
  if (element.isInteger(1) || element.isIndex() || isSmall(element)) {
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
  if (!known || isa<VectorType>(from) != isa<VectorType>(to) ||
      shapeOf(from) != shapeOf(to)) {
    return emitOperandError(*this, 0)
           << "convert takes f16, bf16 or f32 to f4E2M1FN, f8E4M3FN, f8E5M2 "
              "or f8E8M0FNU, lane by lane, got "
           << from << " to " << to;
  }
  if (isa<Float8E8M0FNUType>(narrow) != getRounding().has_value()) {
    return emitOperandError(*this, 0)
           << "rounding(zero) or rounding(positive_inf) is said of f8E8M0FNU, "
              "and of no other format, which round to nearest, got "
           << narrow;
  }
  return success();
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

/// The error names the operand and both types.
LogicalResult ExtractOp::verify() {
  auto from = cast<VectorType>(getValue().getType());
  auto to = cast<VectorType>(getType());
  ArrayRef<int64_t> position = getPosition();
  if (from.getElementType() != to.getElementType()) {
    return emitOperandError(*this, 0)
           << "extract keeps the type of lanes, got " << from << " to " << to;
  }
  if (from.getRank() != to.getRank()) {
    return emitOperandError(*this, 0)
           << "extract keeps the number of axes, got " << from << " to " << to;
  }
  if (int64_t(position.size()) != from.getRank()) {
    return emitOperandError(*this, 0)
           << "extract has a number for each axis, got "
           << counted(position.size(), "number", "numbers") << " of " << from;
  }
  for (auto [axis, number] : llvm::enumerate(position)) {
    int64_t whole = from.getDimSize(axis), part = to.getDimSize(axis);
    if (part < 1 || whole % part != 0) {
      return emitOperandError(*this, 0)
             << "axis " << axis << " of " << from
             << " is not cut into parts of " << part << ", got " << to;
    }
    if (number < 0 || number >= whole / part) {
      return emitOperandError(*this, 0)
             << "part " << number << " along axis " << axis << " of " << from
             << ", which " << to << " cuts into "
             << counted(whole / part, "part", "parts");
    }
  }
  return success();
}

LogicalResult CatOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> location,
                                      Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  Location loc = location.value_or(UnknownLoc::get(context));
  auto half = dyn_cast<VectorType>(adaptor.getLhs().getType());
  if (!half || !adaptor.getAxisAttr()) {
    return mlir::emitError(loc) << "only vectors can be put together";
  }
  int64_t axis = adaptor.getAxisAttr().getInt();
  if (failed(verifyAxis(loc, half, axis))) {
    return failure();
  }
  int64_t lanes = 2;
  for (int64_t extent : half.getShape()) {
    if (extent > maxElements || (lanes *= extent) > maxElements) {
      return mlir::emitError(loc)
             << "vectors have at most " << maxElements
             << " elements, got two of " << half << " put together";
    }
  }
  SmallVector<int64_t> shape(half.getShape());
  shape[axis] *= 2;
  types.push_back(VectorType::get(shape, half.getElementType()));
  return success();
}
