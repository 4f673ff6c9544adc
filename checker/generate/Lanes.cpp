// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Lanes.h"

#include "mlir/IR/TypeUtilities.h"

using namespace girih::proofs;
using mlir::Operation;
using mlir::Value;
namespace vector = mlir::vector;

namespace girih::checker {

/// So far one reading goes back, and so much it looks at; what lies beyond is
/// unknown. Texts say much in a few lines.
static constexpr size_t maxDepth = 64, maxVisits = 128;

Condition Scalars::condition(Value v) const {
  auto it = conditions.find(v);
  return it == conditions.end() ? Condition::unknown() : it->second;
}

void noteCountedLanes(KernelFacts &k, Value v) {
  if (countedLanes(v)) {
    k.beyondTheory = "the range of a " + valueName(v) +
                     " is known from its op, and the theory takes its type";
  }
}

/// That lanes are followed through an op that the theory takes for opaque.
static void noteParts(KernelFacts &k, Operation *op) {
  k.beyondTheory = "lanes are followed through " +
                   op->getName().getStringRef().str() +
                   ", and the theory takes them for unknown";
}

View Scalars::viewOf(const KernelFacts &k, Value tensor) const {
  auto it = views.find(tensor);
  if (it != views.end()) {
    return it->second;
  }
  auto type = mlir::cast<tile::TileTensorType>(tensor.getType());
  return wholeView(mlir::cast<mlir::BlockArgument>(tensor).getArgNumber(),
                   extents(k, type));
}

Condition isInside(const std::vector<InsideAxis> &axes, const Lane &at) {
  Condition all = Condition::constant(true);
  bool isFirst = true;
  size_t lane = 0;
  for (const InsideAxis &axis : axes) {
    Poly x = axis.isUnit ? axis.first : axis.first + at[lane++];
    Poly rest = axis.extent - 1 - x;
    if (x.overflowed() || rest.overflowed()) {
      return Condition::unknown();
    }
    Condition here = Condition::both(Condition::atLeastZero(std::move(x)),
                                     Condition::atLeastZero(std::move(rest)));
    all = isFirst ? here : Condition::both(std::move(all), std::move(here));
    isFirst = false;
  }
  return all;
}

Lane LaneReader::any(mlir::VectorType type, bool other) {
  Lane at;
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    if (extent == 1) {
      at.push_back(Poly(0));
      continue;
    }
    Variable v;
    v.kind = Variable::Kind::Lane;
    v.op = asking;
    v.axis = axis;
    v.other = other;
    v.name = (other ? "other" : "lane") + std::to_string(axis);
    at.push_back(Poly::variable(base.add(v)));
    base.assume(Fact::atLeastZero(at.back()), Origin::Kind::Loop,
                v.name + " >= 0");
    base.assume(Fact::atLeastZero(Poly(extent - 1) - at.back()),
                Origin::Kind::Loop, v.name + " < " + std::to_string(extent));
  }
  return at;
}

bool LaneReader::isTooFar() const {
  return depth > maxDepth || visits > maxVisits;
}

Poly LaneReader::integer(Value v, const Lane &at) {
  if (!mlir::isa<mlir::VectorType>(v.getType())) {
    return scalars.integer(v);
  }
  for (auto &[lane, p] : known[v]) {
    if (lane == at) {
      return p;
    }
  }
  ++depth, ++visits;
  Poly p = isTooFar() ? unknown(v, at) : compute(v, at);
  --depth;
  known[v].push_back({at, p});
  return p;
}

Poly LaneReader::unknown(Value v, const Lane &at) {
  Variable x;
  x.kind = Variable::Kind::Value;
  x.name = valueName(v) + ".lane";
  x.value = v;
  x.lane = at;
  Poly p = unknownInteger(base, x, mlir::getElementTypeOrSelf(v.getType()));
  noteCountedLanes(k, v);
  if (!isTooFar() && v.getDefiningOp()) {
    assumeContents(v.getDefiningOp(), at, p);
  }
  return p;
}

std::optional<Lookup> LaneReader::elementAt(Operation *op, const Lane &at) {
  Lookup l;
  View view;
  std::vector<Poly> in; // coordinates in the view
  auto isGiven = [&](Value tensor) {
    view = scalars.viewOf(k, tensor);
    l.tensor = view.tensor;
    return llvm::any_of(
        k.givens, [&](const Precondition &g) { return g.tensor == l.tensor; });
  };
  if (auto gather = mlir::dyn_cast<tile::GatherOp>(op)) {
    if (gather.getMask()) {
      l.padded = condition(gather.getMask(), at)
                     .negated()
                     .alternatives(8)
                     .value_or(std::vector<std::vector<Atom>>{{}});
    }
    if (!isGiven(gather.getTensor())) {
      return std::nullopt;
    }
    if (isOrdered(k, l.tensor)) {
      for (Value v : gather.getIndices()) {
        in.push_back(integer(v, at));
      }
    }
  } else if (auto load = mlir::dyn_cast<tile::LoadOp>(op)) {
    auto part = load.getSource().getDefiningOp<tile::PartitionOp>();
    if (!part || !isGiven(part.getTensor())) {
      return std::nullopt;
    }
    size_t lane = 0;
    for (auto [axis, tile] : llvm::enumerate(part.getTile())) {
      Poly x = scalars.integer(load.getIndices()[axis]);
      if (tile != 0) {
        x = x * Poly(tile) + at[lane++];
        if (load.getPad()) {
          l.padded.push_back({{false, x - view.extents[axis]}});
        }
      }
      in.push_back(std::move(x));
    }
  } else {
    return std::nullopt;
  }
  if (isOrdered(k, l.tensor) && !view.flattened) {
    l.at = view.map(in);
  }
  return l;
}

/// The padding of lanes of an integer type; `zero` is the only word for one.
static Int integerPad(Operation *op) {
  auto gather = mlir::dyn_cast<tile::GatherOp>(op);
  mlir::Attribute pad =
      gather ? gather.getPadAttr() : mlir::cast<tile::LoadOp>(op).getPadAttr();
  return tile::wholePad(pad).value_or(0);
}

/// What is given of the contents of a tensor holds of a lane that was read
/// from it, unless the lane has the padding.
void LaneReader::assumeContents(Operation *op, const Lane &at,
                                const Poly &value) {
  std::optional<Lookup> l = elementAt(op, at);
  if (!l) {
    return;
  }
  size_t mark = base.mark(); // behind the definitions of its place
  std::vector<std::vector<Atom>> padded = l->padded;
  for (std::vector<Atom> &way : padded) {
    way.push_back({true, value - Poly(integerPad(op))});
  }
  for (const Precondition &g : k.givens) {
    bool within = g.kind == tile::GivenKind::Within;
    if (g.tensor != l->tensor ||
        (!within && g.kind != tile::GivenKind::Splits)) {
      continue;
    }
    std::vector<std::vector<Atom>> ways = padded;
    Poly low = within ? g.low : Poly(0), high = within ? g.high - 1 : g.high;
    ways.push_back({{false, value - low}, {false, high - value}});
    base.assume(Fact::anyOf(std::move(ways)), Origin::Kind::Given, g.note);
  }
  bool isRead = llvm::none_of(
      l->padded, [](const std::vector<Atom> &way) { return way.empty(); });
  if (isRead && !l->at.empty()) {
    assumeOrder(std::move(*l), value, mark);
  }
}

void LaneReader::assumeOrder(Lookup l, const Poly &value, size_t mark) {
  l.value = value.terms()[0].vars[0];
  for (const Lookup &other : comparedLookups(k, base.lookups())) {
    if (other.tensor == l.tensor) {
      assumeGiven(k, other, l);
    }
  }
  tile::KernelOp kernel = k.kernel;
  k.beyondTheory = "lanes of %" + kernel.getArgName(l.tensor).str() +
                   " are compared, and the theory follows each alone";
  base.addLookup(std::move(l), mark);
}

Poly LaneReader::compute(Value v, const Lane &at) {
  Operation *op = v.getDefiningOp();
  if (!op) {
    return unknown(v, at);
  }
  if (auto from = moved(op, at)) {
    return integer(from->first, from->second);
  }
  if (auto iota = mlir::dyn_cast<tile::IotaOp>(op)) {
    return counted(iota, at);
  }
  if (auto cat = mlir::dyn_cast<tile::CatOp>(op)) {
    Halves h = halves(cat, at);
    Poly a = integer(cat.getLhs(), h.first);
    Poly b = integer(cat.getRhs(), h.second);
    return base.select(h.isFirst, a, b, valueName(v));
  }
  // That an index holds a result was an obligation where it was computed.
  auto p = result(op, at, [](const Poly &) {});
  return p ? *p : unknown(v, at);
}

Poly LaneReader::counted(tile::IotaOp op, const Lane &at) {
  mlir::VectorType type = op.getType();
  const Poly &lane = at[op.getAxis()];
  unsigned bits = integerBits(type.getElementType(), base.width);
  bool holds = type.getElementType().isIndex() ||
               Int(type.getDimSize(op.getAxis())) <= Int(1) << (bits - 1);
  return holds ? lane : base.wrap(lane, bits, valueName(op.getResult()));
}

std::optional<Poly>
LaneReader::result(Operation *op, const Lane &at,
                   llvm::function_ref<void(const Poly &)> emitWidth) {
  auto number = [&](Value v) { return integer(v, at); };
  auto truth = [&](Value v) { return condition(v, at); };
  return integerResult(base, op, asking, {number, truth, emitWidth, false});
}

Condition LaneReader::condition(Value v, const Lane &at) {
  if (!mlir::isa<mlir::VectorType>(v.getType())) {
    return scalars.condition(v);
  }
  ++depth, ++visits;
  Condition c = isTooFar() ? Condition::unknown() : follow(v, at);
  --depth;
  return c;
}

Condition LaneReader::follow(Value v, const Lane &at) {
  Operation *op = v.getDefiningOp();
  if (!op) {
    return Condition::unknown();
  }
  if (auto from = moved(op, at)) {
    return condition(from->first, from->second);
  }
  if (auto cat = mlir::dyn_cast<tile::CatOp>(op)) {
    Halves h = halves(cat, at);
    Condition a = condition(cat.getLhs(), h.first);
    Condition b = condition(cat.getRhs(), h.second);
    return choose(Condition::atLeastZero(std::move(h.isFirst)), a, b);
  }
  if (mlir::isa<tile::InsideOp>(op)) {
    return isInside(scalars.insides.find(v)->second, at);
  }
  auto number = [&](Value v) { return integer(v, at); };
  auto truth = [&](Value v) { return condition(v, at); };
  return conditionResult(op, {number, truth, [](const Poly &) {}, false});
}

std::optional<std::pair<Value, Lane>> LaneReader::moved(Operation *op,
                                                        const Lane &at) {
  if (auto wide = mlir::dyn_cast<vector::BroadcastOp>(op)) {
    Lane from;
    if (auto type = mlir::dyn_cast<mlir::VectorType>(wide.getSourceType())) {
      size_t shift = at.size() - type.getRank();
      for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
        from.push_back(extent == 1 ? Poly(0) : at[axis + shift]);
      }
    }
    return std::pair(Value(wide.getSource()), std::move(from));
  }
  if (auto turn = mlir::dyn_cast<vector::TransposeOp>(op)) {
    Lane from(at.size());
    for (auto [axis, source] : llvm::enumerate(turn.getPermutation())) {
      from[source] = at[axis];
    }
    return std::pair(Value(turn.getVector()), std::move(from));
  }
  if (auto cast = mlir::dyn_cast<vector::ShapeCastOp>(op)) {
    return std::pair(Value(cast.getSource()),
                     recast(cast.getSourceVectorType().getShape(),
                            cast.getResultVectorType().getShape(), at));
  }
  if (auto part = mlir::dyn_cast<tile::ExtractOp>(op)) {
    noteParts(k, op);
    Lane from = at;
    for (auto [axis, extent] : llvm::enumerate(part.getType().getShape())) {
      from[axis] = Poly(Int(part.getPosition()[axis]) * extent) + at[axis];
    }
    return std::pair(Value(part.getValue()), std::move(from));
  }
  return std::nullopt;
}

/// An op that has a result for any operands, owes nothing, and is followed.
static bool isTotal(Operation *op) {
  using namespace mlir::arith;
  if (auto constant = mlir::dyn_cast<ConstantOp>(op)) {
    return constantOf(constant).has_value();
  }
  if (mlir::isa<AndIOp, OrIOp, XOrIOp>(op)) {
    return mlir::getElementTypeOrSelf(op->getResult(0)).isInteger(1);
  }
  return mlir::isa<tile::IotaOp, tile::ExtractOp, tile::CatOp,
                   vector::BroadcastOp, vector::TransposeOp, AddIOp, SubIOp,
                   MulIOp, MinSIOp, MaxSIOp, CmpIOp, SelectOp, IndexCastOp,
                   ExtSIOp, ExtUIOp, TruncIOp>(op);
}

bool LaneReader::isFormula(Value v, size_t deep) {
  if (!mlir::isa<mlir::VectorType>(v.getType())) {
    return true;
  }
  auto [it, isNew] = formulas.try_emplace(v, false);
  Operation *op = v.getDefiningOp();
  if (!isNew || !op || deep > maxDepth || !isTotal(op)) {
    return it->second;
  }
  bool all = llvm::all_of(op->getOperands(),
                          [&](Value x) { return isFormula(x, deep + 1); });
  return formulas[v] = all;
}

/// Both operands are read, and what is known of a lane may rest on its being
/// there: contents are given of elements that exist. So the operand that is not
/// taken is read at its lane that lies nearest; or, where it is a formula of
/// the number, at any number.
LaneReader::Halves LaneReader::halves(tile::CatOp op, const Lane &at) {
  noteParts(k, op);
  auto type = mlir::cast<mlir::VectorType>(op.getLhs().getType());
  size_t axis = op.getAxis();
  Int length = type.getDimSize(axis);
  std::string name = valueName(op.getResult());
  Poly last(length - 1), behind = at[axis] - Poly(length);
  Halves h{last - at[axis], at, at};
  h.first[axis] = length == 1 ? Poly(0)
                  : isFormula(op.getLhs())
                      ? at[axis]
                      : base.select(h.isFirst, at[axis], last, name);
  h.second[axis] = length == 1 ? Poly(0)
                   : isFormula(op.getRhs())
                       ? behind
                       : base.select(h.isFirst, Poly(0), behind, name);
  return h;
}

/// The place in `from` of what lies at `at` in `to`, in row-major order. Axes
/// go together as far as they must, so that those that stay have no division.
Lane LaneReader::recast(llvm::ArrayRef<int64_t> from,
                        llvm::ArrayRef<int64_t> to, const Lane &at) {
  Lane out(from.size());
  for (size_t i = 0, j = 0; i < from.size() || j < to.size();) {
    size_t first = i;
    int64_t have = 1, want = 1;
    Poly number;
    do {
      if (j < to.size() && (want <= have || i == from.size())) {
        number = number * Poly(to[j]) + at[j];
        want *= to[j++];
      } else {
        have *= from[i++];
      }
    } while (have != want);
    for (size_t axis = i; axis-- > first;) {
      have /= from[axis];
      if (have == 1 || from[axis] == 1) {
        out[axis] = from[axis] == 1 ? Poly(0) : number;
        continue;
      }
      base.emit(Rule::IndexDivision, "dividend", number, asking, true);
      std::tie(number, out[axis]) =
          base.divide(number, Poly(from[axis]), "lanes");
    }
  }
  return out;
}

} // namespace girih::checker
