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
  llvm::APInt bits = mlir::cast<mlir::IntegerAttr>(number).getValue();
  return bits.getBitWidth() == 4 ? bits.sext(8) : bits;
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

/// The tensor cores of sm_90 add products of floats of 8 bits with fewer digits
/// than the accumulator has. The same numbers in f16 have the same products.
/// Fast products are those of the tensor cores, of tf32 in place of f32.
static Value factor(Context &c, mlir::Value of, bool isFast) {
  TileType type = c.builder.tileOf(c[of]);
  bool isByte = elementBits(type.element) == 8;
  if (isByte && !isFast) {
    type.element = Element::F16;
  } else if (isFast && !isByte) {
    type.element = Element::TF32;
  } else {
    return c[of];
  }
  return c.builder.one(Opcode::FToF, {int64_t(Rounding::NearestEven)}, {c[of]},
                       type);
}

static void lowerMma(Context &c, MmaOp op) {
  if (!isFloat(c.builder.tileOf(c[op.getLhs()]).element)) {
    lowerIntegerMma(c, op);
    return;
  }
  c.values[op.getResult()] =
      c.builder.one(Opcode::MmaF, {int64_t(0)},
                    {factor(c, op.getLhs(), op.getFast()),
                     factor(c, op.getRhs(), op.getFast()), c[op.getAcc()]},
                    tileTypeOf(op.getResult().getType()));
}

/// Scales without their sign, which the hardware takes for absent.
static Value scale(Context &c, mlir::Value of) {
  Builder &b = c.builder;
  Value bits = c[of];
  TileType type = b.tileOf(bits), byte = type;
  byte.element = Element::I8;
  bool power = type.element == Element::I8; // of exponents alone
  if (!power) {
    bits = b.one(Opcode::BitCast, {}, {bits}, byte);
    bits = b.bitAnd(bits, b.integer(0x7f, byte));
  }
  type.element = power ? Element::F8E8M0FNU : type.element;
  return b.one(Opcode::BitCast, {}, {bits}, type);
}

static void lowerScaledMma(Context &c, MmaScaledOp op) {
  c.need(op->getLoc(), 100, "tile.mma_scaled");
  c.values[op.getResult()] =
      c.builder.one(Opcode::MmaFScaled, {},
                    {c[op.getLhs()], c[op.getRhs()], c[op.getAcc()],
                     scale(c, op.getLhsScale()), scale(c, op.getRhsScale())},
                    tileTypeOf(op.getType()));
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

/// The region that combines two lanes.
static Region combination(Context &c, ReduceKind kind, Element element) {
  Type scalar = scalarType(element);
  return c.builder.region({scalar, scalar}, [&](auto &values) {
    Value sum = combine(c, kind, values[0], values[1]);
    c.builder.append(Opcode::Yield, {}, {{sum}}, {});
  });
}

/// Lanes of a value whose elements have the type `element` in the kernel.
static Value reduce(Context &c, ReduceKind kind, Value source, int64_t axis,
                    mlir::Type element) {
  TileType type = c.builder.tileOf(source);
  type.shape.erase(type.shape.begin() + axis);
  std::vector<Identity> identities = {{type.element, neutral(kind, element)}};
  return c.builder.append(Opcode::Reduce, {axis, identities}, {{source}},
                          {type}, {combination(c, kind, type.element)})[0];
}

static mlir::Type elementTypeOf(mlir::Value value) {
  return mlir::cast<mlir::VectorType>(value.getType()).getElementType();
}

static void lowerReduce(Context &c, ReduceOp op) {
  Value result =
      reduce(c, op.getReduceKind(), c[op.getValue()],
             static_cast<int64_t>(op.getAxis()), elementTypeOf(op.getValue()));
  c.values[op.getResult()] =
      c.builder.reshape(result, tileTypeOf(op.getType()).shape);
}

static void lowerScan(Context &c, ScanOp op) {
  Value source = c[op.getValue()];
  TileType type = c.builder.tileOf(source);
  ReduceKind kind = op.getReduceKind();
  std::vector<Identity> identities = {
      {type.element, neutral(kind, elementTypeOf(op.getValue()))}};
  c.values[op.getResult()] = c.builder.append(
      Opcode::Scan,
      {static_cast<int64_t>(op.getAxis()), int64_t(op.getReverse()),
       identities},
      {{source}}, {type}, {combination(c, kind, type.element)})[0];
}

/// A line that counts, repeated along the other axes. It counts in i64: what a
/// narrow type makes of a line that is too long for it is the cast's to say.
static Value countAlong(Context &c, TileType type, size_t axis) {
  std::vector<int64_t> line(type.shape.size(), 1);
  line[axis] = type.shape[axis];
  TileType count{Element::I64, {type.shape[axis]}, false};
  Value lanes =
      c.builder.reshape(c.builder.one(Opcode::Iota, {}, {}, count), line);
  return c.builder.broadcast(c.builder.castSigned(lanes, type.element),
                             type.shape);
}

static void lowerIota(Context &c, IotaOp op) {
  c.values[op.getResult()] =
      countAlong(c, tileTypeOf(op.getType()), op.getAxis());
}

/// The least number of a lane that equals the extreme one of its line, or is
/// NaN: where one is, the extreme one is NaN and equals none.
static void lowerArgument(Context &c, mlir::Operation *op, ReduceKind kind,
                          uint64_t axis) {
  mlir::Value of = op->getOperand(0);
  Value source = c[of];
  TileType type = c.builder.tileOf(source);
  Value extreme =
      reduce(c, kind, source, static_cast<int64_t>(axis), elementTypeOf(of));
  std::vector<int64_t> line = type.shape;
  line[axis] = 1;
  extreme = c.builder.broadcast(c.builder.reshape(extreme, line), type.shape);
  TileType bit{Element::I1, type.shape, false};
  Value best;
  if (isFloat(type.element)) {
    auto compare = [&](Predicate p, Ordering o, Value a, Value b) {
      return c.builder.one(Opcode::CmpF, {int64_t(p), int64_t(o)}, {a, b}, bit);
    };
    Value equal = compare(Predicate::Equal, Ordering::Ordered, source, extreme);
    Value isNan =
        compare(Predicate::NotEqual, Ordering::Unordered, source, source);
    best = c.builder.one(Opcode::OrI, {}, {equal, isNan}, bit);
  } else {
    best = c.builder.compare(Predicate::Equal, source, extreme);
  }
  TileType number{Element::I32, type.shape, false};
  Value far = c.builder.integer(std::numeric_limits<int32_t>::max(), number);
  Value candidate = c.builder.one(
      Opcode::Select, {}, {best, countAlong(c, number, axis), far}, number);
  Value first =
      reduce(c, ReduceKind::Min, candidate, static_cast<int64_t>(axis),
             mlir::IntegerType::get(op->getContext(), 32));
  mlir::Value result = op->getResult(0);
  c.values[result] =
      c.builder.reshape(first, tileTypeOf(result.getType()).shape);
}

static void lowerTranspose(Context &c, mlir::vector::TransposeOp op) {
  std::vector<int32_t> permutation(op.getPermutation().begin(),
                                   op.getPermutation().end());
  c.values[op.getResult()] =
      c.builder.one(Opcode::Permute, {permutation}, {c[op.getVector()]},
                    tileTypeOf(op.getType()));
}

/// Its numbers are values of Tile IR, here constants.
static void lowerExtract(Context &c, ExtractOp op) {
  std::vector<Value> numbers;
  for (int64_t n : op.getPosition()) {
    numbers.push_back(c.builder.integer(n, scalarType(Element::I32)));
  }
  c.values[op.getResult()] =
      c.builder.append(Opcode::Extract, {}, {{c[op.getValue()]}, numbers},
                       {tileTypeOf(op.getType())})[0];
}

static void lowerCat(Context &c, CatOp op) {
  c.values[op.getResult()] = c.builder.one(
      Opcode::Cat, {static_cast<int64_t>(op.getAxis())},
      {c[op.getLhs()], c[op.getRhs()]}, tileTypeOf(op.getResult().getType()));
}

bool lowerVector(Context &c, mlir::Operation *op) {
  auto shapeOf = [](mlir::Type type) { return tileTypeOf(type).shape; };
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case(
          [&](mlir::arith::ConstantOp x) { return lowerConstant(c, x), true; })
      .Case([&](IotaOp x) { return lowerIota(c, x), true; })
      .Case([&](MmaOp x) { return lowerMma(c, x), true; })
      .Case([&](MmaScaledOp x) { return lowerScaledMma(c, x), true; })
      .Case([&](ReduceOp x) { return lowerReduce(c, x), true; })
      .Case([&](ScanOp x) { return lowerScan(c, x), true; })
      .Case([&](ArgMaxOp x) {
        return lowerArgument(c, x, ReduceKind::Max, x.getAxis()), true;
      })
      .Case([&](ArgMinOp x) {
        return lowerArgument(c, x, ReduceKind::Min, x.getAxis()), true;
      })
      .Case([&](mlir::vector::TransposeOp x) {
        return lowerTranspose(c, x), true;
      })
      .Case([&](ExtractOp x) { return lowerExtract(c, x), true; })
      .Case([&](CatOp x) { return lowerCat(c, x), true; })
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
