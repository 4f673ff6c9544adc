// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Lanes.h"

#include "ir/text/Reader.h"
#include "ir/types/Diagnose.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace girih::proofs;
using mlir::Operation;
using mlir::Value;
namespace arith = mlir::arith;
namespace vector = mlir::vector;

namespace girih::checker {

/// So far one reading goes back, and so much it looks at; what lies beyond is
/// unknown. Texts say much in a few lines.
static constexpr size_t maxDepth = 64, maxVisits = 128;

std::string valueName(Value v) {
  std::string name = tile::writtenName(v);
  if (!name.empty()) {
    return name;
  }
  Operation *op = v.getDefiningOp();
  if (!op) {
    return "carried";
  }
  std::string at = tile::locationText(op->getLoc());
  size_t column = at.rfind(':');
  size_t line = column == std::string::npos || column == 0
                    ? std::string::npos
                    : at.rfind(':', column - 1);
  return op->getName().stripDialect().str() +
         (line == std::string::npos ? "" : "@" + at.substr(line + 1));
}

Condition Scalars::condition(Value v) const {
  auto it = conditions.find(v);
  return it == conditions.end() ? Condition::unknown() : it->second;
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
  if (!isTooFar() && v.getDefiningOp()) {
    assumeContents(v.getDefiningOp(), at, p);
  }
  return p;
}

/// What is given of the contents of a tensor holds of a lane that was read
/// from it, unless the lane has the padding.
void LaneReader::assumeContents(Operation *op, const Lane &at,
                                const Poly &value) {
  std::vector<std::vector<Atom>> padded;
  Value tensor;
  if (auto gather = mlir::dyn_cast<tile::GatherOp>(op)) {
    tensor = gather.getTensor();
    if (gather.getMask()) {
      padded = condition(gather.getMask(), at)
                   .negated()
                   .alternatives(8)
                   .value_or(std::vector<std::vector<Atom>>{{}});
    }
  } else if (auto load = mlir::dyn_cast<tile::LoadOp>(op)) {
    auto part = load.getSource().getDefiningOp<tile::PartitionOp>();
    if (!part || !mlir::isa<mlir::BlockArgument>(part.getTensor())) {
      return;
    }
    tensor = part.getTensor();
    std::vector<Poly> e = extents(k, part.getTensor().getType());
    size_t lane = 0;
    for (auto [axis, tile] : llvm::enumerate(part.getTile())) {
      if (tile != 0 && load.getPad()) {
        Poly first = scalars.integer(load.getIndices()[axis]) * Poly(tile);
        padded.push_back({{false, first + at[lane] - e[axis]}});
      }
      lane += tile != 0;
    }
  } else {
    return;
  }
  auto argument = mlir::dyn_cast<mlir::BlockArgument>(tensor);
  for (std::vector<Atom> &way : padded) {
    way.push_back({true, value});
  }
  for (const Given &g : k.givens) {
    bool within = g.kind == tile::GivenKind::Within;
    if (!argument || g.tensor != static_cast<int>(argument.getArgNumber()) ||
        (!within && g.kind != tile::GivenKind::Splits)) {
      continue;
    }
    std::vector<std::vector<Atom>> ways = padded;
    Poly low = within ? g.low : Poly(0), high = within ? g.high - 1 : g.high;
    ways.push_back({{false, value - low}, {false, high - value}});
    base.assume(Fact::anyOf(std::move(ways)), Origin::Kind::Given, g.note);
  }
}

Poly LaneReader::chosen(Value v, const Condition &c, const Poly &a,
                        const Poly &b, const Lane &at) {
  auto p = choose(base, c, a, b, valueName(v));
  return p ? *p : unknown(v, at);
}

Poly LaneReader::compute(Value v, const Lane &at) {
  Operation *op = v.getDefiningOp();
  if (!op) {
    return unknown(v, at);
  }
  if (auto from = moved(op, at)) {
    return integer(from->first, from->second);
  }
  mlir::Type type = mlir::getElementTypeOrSelf(v.getType());
  auto in = [&](unsigned i) { return integer(op->getOperand(i), at); };
  return llvm::TypeSwitch<Operation *, Poly>(op)
      .Case([&](arith::ConstantOp c) {
        auto dense = mlir::cast<mlir::DenseElementsAttr>(c.getValue());
        return dense.isSplat()
                   ? Poly(dense.getSplatValue<llvm::APInt>().getSExtValue())
                   : unknown(v, at);
      })
      .Case([&](tile::IotaOp iota) {
        unsigned bits = integerBits(type, base.width);
        int64_t extent = mlir::cast<mlir::VectorType>(v.getType())
                             .getDimSize(iota.getAxis());
        const Poly &lane = at[iota.getAxis()];
        // That an index holds it was an obligation where the lanes were counted.
        return type.isIndex() || Int(extent) <= Int(1) << (bits - 1)
                   ? lane
                   : base.wrap(lane, bits, valueName(v));
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::IndexCastOp,
            arith::TruncIOp>([&](auto) { return arithmetic(op, at); })
      .Case<arith::DivSIOp, arith::CeilDivSIOp, arith::RemSIOp>(
          [&](auto) { return divided(op, at); })
      .Case([&](arith::MinSIOp) {
        Poly a = in(0), b = in(1);
        return base.select(b - a, a, b, valueName(v));
      })
      .Case([&](arith::MaxSIOp) {
        Poly a = in(0), b = in(1);
        return base.select(a - b, a, b, valueName(v));
      })
      .Case([&](arith::SelectOp s) {
        Condition c = condition(s.getCondition(), at);
        Poly a = in(1), b = in(2);
        return chosen(v, c, a, b, at);
      })
      .Case([&](arith::ExtSIOp e) {
        if (!mlir::getElementTypeOrSelf(e.getIn()).isInteger(1)) {
          return in(0);
        }
        return chosen(v, condition(e.getIn(), at), Poly(-1), Poly(0), at);
      })
      .Case([&](arith::ExtUIOp e) {
        mlir::Type from = mlir::getElementTypeOrSelf(e.getIn());
        if (from.isInteger(1)) {
          return chosen(v, condition(e.getIn(), at), Poly(1), Poly(0), at);
        }
        Poly p = in(0);
        return base.select(p, p,
                           p + Poly(Int(1) << from.getIntOrFloatBitWidth()),
                           valueName(v));
      })
      .Default([&](Operation *) { return unknown(v, at); });
}

Poly LaneReader::exact(Operation *op, const Lane &at) {
  Poly a = integer(op->getOperand(0), at);
  if (op->getNumOperands() == 1) {
    return a;
  }
  Poly b = integer(op->getOperand(1), at);
  return mlir::isa<arith::AddIOp>(op)   ? a + b
         : mlir::isa<arith::SubIOp>(op) ? a - b
                                        : a * b;
}

/// An index fits, an obligation where it was computed; iN wraps.
Poly LaneReader::arithmetic(Operation *op, const Lane &at) {
  Value v = op->getResult(0);
  mlir::Type to = mlir::getElementTypeOrSelf(v.getType()),
             from = mlir::getElementTypeOrSelf(op->getOperand(0).getType());
  Poly p = exact(op, at);
  if (p.overflowed()) {
    return unknown(v, at);
  }
  bool keeps = from != to &&
               integerBits(to, base.width) >= integerBits(from, base.width);
  if (to.isIndex() || keeps) {
    return p;
  }
  return base.wrap(p, integerBits(to, base.width), valueName(v));
}

Poly LaneReader::divided(Operation *op, const Lane &at) {
  Poly a = integer(op->getOperand(0), at), d = integer(op->getOperand(1), at);
  base.emit(Rule::IndexDivision, "divisor", d - 1, asking, true);
  base.emit(Rule::IndexDivision, "dividend", a, asking, true);
  if (mlir::isa<arith::CeilDivSIOp>(op)) {
    a = a + d - 1;
    base.emit(Rule::IndexDivision, "rounded dividend", a, asking, true);
  }
  auto [quotient, rest] = base.divide(a, d, valueName(op->getResult(0)));
  return mlir::isa<arith::RemSIOp>(op) ? rest : quotient;
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
  auto in = [&](unsigned i) { return condition(op->getOperand(i), at); };
  return llvm::TypeSwitch<Operation *, Condition>(op)
      .Case([&](arith::ConstantOp c) {
        auto dense = mlir::cast<mlir::DenseElementsAttr>(c.getValue());
        return dense.isSplat()
                   ? Condition::constant(
                         !dense.getSplatValue<llvm::APInt>().isZero())
                   : Condition::unknown();
      })
      .Case([&](arith::CmpIOp c) {
        if (!isInteger(mlir::getElementTypeOrSelf(c.getLhs()))) {
          return Condition::unknown();
        }
        Poly a = integer(c.getLhs(), at), b = integer(c.getRhs(), at);
        return compare(c.getPredicate(), a, b);
      })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>([&](auto) {
        Condition a = in(0), b = in(1);
        return logic(op, a, b);
      })
      .Case([&](arith::SelectOp) {
        Condition c = in(0), a = in(1), b = in(2);
        return choose(c, a, b);
      })
      .Default([](Operation *) { return Condition::unknown(); });
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
  return std::nullopt;
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
