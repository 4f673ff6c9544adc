// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma and reduce.

#include "ir/Diagnose.h"
#include "ir/Ops.h"

#include "mlir/IR/Builders.h"

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
  bool isFloat = factor.isF16() || factor.isBF16() || factor.isF32();
  if ((isFloat && sum.isF32()) || (factor.isF64() && sum.isF64()) ||
      (factor.isSignlessInteger(8) && sum.isSignlessInteger(32))) {
    return success();
  }
  return emitOperandError(*this, 2)
         << "mma accumulates f16, bf16 and f32 in f32, f64 in f64, i8 in i32, "
            "got "
         << factor << " in " << sum;
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Location loc = location.value_or(UnknownLoc::get(context));
  auto vector = dyn_cast<VectorType>(adaptor.getValue().getType());
  if (!vector || !adaptor.getAxisAttr()) {
    return mlir::emitError(loc) << "only a vector can be reduced";
  }
  int64_t axis = adaptor.getAxisAttr().getInt();
  if (axis < 0 || axis >= vector.getRank()) {
    return mlir::emitError(loc) << "axis " << axis << " of a vector of "
                                << counted(vector.getRank(), "axis", "axes");
  }
  SmallVector<int64_t> shape(vector.getShape());
  if (adaptor.getKeep()) {
    shape[axis] = 1;
  } else {
    shape.erase(shape.begin() + axis);
  }
  types.push_back(shape.empty()
                      ? vector.getElementType()
                      : VectorType::get(shape, vector.getElementType()));
  return success();
}

LogicalResult ReduceOp::verify() {
  Type element = cast<VectorType>(getValue().getType()).getElementType();
  if (element.isInteger(1)) {
    return emitOperandError(*this, 0)
           << "a reduction needs numbers, got elements of type i1";
  }
  return success();
}
