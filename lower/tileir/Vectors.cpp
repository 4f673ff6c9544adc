// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, products, reductions, and the ops that move lanes.

#include "lower/tileir/Context.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace girih::tile;

namespace girih::tileir {

static void appendBits(Constant &c, const llvm::APInt &bits) {
  if (bits.getBitWidth() == 1) {
    c.bytes.push_back(bits.isZero() ? 0 : allBits);
    return;
  }
  for (unsigned at = 0; at < bits.getBitWidth(); at += 8) {
    c.bytes.push_back(static_cast<uint8_t>(bits.extractBitsAsZExtValue(
        std::min(8u, bits.getBitWidth() - at), at)));
  }
}

static llvm::APInt bitsOf(mlir::Attribute number) {
  if (auto f = mlir::dyn_cast<mlir::FloatAttr>(number)) {
    return f.getValue().bitcastToAPInt();
  }
  return mlir::cast<mlir::IntegerAttr>(number).getValue();
}

/// One bit a lane, eight a byte, where the elements are bits.
static void appendLanes(Constant &c, mlir::DenseElementsAttr dense) {
  bool packed = dense.getElementType().isInteger(1);
  uint64_t lane = 0;
  for (mlir::Attribute element : dense.getValues<mlir::Attribute>()) {
    if (!packed) {
      appendBits(c, bitsOf(element));
      continue;
    }
    if (lane % 8 == 0) {
      c.bytes.push_back(0);
    }
    c.bytes.back() |=
        static_cast<uint8_t>(bitsOf(element).getZExtValue() << (lane % 8));
    ++lane;
  }
}

static void lowerConstant(Context &c, mlir::arith::ConstantOp op) {
  Constant constant;
  auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(op.getValue());
  if (!dense) {
    appendBits(constant, bitsOf(op.getValue()));
  } else if (dense.isSplat()) {
    appendBits(constant, bitsOf(dense.getSplatValue<mlir::Attribute>()));
  } else {
    appendLanes(constant, dense);
  }
  c.values[op.getResult()] =
      c.builder.one(Opcode::Constant, {constant}, {}, tileTypeOf(op.getType()));
}

/// The assembler's integer sum may saturate where the language wraps. A product
/// of one tile is too small for either, and the sum of tiles is an addition.
static void lowerIntegerMma(Context &c, MmaOp op) {
  constexpr int64_t largestDepth = 65536; // times 2^14 fits 31 bits
  Value lhs = c[op.getLhs()];
  if (c.builder.tileOf(lhs).shape[1] > largestDepth) {
    c.fail(op, "tile.mma of i8 with more than 65536 columns has no form in "
               "Tile IR");
    return;
  }
  TileType type = tileTypeOf(op.getResult().getType());
  int64_t isSigned = int64_t(Signedness::Signed);
  Value product =
      c.builder.one(Opcode::MmaI, {isSigned, isSigned},
                    {lhs, c[op.getRhs()], c.builder.integer(0, type)}, type);
  c.values[op.getResult()] = c.builder.add(c[op.getAcc()], product);
}

static void lowerMma(Context &c, MmaOp op) {
  Value lhs = c[op.getLhs()];
  if (!isFloat(c.builder.tileOf(lhs).element)) {
    lowerIntegerMma(c, op);
    return;
  }
  c.values[op.getResult()] = c.builder.one(
      Opcode::MmaF, {int64_t(0)}, {lhs, c[op.getRhs()], c[op.getAcc()]},
      tileTypeOf(op.getResult().getType()));
}

/// What leaves every other operand as it is; a sum of nothing is -0, which
/// alone leaves -0.
static uint64_t neutral(ReduceKind kind, mlir::Type element) {
  if (auto f = mlir::dyn_cast<mlir::FloatType>(element)) {
    const llvm::fltSemantics &s = f.getFloatSemantics();
    llvm::APFloat value =
        kind == ReduceKind::Add   ? llvm::APFloat::getZero(s, true)
        : kind == ReduceKind::Mul ? llvm::APFloat::getOne(s)
        : kind == ReduceKind::Max ? llvm::APFloat::getInf(s, true)
                                  : llvm::APFloat::getInf(s);
    return value.bitcastToAPInt().getZExtValue();
  }
  unsigned bits = element.getIntOrFloatBitWidth();
  switch (kind) {
  case ReduceKind::Add:
    return 0;
  case ReduceKind::Mul:
    return 1;
  case ReduceKind::Max:
    return llvm::APInt::getSignedMinValue(bits).getZExtValue();
  case ReduceKind::Min:
    return llvm::APInt::getSignedMaxValue(bits).getZExtValue();
  }
  return 0;
}

static Value combine(Context &c, ReduceKind kind, Value a, Value b) {
  Type type = c.builder.typeOf(a);
  if (isFloat(c.builder.tileOf(a).element)) {
    bool extreme = kind == ReduceKind::Max || kind == ReduceKind::Min;
    std::vector<Attribute> attributes = {
        extreme ? int64_t(1) : int64_t(Rounding::NearestEven), int64_t(0)};
    static constexpr Opcode opcodes[] = {Opcode::AddF, Opcode::MulF,
                                         Opcode::MaxF, Opcode::MinF};
    return c.builder.one(opcodes[int(kind)], attributes, {a, b}, type);
  }
  switch (kind) {
  case ReduceKind::Add:
    return c.builder.add(a, b);
  case ReduceKind::Mul:
    return c.builder.multiply(a, b);
  case ReduceKind::Max:
    return c.builder.maximum(a, b);
  case ReduceKind::Min:
    return c.builder.minimum(a, b);
  }
  return a;
}

static void lowerReduce(Context &c, ReduceOp op) {
  Value source = c[op.getValue()];
  TileType type = c.builder.tileOf(source);
  Type scalar = scalarType(type.element);
  int64_t axis = op.getAxis();
  type.shape.erase(type.shape.begin() + axis);
  Region body = c.builder.region({scalar, scalar}, [&](auto &values) {
    Value sum = combine(c, op.getReduceKind(), values[0], values[1]);
    c.builder.append(Opcode::Yield, {}, {{sum}}, {});
  });
  mlir::Type element =
      mlir::cast<mlir::VectorType>(op.getValue().getType()).getElementType();
  std::vector<Identity> identities = {
      {type.element, neutral(op.getReduceKind(), element)}};
  Value result = c.builder.append(Opcode::Reduce, {axis, identities},
                                  {{source}}, {type}, {std::move(body)})[0];
  c.values[op.getResult()] =
      c.builder.reshape(result, tileTypeOf(op.getType()).shape);
}

static void lowerTranspose(Context &c, mlir::vector::TransposeOp op) {
  std::vector<int32_t> permutation(op.getPermutation().begin(),
                                   op.getPermutation().end());
  c.values[op.getResult()] =
      c.builder.one(Opcode::Permute, {permutation}, {c[op.getVector()]},
                    tileTypeOf(op.getType()));
}

bool lowerVector(Context &c, mlir::Operation *op) {
  auto shapeOf = [](mlir::Type type) { return tileTypeOf(type).shape; };
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case(
          [&](mlir::arith::ConstantOp x) { return lowerConstant(c, x), true; })
      .Case([&](MmaOp x) { return lowerMma(c, x), true; })
      .Case([&](ReduceOp x) { return lowerReduce(c, x), true; })
      .Case([&](mlir::vector::TransposeOp x) {
        return lowerTranspose(c, x), true;
      })
      .Case([&](mlir::vector::BroadcastOp x) {
        c.values[x.getResult()] =
            c.builder.broadcast(c[x.getSource()], shapeOf(x.getType()));
        return true;
      })
      .Case([&](mlir::vector::ShapeCastOp x) {
        c.values[x.getResult()] =
            c.builder.reshape(c[x.getSource()], shapeOf(x.getType()));
        return true;
      })
      .Default(false);
}

} // namespace girih::tileir
