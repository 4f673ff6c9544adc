// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Values.h"

#include "checker/generate/Bitwise.h"
#include "ir/text/Reader.h"
#include "ir/types/Diagnose.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace girih::proofs;
using namespace mlir::arith;
using mlir::Operation;
using mlir::Value;

namespace girih::checker {

std::string valueName(Value v) {
  std::string name = tile::writtenName(v);
  if (!name.empty()) {
    return name;
  }
  Operation *op = v.getDefiningOp();
  if (!op) {
    return "carried";
  }
  std::string place = placeOf(op);
  return op->getName().stripDialect().str() +
         (place.empty() ? "" : "@" + place);
}

std::string placeOf(Operation *op) {
  std::string at = tile::locationText(op->getLoc());
  size_t column = at.rfind(':');
  size_t line = column == std::string::npos || column == 0
                    ? std::string::npos
                    : at.rfind(':', column - 1);
  return line == std::string::npos ? "" : at.substr(line + 1);
}

std::optional<llvm::APInt> constantOf(ConstantOp op) {
  if (auto scalar = mlir::dyn_cast<mlir::IntegerAttr>(op.getValue())) {
    return scalar.getValue();
  }
  auto dense = mlir::dyn_cast<mlir::DenseIntElementsAttr>(op.getValue());
  if (dense && dense.isSplat()) {
    return dense.getSplatValue<llvm::APInt>();
  }
  return std::nullopt;
}

bool isDivision(Operation *op) {
  return mlir::isa<DivSIOp, CeilDivSIOp, RemSIOp>(op);
}

namespace {
/// One op with integer result.
struct Transfer {
  FactBase &base;
  Operation *op, *asking;
  const OperandReader &in;
  mlir::Type type = mlir::getElementTypeOrSelf(op->getResult(0).getType());

  mlir::Type operandType() const {
    return mlir::getElementTypeOrSelf(op->getOperand(0).getType());
  }
  Poly operand(unsigned i) const { return in.integer(op->getOperand(i)); }
  std::string name() const { return valueName(op->getResult(0)); }
  unsigned bits(mlir::Type t) const { return integerBits(t, base.width); }

  /// An index must hold it, iN wraps.
  std::optional<Poly> fitted(const Poly &exact) const {
    base.charge(exact.size());
    if (type.isIndex()) {
      in.emitWidth(exact);
    }
    if (exact.overflowed()) {
      return std::nullopt;
    }
    return type.isIndex() ? exact : base.wrap(exact, bits(type), name());
  }

  std::optional<Poly> arithmetic() const {
    Poly a = operand(0), b = operand(1);
    if (mlir::isa<AddIOp>(op)) {
      return fitted(a + b);
    }
    if (mlir::isa<SubIOp>(op)) {
      return fitted(a - b);
    }
    base.charge(a.size() * b.size());
    return fitted(a * b);
  }

  Poly divided() const {
    Poly a = operand(0), d = operand(1);
    base.emit(Rule::IndexDivision, "divisor", d - 1, asking, true);
    base.emit(Rule::IndexDivision, "dividend", a, asking, true);
    if (mlir::isa<CeilDivSIOp>(op)) {
      a = a + d - 1;
      base.emit(Rule::IndexDivision, "rounded dividend", a, asking, true);
    }
    auto [quotient, rest] = base.divide(a, d, name());
    return mlir::isa<RemSIOp>(op) ? rest : quotient;
  }

  Poly extremum() const {
    Poly a = operand(0), b = operand(1);
    Poly first = mlir::isa<MinSIOp>(op) ? b - a : a - b;
    return base.select(first, a, b, name());
  }

  std::optional<Poly> extended(Value from) const {
    bool isSigned = mlir::isa<ExtSIOp>(op);
    if (operandType().isInteger(1)) {
      return choose(base, in.condition(from), Poly(isSigned ? -1 : 1), Poly(0),
                    name());
    }
    Poly p = operand(0);
    if (isSigned) {
      return p;
    }
    return base.select(p, p, p + Poly(Int(1) << bits(operandType())), name());
  }

  std::optional<Poly> bitwiseResult() const {
    if (!in.followsBits || !type.isIndex()) {
      return std::nullopt;
    }
    Value a = op->getOperand(0), b = op->getOperand(1);
    return bitwise(base, op, Bits{in.integer(a), valueName(a)},
                   Bits{in.integer(b), valueName(b)});
  }

  std::optional<Poly> result() const {
    using Result = std::optional<Poly>;
    return llvm::TypeSwitch<Operation *, Result>(op)
        .Case([&](ConstantOp c) -> Result {
          auto value = constantOf(c);
          return value ? Result(Poly(value->getSExtValue())) : std::nullopt;
        })
        .Case<AddIOp, SubIOp, MulIOp>([&](auto) { return arithmetic(); })
        .Case<DivSIOp, CeilDivSIOp, RemSIOp>([&](auto) { return divided(); })
        .Case<MinSIOp, MaxSIOp>([&](auto) { return extremum(); })
        .Case<IndexCastOp, TruncIOp>([&](auto) {
          Poly p = operand(0);
          return bits(type) < bits(operandType()) ? fitted(p) : Result(p);
        })
        .Case<ExtSIOp, ExtUIOp>([&](auto e) { return extended(e.getIn()); })
        .Case([&](SelectOp s) {
          Condition c = in.condition(s.getCondition());
          Poly a = operand(1), b = operand(2);
          return choose(base, c, a, b, name());
        })
        .Case<AndIOp, OrIOp, XOrIOp>([&](auto) { return bitwiseResult(); })
        .Default([](Operation *) { return std::nullopt; });
  }
};
} // namespace

std::optional<Poly> integerResult(FactBase &base, Operation *op,
                                  Operation *asking, const OperandReader &in) {
  return Transfer{base, op, asking, in}.result();
}

Condition conditionResult(Operation *op, const OperandReader &in) {
  auto operand = [&](unsigned i) { return in.condition(op->getOperand(i)); };
  return llvm::TypeSwitch<Operation *, Condition>(op)
      .Case([&](ConstantOp c) {
        auto value = constantOf(c);
        return value ? Condition::constant(!value->isZero())
                     : Condition::unknown();
      })
      .Case([&](CmpIOp c) {
        if (!isInteger(mlir::getElementTypeOrSelf(c.getLhs()))) {
          return Condition::unknown();
        }
        Poly a = in.integer(c.getLhs()), b = in.integer(c.getRhs());
        return compare(c.getPredicate(), a, b);
      })
      .Case<AndIOp, OrIOp, XOrIOp>([&](auto) {
        Condition a = operand(0), b = operand(1);
        return logic(op, a, b);
      })
      .Case([&](SelectOp) {
        Condition c = operand(0), a = operand(1), b = operand(2);
        return choose(c, a, b);
      })
      .Default([](Operation *) { return Condition::unknown(); });
}

} // namespace girih::checker
