// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over a kernel's operations in program order: what each owes, and
// what is known after it.

#include "checker/Generate.h"
#include "checker/Lanes.h"
#include "ir/Reader.h"

#include "mlir/IR/TypeUtilities.h"
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
  Scalars scalars;
  llvm::DenseMap<Value, Poly> &integers = scalars.integers;
  llvm::DenseMap<Value, Condition> &conditions = scalars.conditions;
  llvm::DenseMap<Value, const Site *> pieces;
  llvm::DenseMap<Value, View> views; ///< but for tensors themselves
  std::vector<std::pair<Operation *, Var>> trips;
  /// Whether the facts in scope are all that it takes to get here.
  bool certain = true;

  void block(mlir::Block &b) {
    for (Operation &op : b) {
      operation(&op);
    }
  }

  const Poly &integer(Value v) { return scalars.integer(v); }
  Condition condition(Value v) { return scalars.condition(v); }
  unsigned bits(mlir::Type t) const { return integerBits(t, base.width); }
  View viewOf(Value tensor) const {
    auto it = views.find(tensor);
    if (it != views.end()) {
      return it->second;
    }
    auto type = mlir::cast<TileTensorType>(tensor.getType());
    return wholeView(mlir::cast<mlir::BlockArgument>(tensor).getArgNumber(),
                     extents(k, type));
  }

  /// A value about which only its type is known.
  void unknown(Value v) {
    if (isInteger(v.getType())) {
      fresh(v);
    }
  }

  Var fresh(Value v) {
    Variable x;
    x.kind = Variable::Kind::Value;
    x.name = valueName(v);
    x.value = v;
    const Poly &p = integers[v] = unknownInteger(base, x, v.getType());
    return p.terms()[0].vars[0];
  }

  /// The result of arithmetic: `index` must fit, iN wraps. What is too large
  /// to follow as a polynomial is not known to fit.
  void arithmetic(Operation *op, const Poly &exact) {
    Value r = op->getResult(0);
    bool index = r.getType().isIndex();
    if (index) {
      oweWidth(op, exact);
    }
    if (exact.overflowed()) {
      unknown(r);
    } else {
      integers[r] =
          index ? exact : base.wrap(exact, bits(r.getType()), valueName(r));
    }
  }

  void oweWidth(Operation *op, const Poly &exact) {
    if (exact.overflowed()) {
      base.owe("index.width", "upper, too large to follow", Poly(-1), op,
               false);
      base.owe("index.width", "lower, too large to follow", Poly(-1), op,
               false);
      return;
    }
    base.owe("index.width", "upper", Poly(base.width.indexMax()) - exact, op,
             false);
    base.owe("index.width", "lower", exact + base.width.indexMax() + 1, op,
             false);
  }

  /// An op of arith on vectors: what each of its lanes owes. What the lanes
  /// are is followed when it is asked for.
  void lanes(Operation *op) {
    auto type = mlir::cast<mlir::VectorType>(op->getResult(0).getType());
    mlir::Type element = type.getElementType();
    using namespace mlir::arith;
    size_t outside = base.mark();
    LaneReader reader(k, scalars, op);
    if (mlir::isa<DivSIOp, CeilDivSIOp, RemSIOp>(op)) {
      if (element.isInteger(1)) {
        base.owe("index.division", "divisor", Poly(-1), op, false);
      } else {
        reader.divided(op, reader.any(type));
      }
    } else if (!element.isIndex()) {
      return;
    } else if (auto c = mlir::dyn_cast<ConstantOp>(op)) {
      auto dense = mlir::cast<mlir::DenseElementsAttr>(c.getValue());
      size_t count = dense.isSplat() ? 1 : dense.getNumElements();
      for (const llvm::APInt &n :
           llvm::make_range(dense.value_begin<llvm::APInt>(),
                            dense.value_begin<llvm::APInt>() + count)) {
        if (!oweConstant(op, n.getSExtValue())) {
          break;
        }
      }
    } else if (mlir::isa<AddIOp, SubIOp, MulIOp>(op) ||
               (mlir::isa<IndexCastOp>(op) &&
                bits(mlir::getElementTypeOrSelf(op->getOperand(0))) >
                    base.width.bits)) {
      oweWidth(op, reader.exact(op, reader.any(type)));
    }
    base.release(outside);
  }

  /// True when an index holds the constant, which then owes nothing.
  bool oweConstant(Operation *op, Int v) {
    Int max = base.width.indexMax();
    bool fits = v <= max && v >= -max - 1;
    if (!fits) {
      base.owe("index.width", "constant", v > max ? max - v : v + max + 1, op,
               false);
    }
    return fits;
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
    return compare(op.getPredicate(), integer(op.getLhs()),
                   integer(op.getRhs()));
  }

  void choice(Value result, const Condition &c, Value a, Value b) {
    if (result.getType().isInteger(1)) {
      conditions.insert_or_assign(result,
                                  choose(c, condition(a), condition(b)));
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

  void bounds(const char *rule, Operation *op, PartitionType type,
              const View &view, llvm::ArrayRef<Poly> indices) {
    const std::vector<Poly> &e = view.extents;
    int tensor = view.tensor;
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

  std::vector<Poly> numbers(llvm::ArrayRef<ViewNumber> list) {
    std::vector<Poly> out;
    for (const ViewNumber &n : list) {
      if (auto *constant = std::get_if<int64_t>(&n)) {
        out.push_back(Poly(*constant));
      } else if (auto *name = std::get_if<mlir::StringAttr>(&n)) {
        out.push_back(Poly::variable(k.symbols.at(name->str())));
      } else {
        out.push_back(integer(std::get<Value>(n)));
      }
    }
    return out;
  }

  View slice(ViewOp op, View v) {
    std::vector<Poly> offsets = numbers(op.getOffsets()),
                      sizes = numbers(op.getSizes());
    for (size_t i = 0; i < sizes.size(); ++i) {
      std::string axis = "axis " + std::to_string(i);
      base.owe("view.slice", axis + ", offset", offsets[i], op, true);
      base.owe("view.slice", axis + ", size", sizes[i], op, true);
      base.owe("view.slice", axis + ", end",
               v.extents[i] - offsets[i] - sizes[i], op, true);
    }
    return sliced(std::move(v), std::move(offsets), std::move(sizes));
  }

  View unfold(ViewOp op, View v) {
    std::vector<Poly> factors = numbers(op.getFactors());
    Poly product(1);
    for (const Poly &f : factors) {
      product = product * f;
    }
    Poly extent = v.extents[op.getAxis()];
    base.owe("view.unfold", "not too many", extent - product, op, true);
    base.owe("view.unfold", "not too few", product - extent, op, true);
    return unfolded(std::move(v), op.getAxis(), std::move(factors));
  }

  View fix(ViewOp op, View v) {
    Poly at = numbers({op.getCoordinate()})[0];
    base.owe("view.fix", "lower", at, op, true);
    base.owe("view.fix", "upper", v.extents[op.getAxis()] - 1 - at, op, true);
    return fixed(std::move(v), op.getAxis(), std::move(at));
  }

  void view(ViewOp op) {
    View v = viewOf(op.getTensor());
    switch (op.getKind()) {
    case ViewKind::Slice:
      v = slice(op, std::move(v));
      break;
    case ViewKind::Permute: {
      auto permutation = op.getPermutation();
      v = permuted(std::move(v), {permutation.begin(), permutation.end()});
      break;
    }
    case ViewKind::Unfold:
      v = unfold(op, std::move(v));
      break;
    case ViewKind::Fix:
      v = fix(op, std::move(v));
      break;
    }
    views[op.getResult()] = std::move(v);
  }

  void claim(ClaimOp op) {
    auto type = mlir::cast<PartitionType>(op.getPartition().getType());
    auto site = std::make_unique<Site>();
    site->op = op;
    site->view = viewOf(partitionOf(op).getTensor());
    site->tensor = site->view.tensor;
    site->tile = tileExtents(type.getTile());
    site->indices = indices(op.getIndices());
    site->trips = trips;
    bounds("claim.bounds", op, type, site->view, site->indices);
    site->facts = base.visible();
    site->lookups = base.lookups();
    pieces[op.getResult()] = site.get();
    k.sites.push_back(std::move(site));
  }

  /// Without pad a tile must lie inside, on every axis that is tiled.
  void oweWhole(LoadOp op, const View &view, llvm::ArrayRef<int64_t> tile,
                llvm::ArrayRef<Poly> at) {
    if (op.getPad()) {
      return;
    }
    const std::vector<Poly> &e = view.extents;
    for (size_t i = 0; i < e.size(); ++i) {
      if (tile[i] > 1) {
        base.owe("load.pad", "axis " + std::to_string(i),
                 e[i] - at[i] * Poly(tile[i]) - Poly(tile[i]), op, true,
                 view.tensor);
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

  /// One element of a shared tensor, which is a function of its place.
  void lookup(LoadOp op, int tensor, std::vector<Poly> at) {
    Lookup l{tensor, std::move(at)};
    std::vector<Lookup> before = comparedLookups(k, base.lookups());
    size_t mark = base.mark();
    l.value = fresh(op.getResult());
    base.addLookup(l, mark);
    assumeGiven(k, l);
    for (const Lookup &other : before) {
      if (other.tensor == tensor) {
        assumeGiven(k, other, l);
      }
    }
  }

  void load(LoadOp op) {
    if (auto type = mlir::dyn_cast<PartitionType>(op.getSource().getType())) {
      View view = viewOf(partitionOf(op.getSource()).getTensor());
      std::vector<Poly> at = indices(op.getIndices());
      bounds("load.bounds", op, type, view, at);
      oweWhole(op, view, tileExtents(type.getTile()), at);
      bool keeps = type.getTensor().getMode() == Mode::Shared;
      if (keeps && isInteger(op.getType())) {
        // All axes are unit: the index is the element.
        return lookup(op, view.tensor, view.map(at));
      }
    } else {
      const Site *site = pieces.find(op.getSource())->second;
      auto tensor = mlir::cast<TileTensorType>(
          k.kernel.getBody()->getArgument(site->tensor).getType());
      if (tensor.getMode() == Mode::Out) {
        base.owe("load.defined", "stored before",
                 Poly(writtenBefore(op) ? 0 : -1), op, false, site->tensor);
      }
      oweWhole(op, site->view, site->tile, site->indices);
    }
    unknown(op.getResult());
  }

  void iota(IotaOp op) {
    auto type = mlir::cast<mlir::VectorType>(op.getType());
    if (type.getElementType().isIndex()) {
      oweConstant(op, type.getDimSize(op.getAxis()) - 1);
    }
  }

  /// A lane that the mask lets through; true when the facts say all of that.
  bool assumeMask(LaneReader &reader, Value mask, const Lane &at) {
    if (!mask) {
      return true;
    }
    Condition c = reader.condition(mask, at);
    for (Fact &f : c.facts()) {
      base.assume(std::move(f), Origin::Kind::Path,
                  "the lane is not masked out");
    }
    return c.isExact();
  }

  /// Where a lane goes.
  std::vector<Poly> place(LaneReader &reader, mlir::ValueRange indices,
                          const Lane &at) {
    std::vector<Poly> out;
    for (Value v : indices) {
      out.push_back(reader.integer(v, at));
    }
    return out;
  }

  void laneBounds(const char *rule, Operation *op, const View &view,
                  llvm::ArrayRef<Poly> at) {
    for (size_t i = 0; i < at.size(); ++i) {
      std::string axis = "axis " + std::to_string(i);
      base.owe(rule, axis + ", lower", at[i], op, true, view.tensor);
      base.owe(rule, axis + ", upper", view.extents[i] - 1 - at[i], op, true,
               view.tensor);
    }
  }

  void gather(GatherOp op) {
    size_t outside = base.mark();
    LaneReader reader(k, scalars, op);
    Lane lane =
        reader.any(mlir::cast<mlir::VectorType>(op.getResult().getType()));
    assumeMask(reader, op.getMask(), lane);
    laneBounds("gather.bounds", op, viewOf(op.getTensor()),
               place(reader, op.getIndices(), lane));
    base.release(outside);
  }

  /// Of two lanes the first is the smaller one on the first axis on which they
  /// differ.
  static Fact lanesDiffer(const Lane &a, const Lane &b) {
    std::vector<std::vector<Atom>> ways;
    std::vector<Atom> equalSoFar;
    for (size_t i = 0; i < a.size(); ++i) {
      Poly gap = b[i] - a[i];
      if (gap.constant()) {
        continue; // an axis of one lane
      }
      ways.push_back(equalSoFar);
      ways.back().push_back({false, gap - 1});
      equalSoFar.push_back({true, gap});
    }
    return Fact::anyOf(std::move(ways));
  }

  /// A claim of the element of each lane, and the store to it.
  void scatter(ScatterOp op) {
    size_t outside = base.mark();
    auto type = mlir::cast<mlir::VectorType>(op.getValue().getType());
    LaneReader reader(k, scalars, op);
    Lane lane = reader.any(type);
    bool all = assumeMask(reader, op.getMask(), lane);
    auto site = std::make_unique<Site>();
    site->op = op;
    site->view = viewOf(op.getTensor());
    site->tensor = site->view.tensor;
    site->indices = place(reader, op.getIndices(), lane);
    site->tile.assign(site->indices.size(), 1);
    site->trips = trips;
    for (const Poly &p : lane) {
      if (!p.constant()) {
        site->lanes.push_back(p.terms()[0].vars[0]);
      }
    }
    laneBounds("scatter.bounds", op, site->view, site->indices);
    site->facts = base.visible();
    site->lookups = base.lookups();
    k.writes.push_back({op, site.get(), trips, base.visible(), base.lookups(),
                        certain && all});
    Lane other = reader.any(type, true);
    assumeMask(reader, op.getMask(), other);
    std::vector<Poly> there = place(reader, op.getIndices(), other);
    base.assume(lanesDiffer(lane, other), Origin::Kind::Distinct,
                "the lanes differ");
    std::vector<Poly> splits;
    for (size_t i = 0; i < there.size(); ++i) {
      base.assume(Fact::zero(site->indices[i] - there[i]), Origin::Kind::Region,
                  "the lanes meet");
    }
    for (size_t i = 0; i < lane.size(); ++i) {
      splits.push_back(lane[i] - other[i]);
    }
    base.owe("scatter.lanes", "two lanes", Poly(-1), op, false, site->tensor,
             nullptr, std::move(splits));
    base.release(outside);
    k.sites.push_back(std::move(site));
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
    Int v = value.getValue().getSExtValue();
    if (op.getType().isIndex()) {
      oweConstant(op, v);
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

  void extendSigned(mlir::arith::ExtSIOp op) {
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

  /// Owed part by part; what is proved is a fact, and of an equality both
  /// halves are, one after the other. Of alternatives a number says that one
  /// holds.
  void prove(ProveOp op, const Condition &c) {
    using K = Condition::Kind;
    const char *rule = proveRule(op.getRule());
    auto owe = [&](const char *label, const Poly &goal) {
      base.owe(rule, label, goal, op, true);
    };
    switch (c.getKind()) {
    case K::And:
      prove(op, c.left());
      prove(op, c.right());
      return;
    case K::AtLeastZero:
      return owe("holds", c.poly());
    case K::Zero:
      owe("not below", c.poly());
      return owe("not above", -c.poly());
    case K::Or:
    case K::Unknown:
      auto one = choose(base, c, Poly(1), Poly(0), "holds");
      return owe(one ? "holds" : "a condition too large to follow",
                 one ? *one - 1 : Poly(-1));
    }
  }

  void trust(TrustOp op) {
    for (Fact &f : condition(op.getCondition()).facts()) {
      base.assume(std::move(f), Origin::Kind::Trust,
                  op.getText() ? op.getText()->str() : "trusted");
    }
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
          Poly e = viewOf(partitionOf(n.getPartition()).getTensor())
                       .extents[n.getAxis()];
          Poly t(tileExtents(type.getTile())[n.getAxis()]);
          base.owe("index.division", "divisor", t - 1, op, true);
          base.owe("index.division", "rounded dividend", e + t - 1, op, true);
          integers[n.getResult()] =
              base.divide(e + t - 1, t, valueName(n.getResult())).first;
        })
        .Case<NameOp>([&](NameOp n) {
          integers[n.getResult()] =
              base.alias(integer(n.getValue()), valueName(n.getResult()));
        })
        .Case<ProveOp>(
            [&](ProveOp p) { prove(p, condition(p.getCondition())); })
        .Case<TrustOp>([&](TrustOp t) { trust(t); })
        .Case<ViewOp>([&](ViewOp v) { view(v); })
        .Case<IotaOp>([&](IotaOp i) { iota(i); })
        .Case<GatherOp>([&](GatherOp g) { gather(g); })
        .Case<ScatterOp>([&](ScatterOp s) { scatter(s); })
        .Case<ClaimOp>([&](ClaimOp c) { claim(c); })
        .Case<LoadOp>([&](LoadOp l) { load(l); })
        .Case<StoreOp>([&](StoreOp s) {
          k.writes.push_back({s, pieces.find(s.getPiece())->second, trips,
                              base.visible(), base.lookups(), certain});
        })
        .Case<AtomicOp>([&](AtomicOp a) {
          View view = viewOf(partitionOf(a.getPartition()).getTensor());
          bounds("atomic.bounds", a,
                 mlir::cast<PartitionType>(a.getPartition().getType()), view,
                 indices(a.getIndices()));
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
            conditions.insert_or_assign(op->getResult(0),
                                        logic(op, condition(op->getOperand(0)),
                                              condition(op->getOperand(1))));
          } else if (scalar) {
            unknown(op->getResult(0));
          }
        })
        .Default([&](Operation *) { results(op); });
  }
};
} // namespace

void oweBody(KernelFacts &k) { Walk(k).run(); }

const char *proveRule(ProveKind kind) {
  switch (kind) {
  case ProveKind::Holds:
    return "prove.holds";
  case ProveKind::Domain:
    return "map.domain";
  case ProveKind::Into:
    return "map.into";
  case ProveKind::Inverse:
    return "map.inverse";
  case ProveKind::Count:
    return "map.count";
  }
  return "prove.holds";
}

} // namespace girih::checker
