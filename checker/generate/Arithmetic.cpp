// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Arithmetic.h"

using namespace girih::proofs;

namespace girih::checker {

bool isInteger(mlir::Type t) {
  return t.isIndex() || (t.isSignlessInteger() && !t.isInteger(1));
}

unsigned integerBits(mlir::Type t, Width width) {
  return t.isIndex() ? width.bits : t.getIntOrFloatBitWidth();
}

std::optional<int64_t> countedLanes(mlir::Value v) {
  auto lanes = [](auto op) {
    auto type = mlir::cast<mlir::VectorType>(op.getValue().getType());
    return type.getDimSize(static_cast<unsigned>(op.getAxis()));
  };
  bool isIndex = v && llvm::any_of(v.getUsers(), [](mlir::Operation *user) {
                   return mlir::isa<mlir::arith::IndexCastOp>(user);
                 });
  mlir::Operation *op = isIndex ? v.getDefiningOp() : nullptr;
  if (auto max = mlir::dyn_cast_or_null<tile::ArgMaxOp>(op)) {
    return lanes(max);
  }
  if (auto min = mlir::dyn_cast_or_null<tile::ArgMinOp>(op)) {
    return lanes(min);
  }
  return std::nullopt;
}

Poly unknownInteger(FactBase &base, Variable v, mlir::Type type) {
  std::string name = v.name;
  Int half = Int(1) << (integerBits(type, base.width) - 1);
  Int least = -half, largest = half - 1;
  if (auto lanes = countedLanes(v.value)) {
    least = 0;
    largest = *lanes - 1;
  }
  Poly p = Poly::variable(base.add(std::move(v)));
  base.assume(Fact::atLeastZero(p - least), Origin::Kind::Value,
              name + " >= " + toString(least));
  base.assume(Fact::atLeastZero(Poly(largest) - p), Origin::Kind::Value,
              name + " <= " + toString(largest));
  return p;
}

Condition compare(mlir::arith::CmpIPredicate p, const Poly &a, const Poly &b) {
  using P = mlir::arith::CmpIPredicate;
  switch (p) {
  case P::eq:
    return Condition::zero(a - b);
  case P::ne:
    return Condition::zero(a - b).negated();
  case P::slt:
    return Condition::atLeastZero(b - a - 1);
  case P::sle:
    return Condition::atLeastZero(b - a);
  case P::sgt:
    return Condition::atLeastZero(a - b - 1);
  case P::sge:
    return Condition::atLeastZero(a - b);
  default:
    return Condition::unknown();
  }
}

std::optional<Poly> choose(FactBase &base, const Condition &c, const Poly &a,
                           const Poly &b, const std::string &name) {
  switch (c.getKind()) {
  case Condition::Kind::Unknown:
    return std::nullopt;
  case Condition::Kind::AtLeastZero:
    return base.select(c.poly(), a, b, name);
  case Condition::Kind::Zero: {
    Poly below = base.select(-c.poly(), a, b, name);
    return base.select(c.poly(), below, b, name);
  }
  case Condition::Kind::And: {
    auto inner = choose(base, c.right(), a, b, name);
    return inner ? choose(base, c.left(), *inner, b, name) : std::nullopt;
  }
  case Condition::Kind::Or: {
    auto inner = choose(base, c.right(), a, b, name);
    return inner ? choose(base, c.left(), a, *inner, name) : std::nullopt;
  }
  }
  return std::nullopt;
}

Condition choose(const Condition &c, const Condition &a, const Condition &b) {
  return Condition::either(Condition::both(c, a),
                           Condition::both(c.negated(), b));
}

Condition logic(mlir::Operation *op, const Condition &a, const Condition &b) {
  if (mlir::isa<mlir::arith::AndIOp>(op)) {
    return Condition::both(a, b);
  }
  if (mlir::isa<mlir::arith::OrIOp>(op)) {
    return Condition::either(a, b);
  }
  return Condition::either(Condition::both(a, b.negated()),
                           Condition::both(a.negated(), b));
}

} // namespace girih::checker
