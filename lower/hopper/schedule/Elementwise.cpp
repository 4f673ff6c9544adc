// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/schedule/Elementwise.h"
#include "ir/ops/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace girih::hopper {

std::string whyNotElementwise(Operation *op) {
  // A symbol as a number.
  if (isa<tile::SymbolOp, arith::IndexCastOp, arith::SIToFPOp>(op)) {
    Type type = op->getResult(0).getType();
    return type.isIndex() || type.isInteger(64) || type.isF32()
               ? ""
               : "of integers it takes symbols, in 64 bits or as f32";
  }
  bool isMoved = isa<arith::SelectOp, arith::ExtFOp, arith::TruncFOp,
                     arith::ConstantOp, vector::BroadcastOp>(op);
  bool isComputed =
      isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp, arith::CmpFOp, math::FmaOp, math::AbsFOp,
          math::ExpOp, math::Exp2Op, math::SqrtOp, math::RsqrtOp>(op);
  if (!isComputed && !isMoved) {
    return "the schedule has no place for it";
  }
  auto isF32 = [](Type t) { return getElementTypeOrSelf(t).isF32(); };
  if (isComputed && !llvm::all_of(op->getOperandTypes(), isF32)) {
    return "it computes in f32";
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  return constant && isa<VectorType>(constant.getType()) &&
                 !isa<SplatElementsAttr>(constant.getValue())
             ? "constants are the same in all lanes"
             : "";
}

Value rebuilt(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands,
              Type type) {
  OperationState state(op->getLoc(), op->getName(), operands, {type},
                       op->getAttrs());
  return b.create(state)->getResult(0);
}

} // namespace girih::hopper
