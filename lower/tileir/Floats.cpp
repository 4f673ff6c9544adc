// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that Tile IR has too, on the same operands, as ir/ops/Elementwise.def
// says; and those on floats that are more than one op of it.

#include "lower/tileir/Context.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir::arith;

namespace girih::tileir {

// The words of the table: every op rounds once and keeps subnormals; the
// functions are the assembler's full versions, never its approximations.
static constexpr int64_t nearest = int64_t(Rounding::NearestEven);
static constexpr int64_t full = int64_t(Rounding::Full);
static constexpr int64_t keep = 0;
static constexpr int64_t carryNan = 1, dropNan = 0;

/// Subnormal operands and results are zero.
static bool flushed(Context &c, mlir::math::Exp2Op op) {
  c.values[op.getResult()] =
      c.builder.one(Opcode::Exp2, {int64_t(1)}, {c[op.getOperand()]},
                    tileTypeOf(op.getType()));
  return true;
}

static Value compareFloats(Context &c, Predicate predicate, Ordering ordering,
                           Value a, Value b) {
  return c.builder.one(Opcode::CmpF, {int64_t(predicate), int64_t(ordering)},
                       {a, b},
                       TileType{Element::I1, c.builder.tileOf(a).shape, false});
}

/// The predicate of each of arith's 16, false and true and the two that ask
/// for NaN apart.
static bool compare(Context &c, CmpFOp op) {
  using P = CmpFPredicate;
  P p = op.getPredicate();
  Value a = c[op.getLhs()], b = c[op.getRhs()];
  Value &result = c.values[op.getResult()];
  if (p == P::AlwaysFalse || p == P::AlwaysTrue) {
    result = c.builder.integer(p == P::AlwaysTrue, tileTypeOf(op.getType()));
    return true;
  }
  if (p == P::ORD || p == P::UNO) {
    // x = x fails for NaN alone.
    Predicate same = p == P::ORD ? Predicate::Equal : Predicate::NotEqual;
    Ordering ordering = p == P::ORD ? Ordering::Ordered : Ordering::Unordered;
    Value left = compareFloats(c, same, ordering, a, a);
    Value right = compareFloats(c, same, ordering, b, b);
    Value both = c.builder.one(p == P::ORD ? Opcode::AndI : Opcode::OrI, {},
                               {left, right}, tileTypeOf(op.getType()));
    c.values[op.getResult()] = both;
    return true;
  }
  bool ordered = p >= P::OEQ && p <= P::ONE;
  auto predicate = [&] {
    switch (p) {
    case P::OEQ:
    case P::UEQ:
      return Predicate::Equal;
    case P::OGT:
    case P::UGT:
      return Predicate::Greater;
    case P::OGE:
    case P::UGE:
      return Predicate::GreaterEqual;
    case P::OLT:
    case P::ULT:
      return Predicate::Less;
    case P::OLE:
    case P::ULE:
      return Predicate::LessEqual;
    default:
      return Predicate::NotEqual;
    }
  }();
  c.values[op.getResult()] = compareFloats(
      c, predicate, ordered ? Ordering::Ordered : Ordering::Unordered, a, b);
  return true;
}

static bool fromInteger(Context &c, mlir::Operation *op, Signedness sign) {
  Value v = c[op->getOperand(0)];
  TileType type = c.builder.tileOf(v);
  if (type.element == Element::I1) {
    type.element = Element::I32;
    v = c.builder.one(Opcode::ExtI, {int64_t(sign)}, {v}, type);
  }
  mlir::Value result = op->getResult(0);
  c.values[result] = c.builder.one(Opcode::IToF, {int64_t(sign), nearest}, {v},
                                   tileTypeOf(result.getType()));
  return true;
}

bool lowerFloat(Context &c, mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case([&](mlir::math::Exp2Op exp2) {
        return exp2.getFastmath() == FastMathFlags::afn && flushed(c, exp2);
      })
      .Case<SIToFPOp>(
          [&](auto) { return fromInteger(c, op, Signedness::Signed); })
      .Case<UIToFPOp>(
          [&](auto) { return fromInteger(c, op, Signedness::Unsigned); })
      .Case<CmpFOp>([&](CmpFOp cmp) { return compare(c, cmp); })
      .Default(false);
}

namespace {
struct Emitted {
  Opcode opcode;
  std::vector<Attribute> attributes;
};
} // namespace

/// By the name of the op; nothing where it is lowered by hand.
static const llvm::StringMap<std::optional<Emitted>> &rows() {
  static const llvm::StringMap<std::optional<Emitted>> map = {
#define EMIT(opcode, ...)                                                      \
  Emitted {                                                                    \
    Opcode::opcode, { __VA_ARGS__ }                                            \
  }
#define EMITTED_BY_HAND std::nullopt
#define ELEMENTWISE(name, shape, elements, executor, coq, tile_ir, emitted,    \
                    ...)                                                       \
  {name, emitted},
#include "ir/ops/Elementwise.def"
  };
  return map;
}

bool lowerElementwise(Context &c, mlir::Operation *op) {
  std::optional<Emitted> row = rows().lookup(op->getName().getStringRef());
  if (!row) {
    return false;
  }
  std::vector<Value> operands;
  for (mlir::Value v : op->getOperands()) {
    operands.push_back(c[v]);
  }
  c.values[op->getResult(0)] =
      c.builder.one(row->opcode, std::move(row->attributes), operands,
                    tileTypeOf(op->getResult(0).getType()));
  return true;
}

} // namespace girih::tileir
