// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats. Every op rounds once, to nearest even, and keeps subnormals; the
// functions are the assembler's full versions, never its approximations.

#include "lower/tileir/Context.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir::arith;

namespace girih::tileir {

static constexpr int64_t nearest = int64_t(Rounding::NearestEven);
static constexpr int64_t full = int64_t(Rounding::Full);

/// An op whose result has the type that the kernel says.
static bool simple(Context &c, mlir::Operation *op, Opcode opcode,
                   std::vector<Attribute> attributes) {
  std::vector<Value> operands;
  for (mlir::Value v : op->getOperands()) {
    operands.push_back(c[v]);
  }
  c.values[op->getResult(0)] =
      c.builder.one(opcode, std::move(attributes), operands,
                    tileTypeOf(op->getResult(0).getType()));
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
  auto rounded = [&](Opcode opcode) {
    return simple(c, op, opcode, {nearest, int64_t(0)});
  };
  auto extreme = [&](Opcode opcode, bool nan) {
    return simple(c, op, opcode, {int64_t(nan), int64_t(0)});
  };
  auto flushed = [&](Opcode opcode) {
    return simple(c, op, opcode, {int64_t(0)});
  };
  namespace math = mlir::math;
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case<AddFOp>([&](auto) { return rounded(Opcode::AddF); })
      .Case<SubFOp>([&](auto) { return rounded(Opcode::SubF); })
      .Case<MulFOp>([&](auto) { return rounded(Opcode::MulF); })
      .Case<DivFOp>([&](auto) { return rounded(Opcode::DivF); })
      .Case<math::SqrtOp>([&](auto) { return rounded(Opcode::Sqrt); })
      .Case<math::FmaOp>([&](auto) { return rounded(Opcode::Fma); })
      .Case<NegFOp>([&](auto) { return simple(c, op, Opcode::NegF, {}); })
      .Case<math::AbsFOp>([&](auto) { return simple(c, op, Opcode::AbsF, {}); })
      .Case<MaximumFOp>([&](auto) { return extreme(Opcode::MaxF, true); })
      .Case<MinimumFOp>([&](auto) { return extreme(Opcode::MinF, true); })
      .Case<MaxNumFOp>([&](auto) { return extreme(Opcode::MaxF, false); })
      .Case<MinNumFOp>([&](auto) { return extreme(Opcode::MinF, false); })
      .Case<TruncFOp>(
          [&](auto) { return simple(c, op, Opcode::FToF, {nearest}); })
      .Case<math::ExpOp>(
          [&](auto) { return simple(c, op, Opcode::Exp, {full}); })
      .Case<math::TanhOp>(
          [&](auto) { return simple(c, op, Opcode::TanH, {full}); })
      .Case<math::Exp2Op>([&](math::Exp2Op exp2) {
        bool flush = exp2.getFastmath() == FastMathFlags::afn;
        return simple(c, op, Opcode::Exp2, {int64_t(flush)});
      })
      .Case<math::RsqrtOp>([&](auto) { return flushed(Opcode::Rsqrt); })
      .Case<math::LogOp>([&](auto) { return simple(c, op, Opcode::Log, {}); })
      .Case<math::Log2Op>([&](auto) { return simple(c, op, Opcode::Log2, {}); })
      .Case<math::SinOp>([&](auto) { return simple(c, op, Opcode::Sin, {}); })
      .Case<math::CosOp>([&](auto) { return simple(c, op, Opcode::Cos, {}); })
      .Case<math::FloorOp>(
          [&](auto) { return simple(c, op, Opcode::Floor, {}); })
      .Case<math::CeilOp>([&](auto) { return simple(c, op, Opcode::Ceil, {}); })
      .Case<math::PowFOp>([&](auto) { return simple(c, op, Opcode::Pow, {}); })
      .Case<SIToFPOp>(
          [&](auto) { return fromInteger(c, op, Signedness::Signed); })
      .Case<UIToFPOp>(
          [&](auto) { return fromInteger(c, op, Signedness::Unsigned); })
      .Case<CmpFOp>([&](CmpFOp cmp) { return compare(c, cmp); })
      .Default(false);
}

} // namespace girih::tileir
