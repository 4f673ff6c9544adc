// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Claims, loads, stores, atomics. A claim is a name for a place: it leaves no
// code.

#include "lower/tileir/Context.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace girih::tile;

namespace girih::tileir {

Place placeOf(mlir::Value source, mlir::OperandRange indices) {
  auto claim = source.getDefiningOp<ClaimOp>();
  return {girih::tile::partitionOf(source),
          claim ? mlir::OperandRange(claim.getIndices()) : indices};
}

unsigned argumentOf(PartitionOp partition) {
  return rootOf(partition.getTensor()).getArgNumber();
}

static std::vector<Value> indicesOf(const Context &c, Place place) {
  std::vector<Value> out;
  for (auto [k, v] : llvm::enumerate(place.indices)) {
    if (!isDropped(place.partition.getTensor().getType(), k)) {
      out.push_back(c[v]);
    }
  }
  return out;
}

static Value partitionAt(Context &c, Place place, mlir::Attribute pad) {
  if (place.partition.getTensor().getDefiningOp()) {
    return makePartitionOfView(c, place.partition, pad);
  }
  std::vector<int64_t> tile(place.partition.getTile());
  return c.partitions.at({argumentOf(place.partition), tile, padKey(pad)});
}

std::vector<int64_t> shapeInMemory(Place place) {
  mlir::Value tensor = place.partition.getTensor();
  std::optional<unsigned> paired = pairedAxis(tensor);
  std::vector<int64_t> shape;
  for (auto [k, extent] : llvm::enumerate(place.partition.getTile())) {
    if (!isDropped(place.partition.getTensor().getType(), k)) {
      shape.push_back(paired == k ? extent / 2 : std::max<int64_t>(extent, 1));
    }
  }
  return shape;
}

/// The axis of that shape along which it is of bytes, two elements each.
static std::optional<unsigned> pairedInMemory(Place place) {
  mlir::Value tensor = place.partition.getTensor();
  std::optional<unsigned> paired = pairedAxis(tensor);
  if (!paired) {
    return std::nullopt;
  }
  unsigned at = 0;
  for (unsigned k = 0; k < *paired; ++k) {
    at += !isDropped(place.partition.getTensor().getType(), k);
  }
  return at;
}

/// Hints of the kernel for its loads: `latency`, and `tma = 0` for loads that
/// are not to go through the tensor copy engine.
static Attribute loadHints(Context &c) {
  Hints hints;
  for (mlir::NamedAttribute target : c.kernel.getHints()) {
    auto entries = mlir::cast<mlir::DictionaryAttr>(target.getValue());
    std::vector<Hint> known;
    if (auto tma = entries.getAs<mlir::IntegerAttr>("tma")) {
      known.push_back({"allow_tma", tma.getInt() != 0, true});
    }
    if (auto latency = entries.getAs<mlir::IntegerAttr>("latency")) {
      known.push_back({"latency", latency.getInt()});
    }
    if (!known.empty()) {
      hints.push_back({target.getName().str(), std::move(known)});
    }
  }
  return hints.empty() ? Attribute() : Attribute(hints);
}

std::vector<Attribute> plainAccess(Context &c, unsigned argument) {
  auto type =
      mlir::cast<TileTensorType>(c.kernel.getArguments()[argument].getType());
  if (type.getMode() == Mode::Raw) {
    return {int64_t(Semantics::Relaxed), int64_t(Scope::Device), {}};
  }
  return {int64_t(Semantics::Weak), {}, {}};
}

bool divides(Context &c, Place place, size_t axis) {
  int64_t tile = place.partition.getTile()[axis];
  if (tile <= 1) {
    return true;
  }
  mlir::Attribute dim = place.partition.getTensor().getType().getDims()[axis];
  if (auto constant = mlir::dyn_cast<mlir::IntegerAttr>(dim)) {
    return constant.getInt() % tile == 0;
  }
  return llvm::any_of(c.kernel.getRequirements(), [&](ComparisonAttr r) {
    auto isNumber = [](ExprAttr e, int64_t n) {
      return e.getKind() == ExprKind::Constant && e.getValue() == n;
    };
    ExprAttr e = r.getLhs();
    return r.getKind() == ComparisonKind::Eq && isNumber(r.getRhs(), 0) &&
           e.getKind() == ExprKind::Mod &&
           e.getLhs().getKind() == ExprKind::Symbol &&
           e.getLhs().getSymbol() == dim &&
           e.getRhs().getKind() == ExprKind::Constant &&
           e.getRhs().getValue() > 0 && e.getRhs().getValue() % tile == 0;
  });
}

/// The axes of the view along which no lane lies outside.
static Attribute inBounds(Context &c, mlir::Operation *op, Place place,
                          bool whole) {
  std::vector<int32_t> marks;
  std::vector<unsigned> axes;
  for (size_t k = 0; k < place.partition.getTile().size(); ++k) {
    if (isDropped(place.partition.getTensor().getType(), k)) {
      continue;
    }
    bool inside =
        c.options.facts && !c.options.checks && (whole || divides(c, place, k));
    marks.push_back(inside);
    if (inside) {
      axes.push_back(static_cast<unsigned>(k));
    }
  }
  c.inBounds[op] = std::move(axes);
  return marks;
}

static void lowerLoad(Context &c, LoadOp op) {
  Place place = placeOf(op.getSource(), op.getIndices());
  if (!op.getSource().getDefiningOp<ClaimOp>()) {
    checkTile(c, op, op.getSource(), op.getIndices(), Rule::LoadBounds);
  }
  mlir::Value tensor = place.partition.getTensor();
  if (needsPointers(c, tensor) &&
      mlir::isa<mlir::Float4E2M1FNType>(
          place.partition.getTensor().getType().getElementType())) {
    c.fail(op, "floats below a byte have no address: a stride that may be 0 "
               "has no form in Tile IR");
    return;
  }
  if (isReadByPointers(c, tensor)) {
    c.values[op.getResult()] = loadByPointers(c, place, op.getPadAttr());
    return;
  }
  TileType type = tileTypeOf(op.getType());
  std::vector<int64_t> shape = type.shape;
  type.shape = shapeInMemory(place);
  unsigned argument = argumentOf(place.partition);
  std::vector<Attribute> attributes = plainAccess(c, argument);
  attributes.back() = loadHints(c);
  attributes.push_back(inBounds(c, op, place, !op.getPad()));
  std::vector<Value> results =
      c.builder.append(Opcode::LoadView, attributes,
                       {{partitionAt(c, place, op.getPadAttr())},
                        indicesOf(c, place),
                        tokenFor(c, op, argument)},
                       {type, TokenType{}});
  std::optional<unsigned> paired = pairedInMemory(place);
  Value lanes = paired ? unpackNibbles(c, results[0], *paired) : results[0];
  Value tile = spread(c, place, op.getPadAttr(), lanes);
  c.values[op.getResult()] = c.builder.reshape(tile, shape);
  advance(c, op, argument, results[1]);
}

static void lowerStore(Context &c, StoreOp op) {
  Place place = placeOf(op.getPiece(), op->getOperands());
  unsigned argument = argumentOf(place.partition);
  std::vector<int64_t> shape = shapeInMemory(place);
  std::optional<unsigned> paired = pairedInMemory(place);
  if (paired) {
    shape[*paired] *= 2;
  }
  Value value = c.builder.reshape(c[op.getValue()], shape);
  if (paired) {
    value = packNibbles(c, value, *paired);
  }
  std::vector<Attribute> attributes = plainAccess(c, argument);
  attributes.push_back(inBounds(c, op, place, false));
  Value token = c.builder.append(Opcode::StoreView, attributes,
                                 {{value},
                                  {partitionAt(c, place, {})},
                                  indicesOf(c, place),
                                  tokenFor(c, op, argument)},
                                 {TokenType{}})[0];
  advance(c, op, argument, token);
}

static AtomicMode modeOf(AtomicKind kind, Element element) {
  switch (kind) {
  case AtomicKind::Add:
    return isFloat(element) ? AtomicMode::AddF : AtomicMode::Add;
  case AtomicKind::Min:
    return AtomicMode::Min;
  case AtomicKind::Max:
    return AtomicMode::Max;
  case AtomicKind::And:
    return AtomicMode::And;
  case AtomicKind::Or:
    return AtomicMode::Or;
  case AtomicKind::Xor:
    return AtomicMode::Xor;
  }
  return AtomicMode::Add;
}

std::optional<std::vector<Attribute>> atomicAccess(Context &c,
                                                   mlir::Operation *op,
                                                   AtomicKind kind,
                                                   Element element) {
  if (!isFloat(element) && elementBits(element) < 32) {
    c.fail(op, op->getName().getStringRef() + " of " + elementName(element) +
                   " has no form in Tile IR, which combines i32, i64 and "
                   "floats");
    return std::nullopt;
  }
  if (element == Element::BF16) {
    c.need(op->getLoc(), 89, "atomic sums of bf16");
  }
  return std::vector<Attribute>{int64_t(Semantics::Relaxed),
                                int64_t(Scope::Device),
                                int64_t(modeOf(kind, element))};
}

static void lowerAtomic(Context &c, AtomicOp op) {
  Place place{girih::tile::partitionOf(op.getPartition()), op.getIndices()};
  unsigned argument = argumentOf(place.partition);
  auto access =
      atomicAccess(c, op, op.getKind(), elementOf(op.getValue().getType()));
  if (!access) {
    return;
  }
  checkTile(c, op, op.getPartition(), op.getIndices(), Rule::AtomicBounds);
  Value value = c.builder.reshape(c[op.getValue()], shapeInMemory(place));
  Value token = c.builder.append(Opcode::AtomicRedView, *access,
                                 {{partitionAt(c, place, {})},
                                  indicesOf(c, place),
                                  {value},
                                  tokenFor(c, op, argument)},
                                 {TokenType{}})[0];
  advance(c, op, argument, token);
}

Value extentOf(Context &c, PartitionOp partition, unsigned axis) {
  mlir::Value tensor = partition.getTensor();
  return tensor.getDefiningOp()
             ? valueOf(c, partsOf(c, tensor).extents[axis])
             : extent(c, partition.getTensor().getType().getDims()[axis]);
}

Value numTiles(Context &c, PartitionOp partition, unsigned axis) {
  Value size = extentOf(c, partition, axis);
  int64_t tile = std::max<int64_t>(partition.getTile()[axis], 1);
  return tile == 1 ? size
                   : c.builder.divide(size, c.builder.index(tile),
                                      Rounding::PositiveInf);
}

static void lowerNumTiles(Context &c, NumTilesOp op) {
  c.values[op.getResult()] =
      numTiles(c, girih::tile::partitionOf(op.getPartition()), op.getAxis());
}

bool lowerMemory(Context &c, mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, bool>(op)
      .Case([&](LoadOp load) { return lowerLoad(c, load), true; })
      .Case([&](StoreOp store) { return lowerStore(c, store), true; })
      .Case([&](GatherOp gather) { return lowerGather(c, gather), true; })
      .Case([&](ScatterOp scatter) { return lowerScatter(c, scatter), true; })
      .Case([&](AtomicOp atomic) { return lowerAtomic(c, atomic), true; })
      .Case([&](InsideOp inside) { return lowerInside(c, inside), true; })
      .Case([&](AtomicScatterOp atomic) {
        return lowerAtomicScatter(c, atomic), true;
      })
      .Case([&](NumTilesOp tiles) { return lowerNumTiles(c, tiles), true; })
      .Case<PartitionOp>([](auto) { return true; })
      .Case([&](ClaimOp claim) {
        checkTile(c, claim, claim.getPartition(), claim.getIndices(),
                  Rule::ClaimBounds);
        return true;
      })
      .Case([&](ViewOp view) { return lowerTensorView(c, view), true; })
      .Case([&](SymbolOp symbol) {
        c.values[symbol.getResult()] = c.symbols.at(symbol.getSymbol().str());
        return true;
      })
      .Case([&](BlockIdOp id) {
        c.values[id.getResult()] = c.blockIds[id.getAxis()];
        return true;
      })
      .Case([&](GridDimOp dim) {
        c.values[dim.getResult()] = c.gridDims[dim.getAxis()];
        return true;
      })
      .Default(false);
}

} // namespace girih::tileir
