// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Body.h"

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

void Walk::block(mlir::Block &b) { operations(b.begin(), b.end()); }

void Walk::operations(mlir::Block::iterator from, mlir::Block::iterator to) {
  for (Operation &op : llvm::make_range(from, to)) {
    base.charge(1);
    operation(&op);
  }
}

void Walk::unknown(Value v) {
  if (isInteger(v.getType())) {
    fresh(v);
  } else {
    conditions.erase(v);
  }
}

Var Walk::fresh(Value v) {
  Variable x;
  x.kind = Variable::Kind::Value;
  x.name = valueName(v);
  x.value = v;
  const Poly &p = integers[v] = unknownInteger(base, x, v.getType());
  noteCountedLanes(k, v);
  return p.terms()[0].vars[0];
}

void Walk::assign(Value v, const std::optional<Poly> &p) {
  if (p) {
    integers[v] = *p;
  } else {
    fresh(v);
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

void Walk::emitConstants(mlir::arith::ConstantOp op) {
  if (!mlir::getElementTypeOrSelf(op.getType()).isIndex()) {
    return;
  }
  if (auto value = constantOf(op)) {
    emitConstant(op, value->getSExtValue());
    return;
  }
  for (const llvm::APInt &n : mlir::cast<mlir::DenseElementsAttr>(op.getValue())
                                  .getValues<llvm::APInt>()) {
    if (!emitConstant(op, n.getSExtValue())) {
      return;
    }
  }
}

/// Behind the last invariant in the body of a loop.
static mlir::Block::iterator behindInvariants(mlir::scf::ForOp op) {
  mlir::Block::iterator end = op.getBody()->begin();
  for (InvariantOp i : op.getBody()->getOps<InvariantOp>()) {
    end = std::next(i->getIterator());
  }
  return end;
}

void Walk::stateAt(mlir::scf::ForOp op, Evaluation which, const Poly &counter,
                   mlir::ValueRange carried) {
  if (behindInvariants(op) == op.getBody()->begin()) {
    return;
  }
  k.beyondTheory = "an invariant of a loop, which the theory does not have";
  size_t outside = base.mark();
  base.assume(Fact::atLeastZero(integer(op.getUpperBound()) - 1 - counter),
              Origin::Kind::Loop, "the counter is below the upper bound");
  // What is yielded may be the counter of the trip before.
  bind(op.getRegionIterArgs(), carried);
  integers[op.getInductionVar()] = counter;
  base.evaluation = which;
  operations(op.getBody()->begin(), behindInvariants(op));
  base.evaluation = Evaluation::None;
  base.release(outside);
}

// Invariants at the head of a body are facts as those of a while are, see
// below: each trip is the first one or follows another, and states there what
// it owed before. Behind the loop nothing of them is known.
void Walk::loop(mlir::scf::ForOp op) {
  Poly low = integer(op.getLowerBound()), high = integer(op.getUpperBound()),
       step = integer(op.getStep());
  base.emit(Rule::LoopStep, "step", step - 1, op, true);
  stateAt(op, Evaluation::First, low, op.getInitArgs());
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
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    carry(op, i, op.getRegionIterArg(i));
  }
  trips.push_back({op, trip});
  base.evaluation = Evaluation::Any;
  operations(op.getBody()->begin(), behindInvariants(op));
  base.evaluation = Evaluation::None;
  operations(behindInvariants(op), op.getBody()->end());
  stateAt(op, Evaluation::Next, counter + step, op.getYieldedValues());
  trips.pop_back();
  base.release(outside);
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    carry(op, i, op.getResult(i));
  }
}

void Walk::carry(mlir::scf::ForOp op, unsigned i, Value v) {
  Value init = op.getInitArgs()[i];
  bool isKept = op.getYieldedValues()[i] == op.getRegionIterArg(i);
  if (!isKept || !(isInteger(v.getType()) || v.getType().isInteger(1))) {
    return unknown(v);
  }
  bind(v, init);
  k.beyondTheory = "the loop keeps " + valueName(init) +
                   ", and the theory takes what it carries for unknown";
}

static MeasureOp measureOf(mlir::scf::WhileOp op) {
  return mlir::cast<MeasureOp>(op.getConditionOp()->getPrevNode());
}

void Walk::bind(mlir::ValueRange to, mlir::ValueRange from) {
  std::vector<std::pair<Value, Poly>> numbers;
  std::vector<std::pair<Value, Condition>> truths;
  for (auto [v, as] : llvm::zip_equal(to, from)) {
    if (isInteger(v.getType())) {
      numbers.push_back({v, integer(as)});
    } else if (v.getType().isInteger(1)) {
      truths.push_back({v, condition(as)});
    }
  }
  for (auto &[v, p] : numbers) {
    base.charge(p.size());
    integers[v] = std::move(p);
  }
  for (auto &[v, c] : truths) {
    conditions.insert_or_assign(v, std::move(c));
  }
}

// Why a fact of the loop may be used where it is. A block is stuck at the first
// thing that goes wrong, so whatever it gets to has all before it behind it.
// Take the first thing in a run that goes wrong, and let it belong to a while
// or stand in its body or behind it. Each fact that its obligation uses was
// evaluated before it, on the values in hand:
// * At the first evaluation: the facts from before the loop, and what the
//   region states before that place.
// * In a trip: what the evaluation at its head found true. That evaluation was
//   the first one or followed a trip; it lies before, so nothing in it went
//   wrong, and it is one instance of what is owed at the start or after a trip.
// * At the evaluation behind a trip: the facts of that trip, and what the
//   region states before that place, now of the values that it yields.
// * Behind the loop: what the last evaluation found true, and that its
//   condition was false. Nothing of the last trip stays.
// The measure is at least 0 wherever a trip begins and falls from one to the
// next, so a while ends: who waits behind it gets there.
void Walk::loop(mlir::scf::WhileOp op) {
  k.beyondTheory = "a while loop, which the theory does not have";
  size_t outside = base.mark();
  bind(op.getBeforeArguments(), op.getInits());
  evaluate(op, Evaluation::First);
  base.release(outside);

  mlir::scf::ConditionOp condition = op.getConditionOp();
  evaluateAny(op);
  Poly measure = integer(measureOf(op).getValue());
  goOn(condition);
  base.assume(Fact::atLeastZero(measure), Origin::Kind::Invariant,
              "the measure of the while");
  bind(op.getAfterArguments(), condition.getArgs());
  // How many trips there are nobody knows, so what a trip writes covers
  // nothing.
  bool before = std::exchange(certain, false);
  size_t others = carried.size();
  for (Value v : op.getBeforeArguments()) {
    if (isInteger(v.getType())) {
      carried.push_back(integer(v));
    }
  }
  block(*op.getAfterBody());
  carried.resize(others);
  certain = before;
  bind(op.getBeforeArguments(), op.getYieldOp().getResults());
  evaluate(op, Evaluation::Next, &measure);
  base.release(outside);

  evaluateAny(op);
  Condition ended = this->condition(condition.getCondition()).negated();
  for (Fact &f : ended.facts()) {
    base.assume(std::move(f), Origin::Kind::Invariant, "the while has ended");
  }
  bind(op.getResults(), condition.getArgs());
}

void Walk::goOn(mlir::scf::ConditionOp op) {
  for (Fact &f : condition(op.getCondition()).facts()) {
    base.assume(std::move(f), Origin::Kind::Path, "the while goes on");
  }
}

void Walk::evaluateAny(mlir::scf::WhileOp op) {
  for (auto [i, v] : llvm::enumerate(op.getBeforeArguments())) {
    auto yielded =
        mlir::dyn_cast<mlir::BlockArgument>(op.getYieldOp().getOperand(i));
    bool isKept = yielded && yielded.getOwner() == op.getAfterBody() &&
                  op.getConditionOp().getArgs()[yielded.getArgNumber()] == v;
    if (isKept) {
      bind(v, op.getInits()[i]);
    } else {
      unknown(v);
    }
  }
  evaluate(op, Evaluation::Any);
}

void Walk::evaluate(mlir::scf::WhileOp op, Evaluation which,
                    const Poly *before) {
  base.evaluation = which;
  block(*op.getBeforeBody());
  if (which != Evaluation::Any) {
    MeasureOp measure = measureOf(op);
    Poly now = integer(measure.getValue());
    goOn(op.getConditionOp());
    base.emit(Rule::WhileMeasure, "not below 0", now, measure, true);
    if (before) {
      base.emit(Rule::WhileMeasure, "less than before", *before - 1 - now,
                measure, false);
    }
  }
  base.evaluation = Evaluation::None;
}

void Walk::branch(mlir::Region &region, const Condition &c,
                  const std::optional<Poly> &taken) {
  if (region.empty()) {
    return;
  }
  auto assume = [&](Fact f) {
    base.assume(std::move(f), Origin::Kind::Path, "the branch is taken");
  };
  if (taken) {
    assume(Fact::atLeastZero(*taken));
  } else {
    llvm::for_each(c.facts(), assume);
  }
  bool before = std::exchange(certain, certain && (taken || c.isExact()));
  block(region.front());
  certain = before;
}

/// Whether a region writes a tensor.
static bool writes(mlir::Region &region) {
  return region
      .walk([](Operation *op) {
        return mlir::isa<StoreOp, ScatterOp>(op) ? mlir::WalkResult::interrupt()
                                                 : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<Poly> Walk::opaque(mlir::scf::IfOp op, const Condition &c) {
  if (c.isExact() || !writes(op.getThenRegion()) ||
      !writes(op.getElseRegion())) {
    return std::nullopt;
  }
  Variable v;
  v.kind = Variable::Kind::Value;
  v.name = valueName(op.getCondition());
  v.value = op.getCondition();
  Poly taken = Poly::variable(base.add(v));
  base.assume(Fact::atLeastZero(taken), Origin::Kind::Value, v.name + " >= 0");
  base.assume(Fact::atLeastZero(Poly(1) - taken), Origin::Kind::Value,
              v.name + " <= 1");
  // Said of both branches at once: in one of them it would be a condition, and
  // a witness would have to prove it.
  auto imply = [&](std::vector<Fact> facts, const Poly &unless) {
    for (Fact &f : facts) {
      f.branches.push_back({{false, unless}});
      base.assume(std::move(f), Origin::Kind::Value, v.name + " says so");
    }
  };
  imply(c.facts(), -taken);
  imply(c.negated().facts(), taken - 1);
  k.beyondTheory = "both branches on " + v.name +
                   " write, and the theory does not follow it";
  return taken;
}

void Walk::conditional(mlir::scf::IfOp op) {
  Condition c = condition(op.getCondition());
  size_t outside = base.mark(), defined = base.variableCount();
  std::optional<Poly> taken = opaque(op, c);
  size_t inside = base.mark();
  branch(op.getThenRegion(), c, taken ? *taken - 1 : taken);
  base.release(inside);
  branch(op.getElseRegion(), c.negated(), taken ? -*taken : taken);
  base.release(outside);
  for (auto [i, r] : llvm::enumerate(op.getResults())) {
    if (!isInteger(r.getType())) {
      continue;
    }
    Value a = op.thenYield().getOperand(i), b = op.elseYield().getOperand(i);
    if (speaksOnlyOf(integer(a), defined) &&
        speaksOnlyOf(integer(b), defined)) {
      assign(r, choose(base, c, integer(a), integer(b), valueName(r)));
    } else {
      unknown(r);
    }
  }
}

void Walk::arithmetic(Operation *op) {
  Value result = op->getResult(0);
  mlir::Type type = mlir::getElementTypeOrSelf(result.getType());
  if (auto constant = mlir::dyn_cast<mlir::arith::ConstantOp>(op)) {
    emitConstants(constant);
  }
  if (isDivision(op) && type.isInteger(1)) {
    // Read as signed, an i1 is 0 or -1: never a divisor.
    base.emit(Rule::IndexDivision, "divisor", Poly(-1), op, false);
  }
  if (mlir::isa<mlir::VectorType>(result.getType())) {
    lanes(op);
    return;
  }
  auto number = [&](Value v) { return integer(v); };
  auto truth = [&](Value v) { return condition(v); };
  auto width = [&](const Poly &exact) { emitWidth(op, exact); };
  OperandReader in{number, truth, width, true};
  if (type.isInteger(1)) {
    conditions.insert_or_assign(result, conditionResult(op, in));
  } else if (isInteger(type)) {
    assign(result, integerResult(base, op, op, in));
  }
}

void Walk::prove(Operation *op, Rule rule, const Condition &c) {
  using K = Condition::Kind;
  auto emit = [&](const char *label, const Poly &goal) {
    base.emit(rule, label, goal, op, true);
  };
  switch (c.getKind()) {
  case K::And:
    prove(op, rule, c.left());
    prove(op, rule, c.right());
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

void Walk::invariant(InvariantOp op) {
  Condition c = condition(op.getCondition());
  if (base.evaluation != Evaluation::Any) {
    return prove(op, Rule::InvariantHolds, c);
  }
  for (Fact &f : c.facts()) {
    base.assume(std::move(f), Origin::Kind::Invariant,
                op.getText() ? op.getText()->str() : "the invariant");
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
      .Case<ProveOp>([&](ProveOp p) {
        prove(p, proveRule(p.getRule()), condition(p.getCondition()));
      })
      .Case<InvariantOp>([&](InvariantOp i) { invariant(i); })
      .Case<MeasureOp>([](auto) {}) // its condition asks for it
      .Case<TrustOp>([&](TrustOp t) { trust(t); })
      .Case<ViewOp>([&](ViewOp v) { view(v); })
      .Case<IotaOp>([&](IotaOp i) { iota(i); })
      .Case<InsideOp>([&](InsideOp i) { inside(i); })
      .Case<GatherOp>([&](GatherOp g) {
        anyLane(Rule::GatherBounds, g, g.getTensor(), g.getIndices(),
                g.getMask());
      })
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
      .Case<AtomicScatterOp>([&](AtomicScatterOp a) {
        anyLane(Rule::AtomicScatterBounds, a, a.getTensor(), a.getIndices(),
                a.getMask());
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
  if (op->getDialect()->getNamespace() == "arith") {
    arithmetic(op);
    return;
  }
  llvm::TypeSwitch<Operation *>(op)
      .Case<mlir::scf::ForOp, mlir::scf::WhileOp>([&](auto o) { loop(o); })
      .Case<mlir::scf::IfOp>([&](auto o) { conditional(o); })
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
