// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Body.h"

#include "checker/generate/Bitwise.h"
#include "ir/text/Reader.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace girih::proofs;
using namespace girih::tile;
using mlir::Operation;
using mlir::Value;

namespace girih::checker {

/// What the text calls the block's number on a grid axis.
static std::string blockName(KernelOp kernel, unsigned axis) {
  std::string name;
  kernel->walk([&](BlockIdOp op) {
    if (op.getAxis() == axis && name.empty()) {
      name = writtenName(op);
    }
  });
  return name.empty() ? "block" + std::to_string(axis) : name;
}

/// Whether a polynomial speaks of variables below `limit` only: those that
/// are still defined when the branch that made it has ended.
static bool speaksOnlyOf(const Poly &p, size_t limit) {
  for (const Term &t : p.terms()) {
    for (Var v : t.vars) {
      if (v >= limit) {
        return false;
      }
    }
  }
  return true;
}

void Walk::run() {
  for (auto [axis, g] : llvm::enumerate(k.grid)) {
    Variable v;
    v.kind = Variable::Kind::BlockId;
    v.axis = axis;
    v.name = blockName(k.kernel, axis);
    k.blockIds.push_back(base.add(v));
    Poly b = Poly::variable(k.blockIds.back());
    base.assume(Fact::atLeastZero(b), Origin::Kind::Launch, v.name + " >= 0");
    base.assume(Fact::atLeastZero(g - b - 1), Origin::Kind::Launch,
                v.name + " < grid[" + std::to_string(axis) + "]");
  }
  block(*k.kernel.getBody());
}

void Walk::block(mlir::Block &b) {
  for (Operation &op : b) {
    base.charge(1);
    operation(&op);
  }
}

void Walk::unknown(Value v) {
  if (isInteger(v.getType())) {
    fresh(v);
  }
}

Var Walk::fresh(Value v) {
  Variable x;
  x.kind = Variable::Kind::Value;
  x.name = valueName(v);
  x.value = v;
  const Poly &p = integers[v] = unknownInteger(base, x, v.getType());
  return p.terms()[0].vars[0];
}

void Walk::arithmetic(Operation *op, const Poly &exact) {
  Value r = op->getResult(0);
  bool index = r.getType().isIndex();
  base.charge(exact.size());
  if (index) {
    emitWidth(op, exact);
  }
  if (exact.overflowed()) {
    unknown(r);
  } else {
    integers[r] =
        index ? exact : base.wrap(exact, bits(r.getType()), valueName(r));
  }
}

void Walk::emitWidth(Operation *op, const Poly &exact) {
  if (exact.overflowed()) {
    base.emit(Rule::IndexWidth, "upper, too large to follow", Poly(-1), op,
              false);
    base.emit(Rule::IndexWidth, "lower, too large to follow", Poly(-1), op,
              false);
    return;
  }
  base.emit(Rule::IndexWidth, "upper", Poly(base.width.indexMax()) - exact, op,
            false);
  base.emit(Rule::IndexWidth, "lower", exact + base.width.indexMax() + 1, op,
            false);
}

bool Walk::emitConstant(Operation *op, Int v) {
  Int max = base.width.indexMax();
  bool fits = v <= max && v >= -max - 1;
  if (!fits) {
    base.emit(Rule::IndexWidth, "constant", v > max ? max - v : v + max + 1, op,
              false);
  }
  return fits;
}

void Walk::division(Operation *op) {
  Value result = op->getResult(0);
  if (result.getType().isInteger(1)) {
    // Read as signed, an i1 is 0 or -1: never a divisor.
    base.emit(Rule::IndexDivision, "divisor", Poly(-1), op, false);
    return;
  }
  Poly a = integer(op->getOperand(0)), d = integer(op->getOperand(1));
  base.emit(Rule::IndexDivision, "divisor", d - 1, op, true);
  base.emit(Rule::IndexDivision, "dividend", a, op, true);
  if (mlir::isa<mlir::arith::CeilDivSIOp>(op)) {
    a = a + d - 1;
    base.emit(Rule::IndexDivision, "rounded dividend", a, op, true);
  }
  auto [quotient, rest] = base.divide(a, d, valueName(result));
  integers[result] = mlir::isa<mlir::arith::RemSIOp>(op) ? rest : quotient;
}

Condition Walk::comparison(mlir::arith::CmpIOp op) {
  if (!isInteger(op.getLhs().getType())) {
    return Condition::unknown();
  }
  return compare(op.getPredicate(), integer(op.getLhs()), integer(op.getRhs()));
}

void Walk::choice(Value result, const Condition &c, Value a, Value b) {
  if (result.getType().isInteger(1)) {
    conditions.insert_or_assign(result, choose(c, condition(a), condition(b)));
    return;
  }
  if (!isInteger(result.getType())) {
    return;
  }
  if (auto p = choose(base, c, integer(a), integer(b), valueName(result))) {
    integers[result] = *p;
  } else {
    unknown(result);
  }
}

void Walk::loop(mlir::scf::ForOp op) {
  Poly low = integer(op.getLowerBound()), high = integer(op.getUpperBound()),
       step = integer(op.getStep());
  base.emit(Rule::LoopStep, "step", step - 1, op, true);
  size_t outside = base.mark();
  Variable v;
  v.kind = Variable::Kind::Trip;
  v.op = op;
  std::string name = writtenName(op.getInductionVar());
  v.name =
      name.empty() ? "trip" + std::to_string(trips.size()) : name + ".trip";
  Var trip = base.add(v);
  Poly counter = low + step * Poly::variable(trip);
  base.assume(Fact::atLeastZero(Poly::variable(trip)), Origin::Kind::Loop,
              v.name + " >= 0");
  base.assume(Fact::atLeastZero(high - 1 - counter), Origin::Kind::Loop,
              "the counter is below the upper bound");
  Int max = (Int(1) << (bits(op.getInductionVar().getType()) - 1)) - 1;
  base.emit(Rule::LoopWidth, "counter + step", Poly(max) - counter - step, op,
            false, -1, nullptr, {Poly::variable(trip)});
  integers[op.getInductionVar()] = counter;
  for (Value arg : op.getRegionIterArgs()) {
    unknown(arg);
  }
  trips.push_back({op, trip});
  block(*op.getBody());
  trips.pop_back();
  base.release(outside);
  for (Value r : op.getResults()) {
    unknown(r);
  }
}

void Walk::branch(mlir::Region &region, const Condition &c) {
  if (region.empty()) {
    return;
  }
  for (Fact &f : c.facts()) {
    base.assume(std::move(f), Origin::Kind::Path, "the branch is taken");
  }
  bool before = std::exchange(certain, certain && c.isExact());
  block(region.front());
  certain = before;
}

void Walk::conditional(mlir::scf::IfOp op) {
  Condition c = condition(op.getCondition());
  size_t outside = base.mark(), defined = base.variableCount();
  branch(op.getThenRegion(), c);
  base.release(outside);
  branch(op.getElseRegion(), c.negated());
  base.release(outside);
  for (auto [i, r] : llvm::enumerate(op.getResults())) {
    if (!isInteger(r.getType())) {
      continue;
    }
    Value a = op.thenYield().getOperand(i), b = op.elseYield().getOperand(i);
    if (speaksOnlyOf(integer(a), defined) &&
        speaksOnlyOf(integer(b), defined)) {
      choice(r, c, a, b);
    } else {
      unknown(r);
    }
  }
}

void Walk::constant(mlir::arith::ConstantOp op) {
  auto value = mlir::dyn_cast<mlir::IntegerAttr>(op.getValue());
  if (!value) {
    return;
  }
  if (op.getType().isInteger(1)) {
    conditions.insert_or_assign(
        op.getResult(), Condition::constant(!value.getValue().isZero()));
    return;
  }
  Int v = value.getValue().getSExtValue();
  if (op.getType().isIndex()) {
    emitConstant(op, v);
  }
  integers[op.getResult()] = Poly(v);
}

void Walk::castToIndexOrBack(mlir::arith::IndexCastOp op) {
  if (!isInteger(op.getType())) {
    return;
  }
  Poly e = integer(op.getIn());
  if (bits(op.getType()) < bits(op.getIn().getType())) {
    arithmetic(op, e);
  } else {
    integers[op.getResult()] = e;
  }
}

void Walk::logical(Operation *op) {
  auto operand = [&](unsigned i) {
    Value v = op->getOperand(i);
    return Bits{integer(v), valueName(v)};
  };
  Value result = op->getResult(0);
  std::optional<Poly> p;
  if (result.getType().isIndex()) {
    p = bitwise(base, op, operand(0), operand(1));
  }
  if (p) {
    integers[result] = *p;
  } else {
    unknown(result);
  }
}

void Walk::extendUnsigned(mlir::arith::ExtUIOp op) {
  if (!isInteger(op.getType())) {
    return;
  }
  std::string name = valueName(op.getResult());
  if (op.getIn().getType().isInteger(1)) {
    auto p = choose(base, condition(op.getIn()), Poly(1), Poly(0), name);
    if (p) {
      integers[op.getResult()] = *p;
    } else {
      unknown(op.getResult());
    }
    return;
  }
  Poly e = integer(op.getIn());
  integers[op.getResult()] =
      base.select(e, e, e + Poly(Int(1) << bits(op.getIn().getType())), name);
}

void Walk::extendSigned(mlir::arith::ExtSIOp op) {
  if (!isInteger(op.getType())) {
    return;
  }
  if (!op.getIn().getType().isInteger(1)) {
    integers[op.getResult()] = integer(op.getIn());
    return;
  }
  auto p = choose(base, condition(op.getIn()), Poly(-1), Poly(0),
                  valueName(op.getResult()));
  if (p) {
    integers[op.getResult()] = *p;
  } else {
    unknown(op.getResult());
  }
}

void Walk::prove(ProveOp op, const Condition &c) {
  using K = Condition::Kind;
  Rule rule = proveRule(op.getRule());
  auto emit = [&](const char *label, const Poly &goal) {
    base.emit(rule, label, goal, op, true);
  };
  switch (c.getKind()) {
  case K::And:
    prove(op, c.left());
    prove(op, c.right());
    return;
  case K::AtLeastZero:
    return emit("holds", c.poly());
  case K::Zero:
    emit("not below", c.poly());
    return emit("not above", -c.poly());
  case K::Or:
  case K::Unknown:
    auto one = choose(base, c, Poly(1), Poly(0), "holds");
    return emit(one ? "holds" : "a condition too large to follow",
                one ? *one - 1 : Poly(-1));
  }
}

void Walk::trust(TrustOp op) {
  for (Fact &f : condition(op.getCondition()).facts()) {
    base.assume(std::move(f), Origin::Kind::Trust,
                op.getText() ? op.getText()->str() : "trusted");
  }
}

void Walk::tileOperation(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<SymbolOp>([&](SymbolOp s) {
        integers[s.getResult()] =
            Poly::variable(k.symbols.at(s.getSymbol().str()));
      })
      .Case<BlockIdOp>([&](BlockIdOp b) {
        integers[b.getResult()] = Poly::variable(k.blockIds[b.getAxis()]);
      })
      .Case<GridDimOp>(
          [&](GridDimOp g) { integers[g.getResult()] = k.grid[g.getAxis()]; })
      .Case<NumTilesOp>([&](NumTilesOp n) {
        auto type = mlir::cast<PartitionType>(n.getPartition().getType());
        Poly e = viewOf(partitionOf(n.getPartition()).getTensor())
                     .extents[n.getAxis()];
        Poly t(tileExtents(type.getTile())[n.getAxis()]);
        base.emit(Rule::IndexDivision, "divisor", t - 1, op, true);
        base.emit(Rule::IndexDivision, "rounded dividend", e + t - 1, op, true);
        integers[n.getResult()] =
            base.divide(e + t - 1, t, valueName(n.getResult())).first;
      })
      .Case<NameOp>([&](NameOp n) {
        integers[n.getResult()] =
            base.alias(integer(n.getValue()), valueName(n.getResult()));
      })
      .Case<ProveOp>([&](ProveOp p) { prove(p, condition(p.getCondition())); })
      .Case<TrustOp>([&](TrustOp t) { trust(t); })
      .Case<ViewOp>([&](ViewOp v) { view(v); })
      .Case<IotaOp>([&](IotaOp i) { iota(i); })
      .Case<GatherOp>([&](GatherOp g) { gather(g); })
      .Case<ScatterOp>([&](ScatterOp s) { scatter(s); })
      .Case<ClaimOp>([&](ClaimOp c) { claim(c); })
      .Case<LoadOp>([&](LoadOp l) { load(l); })
      .Case<StoreOp>([&](StoreOp s) {
        k.writes.push_back({s, pieces.find(s.getPiece())->second, trips,
                            base.keepVisible(), base.keepLookups(), certain});
      })
      .Case<AtomicOp>([&](AtomicOp a) {
        View view = viewOf(partitionOf(a.getPartition()).getTensor());
        bounds(Rule::AtomicBounds, a,
               mlir::cast<PartitionType>(a.getPartition().getType()), view,
               indices(a.getIndices()));
      })
      .Default([&](Operation *other) { results(other); });
}

void Walk::results(Operation *op) {
  for (Value r : op->getResults()) {
    unknown(r);
  }
}

void Walk::operation(Operation *op) {
  if (op->getDialect()->getNamespace() == "tile") {
    tileOperation(op);
    return;
  }
  using namespace mlir::arith;
  if (op->getDialect()->getNamespace() == "arith" &&
      mlir::isa<mlir::VectorType>(op->getResult(0).getType())) {
    lanes(op);
    return;
  }
  bool scalar =
      op->getNumResults() == 1 && isInteger(op->getResult(0).getType());
  bool truth =
      op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1);
  auto in = [&](unsigned i) { return integer(op->getOperand(i)); };
  llvm::TypeSwitch<Operation *>(op)
      .Case<mlir::scf::ForOp>([&](auto o) { loop(o); })
      .Case<mlir::scf::IfOp>([&](auto o) { conditional(o); })
      .Case<ConstantOp>([&](auto o) { constant(o); })
      .Case<IndexCastOp>([&](auto o) { castToIndexOrBack(o); })
      .Case<ExtUIOp>([&](auto o) { extendUnsigned(o); })
      .Case<ExtSIOp>([&](auto o) { extendSigned(o); })
      .Case<CmpIOp>([&](auto o) {
        if (truth) {
          conditions.insert_or_assign(o.getResult(), comparison(o));
        }
      })
      .Case<SelectOp>([&](auto o) {
        choice(o.getResult(), condition(o.getCondition()), o.getTrueValue(),
               o.getFalseValue());
      })
      .Case<AddIOp>([&](auto) {
        if (scalar) {
          arithmetic(op, in(0) + in(1));
        }
      })
      .Case<SubIOp>([&](auto) {
        if (scalar) {
          arithmetic(op, in(0) - in(1));
        }
      })
      .Case<MulIOp>([&](auto) {
        if (scalar) {
          base.charge(in(0).size() * in(1).size());
          arithmetic(op, in(0) * in(1));
        }
      })
      .Case<DivSIOp, CeilDivSIOp, RemSIOp>([&](auto) { division(op); })
      .Case<MinSIOp>([&](auto) {
        if (scalar) {
          integers[op->getResult(0)] = base.select(in(1) - in(0), in(0), in(1),
                                                   valueName(op->getResult(0)));
        }
      })
      .Case<MaxSIOp>([&](auto) {
        if (scalar) {
          integers[op->getResult(0)] = base.select(in(0) - in(1), in(0), in(1),
                                                   valueName(op->getResult(0)));
        }
      })
      .Case<TruncIOp>([&](auto) {
        if (scalar) {
          integers[op->getResult(0)] =
              base.wrap(in(0), bits(op->getResult(0).getType()),
                        valueName(op->getResult(0)));
        }
      })
      .Case<AndIOp, OrIOp, XOrIOp>([&](auto) {
        if (truth) {
          conditions.insert_or_assign(op->getResult(0),
                                      logic(op, condition(op->getOperand(0)),
                                            condition(op->getOperand(1))));
        } else if (scalar) {
          logical(op);
        }
      })
      .Default([&](Operation *) { results(op); });
}

void emitBody(KernelFacts &k) { Walk(k).run(); }

Rule proveRule(ProveKind kind) {
  switch (kind) {
  case ProveKind::Holds:
    return Rule::ProveHolds;
  case ProveKind::Domain:
    return Rule::MapDomain;
  case ProveKind::Into:
    return Rule::MapInto;
  case ProveKind::Inverse:
    return Rule::MapInverse;
  case ProveKind::Count:
    return Rule::MapCount;
  case ProveKind::Bytes:
    return Rule::BytesWhole;
  }
  return Rule::ProveHolds;
}

} // namespace girih::checker
