// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/readback/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace girih::tile;
using namespace mlir::arith;

namespace girih::readback {

unsigned widthOf(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (element.isIndex()) {
    return 64;
  }
  auto integer = mlir::dyn_cast<mlir::IntegerType>(element);
  return integer ? integer.getWidth() : 0;
}

std::vector<int64_t> shapeOf(mlir::Type type) {
  auto vector = mlir::dyn_cast<mlir::VectorType>(type);
  return vector ? std::vector<int64_t>(vector.getShape())
                : std::vector<int64_t>{};
}

bool isStill(TileTensorType root, size_t axis) {
  if (root.getMode() != Mode::Shared || root.getStrides().empty()) {
    return false;
  }
  auto stride = mlir::dyn_cast<mlir::IntegerAttr>(root.getStrides()[axis]);
  return stride && stride.getInt() == 0;
}

bool isElement(mlir::Type type, const std::string &name) {
  std::string own;
  llvm::raw_string_ostream(own) << type;
  bool isByte = mlir::isa<mlir::Float8E8M0FNUType>(type) || type.isInteger(4);
  return llvm::StringRef(name).equals_insensitive(own) ||
         (type.isIndex() && name == "i64") || (isByte && name == "i8");
}

int64_t modeOf(AtomicKind kind, bool isFloat) {
  static constexpr std::pair<AtomicKind, int64_t> modes[] = {
      {AtomicKind::And, 0}, {AtomicKind::Or, 1},  {AtomicKind::Xor, 2},
      {AtomicKind::Add, 3}, {AtomicKind::Max, 5}, {AtomicKind::Min, 6}};
  for (auto [of, number] : modes) {
    if (of == kind) {
      return number + (isFloat ? 1 : 0);
    }
  }
  return -1;
}

KernelValues::KernelValues(KernelOp kernel, Pool &pool)
    : kernel(kernel), pool(pool) {
  for (const LaunchSymbol &s : kernel.getLaunchSymbols()) {
    symbols.try_emplace(s.name, s);
  }
}

const LaunchSymbol *KernelValues::launchSymbol(mlir::StringAttr name) const {
  auto it = symbols.find(name);
  return it == symbols.end() ? nullptr : &it->second;
}

Expr KernelValues::symbol(mlir::StringAttr name) {
  const LaunchSymbol *s = launchSymbol(name);
  return s ? pool.symbol(name.str(), widthOf(s->type))
           : pool.fresh(Kind::Opaque, {}, 64, at);
}

Expr KernelValues::contract(ExprAttr e) {
  if (e.getKind() == ExprKind::Constant) {
    return pool.constant(e.getValue());
  }
  if (e.getKind() == ExprKind::Symbol) {
    return symbol(e.getSymbol());
  }
  Expr a = contract(e.getLhs()), b = contract(e.getRhs());
  switch (e.getKind()) {
  case ExprKind::Add:
    return pool.add(a, b);
  case ExprKind::Sub:
    return pool.subtract(a, b);
  case ExprKind::Mul:
    return pool.multiply(a, b);
  case ExprKind::Div:
    return pool.node(Kind::Quotient, {}, {a, b});
  case ExprKind::CeilDiv:
    return pool.node(Kind::QuotientUp, {}, {a, b});
  case ExprKind::Mod:
    return pool.node(Kind::Rem, {}, {a, b});
  case ExprKind::Min:
    return pool.node(Kind::SMin, {}, {a, b});
  default:
    return pool.node(Kind::SMax, {}, {a, b});
  }
}

bool KernelValues::divides(int64_t tile, Expr extent) {
  if (isConstant(extent)) {
    return constantOf(extent) % tile == 0;
  }
  return llvm::any_of(kernel.getRequirements(), [&](ComparisonAttr c) {
    ExprAttr a = c.getLhs(), b = c.getRhs();
    return c.getKind() == ComparisonKind::Eq && a.getKind() == ExprKind::Mod &&
           b.getKind() == ExprKind::Constant && b.getValue() == 0 &&
           a.getRhs().getKind() == ExprKind::Constant &&
           a.getRhs().getValue() > 0 && a.getRhs().getValue() % tile == 0 &&
           contract(a.getLhs()) == extent;
  });
}

Expr KernelValues::number(const ViewNumber &n) {
  if (auto *constant = std::get_if<int64_t>(&n)) {
    return pool.constant(*constant);
  }
  if (auto *name = std::get_if<mlir::StringAttr>(&n)) {
    return symbol(*name);
  }
  return of(std::get<mlir::Value>(n));
}

Layout KernelValues::layout(mlir::Value tensor) {
  auto view = tensor.getDefiningOp<ViewOp>();
  if (!view) {
    auto type = mlir::cast<TileTensorType>(tensor.getType());
    auto size = [&](mlir::Attribute a) {
      auto name = mlir::dyn_cast<mlir::StringAttr>(a);
      return name ? symbol(name)
                  : pool.constant(mlir::cast<mlir::IntegerAttr>(a).getInt());
    };
    Layout l{pool.constant(0), {}, {}};
    for (mlir::Attribute dim : type.getDims()) {
      l.extents.push_back(size(dim));
    }
    l.strides.assign(l.extents.size(), pool.constant(1));
    for (size_t k = l.extents.size(); k-- > 0;) {
      if (!type.getStrides().empty()) {
        l.strides[k] = size(type.getStrides()[k]);
      } else if (k + 1 < l.extents.size()) {
        l.strides[k] = pool.multiply(l.strides[k + 1], l.extents[k + 1]);
      }
    }
    return l;
  }
  Layout l = layout(view.getTensor());
  auto move = [&](Expr coordinate, size_t axis) {
    l.offset = pool.add(l.offset, pool.multiply(coordinate, l.strides[axis]));
  };
  switch (view.getKind()) {
  case ViewKind::Slice: {
    auto offsets = view.getOffsets(), sizes = view.getSizes(),
         steps = view.getStepNumbers();
    for (size_t k = 0; k < sizes.size(); ++k) {
      move(number(offsets[k]), k);
      l.extents[k] = number(sizes[k]);
      l.strides[k] = pool.multiply(l.strides[k], number(steps[k]));
    }
    return l;
  }
  case ViewKind::Permute: {
    Layout turned{l.offset, {}, {}};
    for (unsigned axis : view.getPermutation()) {
      turned.extents.push_back(l.extents[axis]);
      turned.strides.push_back(l.strides[axis]);
    }
    return turned;
  }
  case ViewKind::Unfold: {
    unsigned axis = view.getAxis();
    std::vector<Expr> extents, strides;
    Expr stride = l.strides[axis];
    for (const ViewNumber &factor : llvm::reverse(view.getFactors())) {
      extents.insert(extents.begin(), number(factor));
      strides.insert(strides.begin(), stride);
      stride = pool.multiply(stride, extents.front());
    }
    auto put = [&](std::vector<Expr> &list, const std::vector<Expr> &parts) {
      list.erase(list.begin() + axis);
      list.insert(list.begin() + axis, parts.begin(), parts.end());
    };
    put(l.extents, extents);
    put(l.strides, strides);
    return l;
  }
  case ViewKind::Fix: {
    unsigned axis = view.getAxis();
    move(number(view.getCoordinate()), axis);
    l.extents.erase(l.extents.begin() + axis);
    l.strides.erase(l.strides.begin() + axis);
    return l;
  }
  case ViewKind::Flatten: {
    unsigned axis = view.getAxis();
    l.extents[axis + 1] = pool.multiply(l.extents[axis], l.extents[axis + 1]);
    l.extents.erase(l.extents.begin() + axis);
    l.strides.erase(l.strides.begin() + axis);
    return l;
  }
  }
  return l;
}

/// The launcher counts blocks with the last axis of the grid as the fastest.
std::vector<Expr> KernelValues::blockIds() {
  auto grid = kernel.getGridExprs();
  std::vector<Expr> ids(grid.size());
  Expr rest = pool.node(Kind::Block, {}, {}, 32);
  for (size_t k = grid.size(); k-- > 1;) {
    Expr dim = contract(grid[k]);
    ids[k] = pool.node(Kind::Rem, {}, {rest, dim});
    rest = pool.node(Kind::Quotient, {}, {rest, dim});
  }
  if (!ids.empty()) {
    ids[0] = rest;
  }
  return ids;
}

void KernelValues::set(mlir::Value v, Kind kind, std::vector<int64_t> numbers) {
  unsigned bits = widthOf(v.getType());
  known[v] = pool.node(kind, std::move(numbers),
                       pool.lanes(shapeOf(v.getType())), bits ? bits : 64);
}

Expr KernelValues::binary(mlir::Operation *op, Kind kind) {
  Expr a = of(op->getOperand(0)), b = of(op->getOperand(1));
  return pool.wrap(widthOf(op->getResult(0).getType()),
                   pool.node(kind, {}, {a, b}));
}

/// As it is lowered: a lane counts the elements from its tile's first one on.
/// An index of 2^40 or more names no tile, since no extent is larger.
Expr KernelValues::inside(InsideOp op) {
  PartitionOp partition = girih::tile::partitionOf(op.getPartition());
  Layout from = layout(partition.getTensor());
  constexpr int64_t notBelow = 5, isSigned = 1;
  Expr zero = pool.constant(0), all = pool.constant(-1);
  std::vector<int64_t> shape;
  for (auto [k, of_] : llvm::enumerate(op.getIndices())) {
    Expr index = of(of_);
    shape.push_back(std::max<int64_t>(partition.getTile()[k], 1));
    Expr low =
        pool.node(Kind::SMin, {}, {index, pool.constant(int64_t(1) << 40)});
    Expr rest = pool.subtract(from.extents[k],
                              pool.multiply(low, pool.constant(shape.back())));
    Expr isTile = pool.node(Kind::Compare, {notBelow, isSigned}, {index, zero});
    Expr count = pool.node(Kind::Select, {}, {isTile, rest, zero});
    all = pool.both(
        all,
        pool.lessThan(pool.lane(static_cast<int64_t>(k), shape.back()), count));
  }
  return pool.reshape(all, shape, shapeOf(op.getType()));
}

/// Null for what is not followed.
Expr KernelValues::compute(mlir::Operation *op) {
  mlir::Type type = op->getResult(0).getType();
  unsigned bits = widthOf(type);
  auto at = [&](unsigned i) { return of(op->getOperand(i)); };
  auto sized = [&](Kind kind) {
    unsigned work = bits == 1 ? 8 : bits; // truths are compared as bytes
    return pool.wrap(bits, pool.node(kind, {work}, {at(0), at(1)}, work));
  };
  return llvm::TypeSwitch<mlir::Operation *, Expr>(op)
      .Case([&](SymbolOp x) { return symbol(x.getSymbolAttr()); })
      .Case([&](BlockIdOp x) { return blockIds()[x.getAxis()]; })
      .Case([&](GridDimOp x) {
        return contract(kernel.getGridExprs()[x.getAxis()]);
      })
      .Case([&](NumTilesOp x) {
        PartitionOp partition = girih::tile::partitionOf(x.getPartition());
        int64_t tile = partition.getTile()[x.getAxis()];
        return pool.node(Kind::QuotientUp, {},
                         {layout(partition.getTensor()).extents[x.getAxis()],
                          pool.constant(std::max<int64_t>(tile, 1))});
      })
      .Case([&](InsideOp x) { return inside(x); })
      .Case([&](NameOp x) { return of(x.getValue()); })
      .Case([&](IotaOp x) {
        auto axis = static_cast<int64_t>(x.getAxis());
        return pool.wrap(bits, pool.lane(axis, shapeOf(type)[axis]));
      })
      .Case([&](ConstantOp x) -> Expr {
        if (auto dense =
                mlir::dyn_cast<mlir::DenseElementsAttr>(x.getValue())) {
          if (dense.isSplat()) {
            return pool.constant(
                dense.getSplatValue<llvm::APInt>().getSExtValue());
          }
          std::vector<int64_t> table;
          for (const llvm::APInt &n : dense.getValues<llvm::APInt>()) {
            table.push_back(n.getSExtValue());
          }
          return pool.node(Kind::Table, table, pool.lanes(shapeOf(type)), bits);
        }
        return pool.constant(mlir::cast<mlir::IntegerAttr>(x.getValue())
                                 .getValue()
                                 .getSExtValue());
      })
      .Case<AddIOp>(
          [&](auto) { return pool.wrap(bits, pool.add(at(0), at(1))); })
      .Case<SubIOp>(
          [&](auto) { return pool.wrap(bits, pool.subtract(at(0), at(1))); })
      .Case<MulIOp>(
          [&](auto) { return pool.wrap(bits, pool.multiply(at(0), at(1))); })
      .Case<DivSIOp>([&](auto) { return binary(op, Kind::Quotient); })
      .Case<CeilDivSIOp>([&](auto) { return binary(op, Kind::QuotientUp); })
      .Case<RemSIOp>([&](auto) { return binary(op, Kind::Rem); })
      .Case<MinSIOp>([&](auto) { return binary(op, Kind::SMin); })
      .Case<MaxSIOp>([&](auto) { return binary(op, Kind::SMax); })
      .Case<MinUIOp>([&](auto) { return sized(Kind::UMin); })
      .Case<MaxUIOp>([&](auto) { return sized(Kind::UMax); })
      .Case<AndIOp>([&](auto) {
        return bits == 1 ? pool.both(at(0), at(1)) : binary(op, Kind::And);
      })
      .Case<OrIOp>([&](auto) { return binary(op, Kind::Or); })
      .Case<XOrIOp>([&](auto) { return binary(op, Kind::Xor); })
      // A bit moves by no place.
      .Case<ShLIOp>(
          [&](auto) { return bits == 1 ? at(0) : binary(op, Kind::ShiftLeft); })
      .Case<ShRSIOp>(
          [&](auto) { return bits == 1 ? at(0) : sized(Kind::ShiftRight); })
      .Case<ShRUIOp>([&](auto) {
        return bits == 1 ? at(0) : sized(Kind::ShiftRightUnsigned);
      })
      .Case([&](CmpIOp x) -> Expr {
        // As Tile IR numbers them.
        static constexpr std::pair<CmpIPredicate, int64_t> predicates[] = {
            {CmpIPredicate::eq, 0},  {CmpIPredicate::ne, 1},
            {CmpIPredicate::slt, 2}, {CmpIPredicate::sle, 3},
            {CmpIPredicate::sgt, 4}, {CmpIPredicate::sge, 5}};
        for (auto [predicate, number] : predicates) {
          if (x.getPredicate() == predicate) {
            return pool.node(Kind::Compare, {number, 1}, {at(0), at(1)});
          }
        }
        return nullptr;
      })
      .Case([&](MmaOp x) {
        Expr product = pool.fresh(Kind::Opaque, shapeOf(type), bits, this->at);
        return pool.wrap(bits, pool.add(of(x.getAcc()), product));
      })
      // Only these two need no float to be known.
      .Case([&](CmpFOp x) -> Expr {
        using enum CmpFPredicate;
        return x.getPredicate() == AlwaysTrue    ? pool.constant(-1)
               : x.getPredicate() == AlwaysFalse ? pool.constant(0)
                                                 : nullptr;
      })
      .Case<IndexCastOp, TruncIOp, ExtSIOp>(
          [&](auto) { return pool.wrap(bits, at(0)); })
      .Case([&](ExtUIOp x) {
        unsigned from = widthOf(x.getIn().getType());
        return from == 4 ? pool.node(Kind::And, {}, {at(0), pool.constant(15)})
                         : pool.node(Kind::Unsigned, {from}, {at(0)}, from + 1);
      })
      .Case<SelectOp>([&](auto) {
        return pool.node(Kind::Select, {}, {at(0), at(1), at(2)});
      })
      .Case([&](mlir::vector::BroadcastOp x) {
        return pool.broadcast(at(0), shapeOf(x.getSourceType()), shapeOf(type));
      })
      .Case([&](mlir::vector::ShapeCastOp x) {
        return pool.reshape(at(0), shapeOf(x.getSource().getType()),
                            shapeOf(type));
      })
      .Case([&](mlir::vector::TransposeOp x) {
        return pool.permute(at(0), shapeOf(x.getVector().getType()),
                            std::vector<int64_t>(x.getPermutation()));
      })
      .Case([&](ExtractOp x) {
        return pool.extract(at(0), shapeOf(type),
                            std::vector<int64_t>(x.getPosition()));
      })
      .Case([&](CatOp x) {
        return pool.cat(at(0), at(1), shapeOf(x.getLhs().getType()),
                        x.getAxis());
      })
      .Default(Expr(nullptr));
}

void KernelValues::evaluate(mlir::Operation *op) {
  for (mlir::Value result : op->getResults()) {
    if (!widthOf(result.getType())) {
      continue; // no integer
    }
    bool followed = op->getNumResults() == 1 &&
                    llvm::all_of(op->getOperands(), [&](mlir::Value v) {
                      return !widthOf(v.getType()) || of(v);
                    });
    if (followed && result.getType().isIndex() &&
        mlir::isa<AddIOp, SubIOp, MulIOp>(op)) {
      char operation = mlir::isa<AddIOp>(op)   ? '+'
                       : mlir::isa<SubIOp>(op) ? '-'
                                               : '*';
      exact.insert({operation, of(op->getOperand(0)), of(op->getOperand(1))});
    }
    Expr e = followed ? compute(op) : nullptr;
    known[result] = e ? e
                      : pool.fresh(Kind::Opaque, shapeOf(result.getType()),
                                   widthOf(result.getType()), at);
  }
}

} // namespace girih::readback
