// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over a kernel's operations in program order: what each owes, and
// what is known after it.

#include "checker/Generate.h"
#include "ir/Reader.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace girih::proofs;
using namespace girih::tile;
using mlir::Operation;
using mlir::Value;

namespace girih::checker {

namespace {
/// The tile dims of a partition as extents: a unit axis is 1 wide.
std::vector<int64_t> tileExtents(llvm::ArrayRef<int64_t> tile) {
  std::vector<int64_t> out;
  for (int64_t t : tile) {
    out.push_back(t == 0 ? 1 : t);
  }
  return out;
}

/// A name for a reader: the one in the text, else the defining operation and
/// its line.
std::string valueName(Value v) {
  std::string name = writtenName(v);
  if (!name.empty()) {
    return name;
  }
  Operation *op = v.getDefiningOp();
  if (!op) {
    return "carried";
  }
  std::string at = locationText(op->getLoc());
  size_t column = at.rfind(':');
  size_t line = column == std::string::npos || column == 0
                    ? std::string::npos
                    : at.rfind(':', column - 1);
  return op->getName().stripDialect().str() +
         (line == std::string::npos ? "" : "@" + at.substr(line + 1));
}

/// What the text calls the block's number on a grid axis.
std::string blockName(KernelOp kernel, unsigned axis) {
  std::string name;
  kernel->walk([&](BlockIdOp op) {
    if (op.getAxis() == axis && name.empty()) {
      name = writtenName(op);
    }
  });
  return name.empty() ? "block" + std::to_string(axis) : name;
}

class Walk {
public:
  explicit Walk(KernelFacts &k) : k(k), base(k.base) {}

  void run() {
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

private:
  KernelFacts &k;
  FactBase &base;
  llvm::DenseMap<Value, Poly> integers;
  llvm::DenseMap<Value, Condition> conditions;
  llvm::DenseMap<Value, const Site *> pieces;
  std::vector<std::pair<Operation *, Var>> trips;
  /// Whether the facts in scope are all that it takes to get here.
  bool certain = true;

  void block(mlir::Block &b) {
    for (Operation &op : b) {
      operation(&op);
    }
  }

  const Poly &integer(Value v) { return integers.find(v)->second; }
  Condition condition(Value v) {
    auto it = conditions.find(v);
    return it == conditions.end() ? Condition::unknown() : it->second;
  }
  static bool isInteger(mlir::Type t) {
    return t.isIndex() || (t.isSignlessInteger() && !t.isInteger(1));
  }
  unsigned bits(mlir::Type t) const {
    return t.isIndex() ? base.width.bits : t.getIntOrFloatBitWidth();
  }
  int argument(Value tensor) const {
    return mlir::cast<mlir::BlockArgument>(tensor).getArgNumber();
  }

  /// A value about which only its type is known.
  void unknown(Value v) {
    if (!isInteger(v.getType())) {
      return;
    }
    Variable x;
    x.kind = Variable::Kind::Value;
    x.name = valueName(v);
    x.value = v;
    Poly p = Poly::variable(base.add(x));
    Int half = Int(1) << (bits(v.getType()) - 1);
    base.assume(Fact::atLeastZero(p + half), Origin::Kind::Value,
                x.name + " >= " + toString(-half));
    base.assume(Fact::atLeastZero(Poly(half - 1) - p), Origin::Kind::Value,
                x.name + " <= " + toString(half - 1));
    integers[v] = p;
  }

  /// The result of arithmetic: `index` must fit, iN wraps. What is too large
  /// to follow as a polynomial is not known to fit.
  void arithmetic(Operation *op, const Poly &exact) {
    Value r = op->getResult(0);
    if (exact.overflowed()) {
      if (r.getType().isIndex()) {
        base.owe("index.width", "upper, too large to follow", Poly(-1), op,
                 false);
        base.owe("index.width", "lower, too large to follow", Poly(-1), op,
                 false);
      }
      unknown(r);
      return;
    }
    if (!r.getType().isIndex()) {
      integers[r] = base.wrap(exact, bits(r.getType()), valueName(r));
      return;
    }
    base.owe("index.width", "upper", Poly(base.width.indexMax()) - exact, op,
             false);
    base.owe("index.width", "lower", exact + base.width.indexMax() + 1, op,
             false);
    integers[r] = exact;
  }

  void division(Operation *op) {
    Value result = op->getResult(0);
    if (result.getType().isInteger(1)) {
      // Read as signed, an i1 is 0 or -1: never a divisor.
      base.owe("index.division", "divisor", Poly(-1), op, false);
      return;
    }
    Poly a = integer(op->getOperand(0)), d = integer(op->getOperand(1));
    base.owe("index.division", "divisor", d - 1, op, true);
    base.owe("index.division", "dividend", a, op, true);
    if (mlir::isa<mlir::arith::CeilDivSIOp>(op)) {
      a = a + d - 1;
      base.owe("index.division", "rounded dividend", a, op, true);
    }
    auto [quotient, rest] = base.divide(a, d, valueName(result));
    integers[result] = mlir::isa<mlir::arith::RemSIOp>(op) ? rest : quotient;
  }

  Condition comparison(mlir::arith::CmpIOp op) {
    if (!isInteger(op.getLhs().getType())) {
      return Condition::unknown();
    }
    Poly a = integer(op.getLhs()), b = integer(op.getRhs());
    using P = mlir::arith::CmpIPredicate;
    switch (op.getPredicate()) {
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

  /// c ? a : b as a polynomial, by nested selects; nothing when c is unknown.
  std::optional<Poly> choose(const Condition &c, const Poly &a, const Poly &b,
                             const std::string &name) {
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
      auto inner = choose(c.right(), a, b, name);
      return inner ? choose(c.left(), *inner, b, name) : std::nullopt;
    }
    case Condition::Kind::Or: {
      auto inner = choose(c.right(), a, b, name);
      return inner ? choose(c.left(), a, *inner, name) : std::nullopt;
    }
    }
    return std::nullopt;
  }

  void choice(Value result, const Condition &c, Value a, Value b) {
    if (result.getType().isInteger(1)) {
      conditions.insert_or_assign(
          result,
          Condition::either(Condition::both(c, condition(a)),
                            Condition::both(c.negated(), condition(b))));
      return;
    }
    if (!isInteger(result.getType())) {
      return;
    }
    if (auto p = choose(c, integer(a), integer(b), valueName(result))) {
      integers[result] = *p;
    } else {
      unknown(result);
    }
  }

  void bounds(const char *rule, Operation *op, PartitionType type, int tensor,
              llvm::ArrayRef<Poly> indices) {
    std::vector<Poly> e = extents(k, type.getTensor());
    std::vector<int64_t> t = tileExtents(type.getTile());
    for (size_t i = 0; i < e.size(); ++i) {
      std::string axis = "axis " + std::to_string(i);
      base.owe(rule, axis + ", lower", indices[i], op, true, tensor);
      base.owe(rule, axis + ", upper", e[i] - 1 - indices[i] * Poly(t[i]), op,
               true, tensor);
    }
  }

  std::vector<Poly> indices(mlir::ValueRange values) {
    std::vector<Poly> out;
    for (Value v : values) {
      out.push_back(integer(v));
    }
    return out;
  }

  void claim(ClaimOp op) {
    auto type = mlir::cast<PartitionType>(op.getPartition().getType());
    auto part = op.getPartition().getDefiningOp<PartitionOp>();
    auto site = std::make_unique<Site>();
    site->op = op;
    site->tensor = argument(part.getTensor());
    site->tile = tileExtents(type.getTile());
    site->indices = indices(op.getIndices());
    site->trips = trips;
    bounds("claim.bounds", op, type, site->tensor, site->indices);
    site->facts = base.visible();
    pieces[op.getResult()] = site.get();
    k.sites.push_back(std::move(site));
  }

  /// Without pad a tile must lie inside, on every axis that is tiled.
  void oweWhole(LoadOp op, int tensor, TileTensorType type,
                llvm::ArrayRef<int64_t> tile, llvm::ArrayRef<Poly> at) {
    if (op.getPad()) {
      return;
    }
    std::vector<Poly> e = extents(k, type);
    for (size_t i = 0; i < e.size(); ++i) {
      if (tile[i] > 1) {
        base.owe("load.pad", "axis " + std::to_string(i),
                 e[i] - at[i] * Poly(tile[i]) - Poly(tile[i]), op, true,
                 tensor);
      }
    }
  }

  /// Whether a store to the same piece comes before on every path.
  static bool writtenBefore(LoadOp load) {
    for (Operation *user : load.getSource().getUsers()) {
      if (!mlir::isa<StoreOp>(user)) {
        continue;
      }
      Operation *at = user->getBlock()->findAncestorOpInBlock(*load);
      if (at && at != user && user->isBeforeInBlock(at)) {
        return true;
      }
    }
    return false;
  }

  void load(LoadOp op) {
    if (auto type = mlir::dyn_cast<PartitionType>(op.getSource().getType())) {
      auto part = op.getSource().getDefiningOp<PartitionOp>();
      int tensor = argument(part.getTensor());
      std::vector<Poly> at = indices(op.getIndices());
      bounds("load.bounds", op, type, tensor, at);
      oweWhole(op, tensor, type.getTensor(), tileExtents(type.getTile()), at);
    } else {
      const Site *site = pieces.find(op.getSource())->second;
      auto tensor = mlir::cast<TileTensorType>(
          k.kernel.getBody()->getArgument(site->tensor).getType());
      if (tensor.getMode() == Mode::Out) {
        base.owe("load.defined", "stored before",
                 Poly(writtenBefore(op) ? 0 : -1), op, false, site->tensor);
      }
      oweWhole(op, site->tensor, tensor, site->tile, site->indices);
    }
    unknown(op.getResult());
  }

  void loop(mlir::scf::ForOp op) {
    Poly low = integer(op.getLowerBound()), high = integer(op.getUpperBound()),
         step = integer(op.getStep());
    base.owe("loop.step", "step", step - 1, op, true);
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
    base.owe("loop.width", "counter + step", Poly(max) - counter - step, op,
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

  void branch(mlir::Region &region, const Condition &c) {
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

  void conditional(mlir::scf::IfOp op) {
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

  void constant(mlir::arith::ConstantOp op) {
    auto value = mlir::dyn_cast<mlir::IntegerAttr>(op.getValue());
    if (!value) {
      return;
    }
    if (op.getType().isInteger(1)) {
      conditions.insert_or_assign(
          op.getResult(), Condition::constant(!value.getValue().isZero()));
      return;
    }
    Int v = value.getValue().getSExtValue(), max = base.width.indexMax();
    if (op.getType().isIndex() && (v > max || v < -max - 1)) {
      base.owe("index.width", "constant", v > max ? max - v : v + max + 1, op,
               false);
    }
    integers[op.getResult()] = Poly(v);
  }

  void castToIndexOrBack(mlir::arith::IndexCastOp op) {
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

  void extendUnsigned(mlir::arith::ExtUIOp op) {
    if (!isInteger(op.getType())) {
      return;
    }
    std::string name = valueName(op.getResult());
    if (op.getIn().getType().isInteger(1)) {
      auto p = choose(condition(op.getIn()), Poly(1), Poly(0), name);
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

  void extendSigned(mlir::arith::ExtSIOp op) {
    if (!isInteger(op.getType())) {
      return;
    }
    if (!op.getIn().getType().isInteger(1)) {
      integers[op.getResult()] = integer(op.getIn());
      return;
    }
    auto p = choose(condition(op.getIn()), Poly(-1), Poly(0),
                    valueName(op.getResult()));
    if (p) {
      integers[op.getResult()] = *p;
    } else {
      unknown(op.getResult());
    }
  }

  void logic(Operation *op) {
    Condition a = condition(op->getOperand(0)),
              b = condition(op->getOperand(1));
    Condition c = mlir::isa<mlir::arith::AndIOp>(op) ? Condition::both(a, b)
                  : mlir::isa<mlir::arith::OrIOp>(op)
                      ? Condition::either(a, b)
                      : Condition::either(Condition::both(a, b.negated()),
                                          Condition::both(a.negated(), b));
    conditions.insert_or_assign(op->getResult(0), c);
  }

  void tileOperation(Operation *op) {
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
          Poly e = extents(k, type.getTensor())[n.getAxis()];
          Poly t(tileExtents(type.getTile())[n.getAxis()]);
          base.owe("index.division", "divisor", t - 1, op, true);
          base.owe("index.division", "rounded dividend", e + t - 1, op, true);
          integers[n.getResult()] =
              base.divide(e + t - 1, t, valueName(n.getResult())).first;
        })
        .Case<ClaimOp>([&](ClaimOp c) { claim(c); })
        .Case<LoadOp>([&](LoadOp l) { load(l); })
        .Case<StoreOp>([&](StoreOp s) {
          k.writes.push_back({s, pieces.find(s.getPiece())->second, trips,
                              base.visible(), certain});
        })
        .Default([&](Operation *other) { results(other); });
  }

  /// Of an op whose results are not followed.
  void results(Operation *op) {
    for (Value r : op->getResults()) {
      unknown(r);
    }
  }

  void operation(Operation *op) {
    if (op->getDialect()->getNamespace() == "tile") {
      tileOperation(op);
      return;
    }
    using namespace mlir::arith;
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
            arithmetic(op, in(0) * in(1));
          }
        })
        .Case<DivSIOp, CeilDivSIOp, RemSIOp>([&](auto) { division(op); })
        .Case<MinSIOp>([&](auto) {
          if (scalar) {
            integers[op->getResult(0)] = base.select(
                in(1) - in(0), in(0), in(1), valueName(op->getResult(0)));
          }
        })
        .Case<MaxSIOp>([&](auto) {
          if (scalar) {
            integers[op->getResult(0)] = base.select(
                in(0) - in(1), in(0), in(1), valueName(op->getResult(0)));
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
            logic(op);
          } else if (scalar) {
            unknown(op->getResult(0));
          }
        })
        .Default([&](Operation *) { results(op); });
  }
};
} // namespace

void oweBody(KernelFacts &k) { Walk(k).run(); }

} // namespace girih::checker
