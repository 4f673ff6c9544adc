// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes by the lanes of a tile: which of them lie inside, and loads of
// tensors with strides of 0: by the address of every lane and a mask of those
// inside the tensor, where no view describes it; else by a view without the
// axes that do not matter, and a tile spread along them.

#include "lower/tileir/Context.h"

#include "llvm/ADT/APFloat.h"

using namespace girih::tile;

namespace girih::tileir {

/// The bits of a padding value.
static uint64_t padBits(mlir::Type type, mlir::Attribute attr) {
  if (std::optional<int64_t> whole = wholePad(attr)) {
    return static_cast<uint64_t>(*whole);
  }
  auto number = mlir::dyn_cast<mlir::FloatType>(type);
  if (auto real = mlir::dyn_cast_if_present<mlir::FloatAttr>(attr)) {
    llvm::APFloat value = real.getValue();
    bool loses = false;
    value.convert(number.getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &loses);
    return value.bitcastToAPInt().getZExtValue();
  }
  Pad pad = attr ? mlir::cast<PadAttr>(attr).getValue() : Pad::Zero;
  if (!number || pad == Pad::Zero) {
    return 0;
  }
  const llvm::fltSemantics &s = number.getFloatSemantics();
  llvm::APFloat value = pad == Pad::NegZero  ? llvm::APFloat::getZero(s, true)
                        : pad == Pad::NegInf ? llvm::APFloat::getInf(s, true)
                        : pad == Pad::PosInf ? llvm::APFloat::getInf(s)
                                             : llvm::APFloat::getNaN(s);
  return value.bitcastToAPInt().getZExtValue();
}

Value paddingTile(Context &c, mlir::Type element, mlir::Attribute pad,
                  const std::vector<int64_t> &shape) {
  return c.builder.integer(int64_t(padBits(element, pad)),
                           TileType{elementOf(element), shape, false});
}

/// Whether no word of Tile IR is the padding: lanes outside get it afterwards.
static bool isFilled(mlir::Type element, mlir::Attribute pad) {
  return pad && !mlir::isa<PadAttr>(pad) && paddingOf(pad) == Padding::Zero &&
         padBits(element, pad) != 0;
}

namespace {

/// The lanes of a tile with its unit axes.
struct Lanes {
  Context &c;
  Place place;
  std::vector<int64_t> shape;

  Lanes(Context &c, Place place) : c(c), place(place) {
    for (int64_t extent : place.partition.getTile()) {
      shape.push_back(std::max<int64_t>(extent, 1));
    }
  }

  TileTensorType tensor() { return place.partition.getTensor().getType(); }
  TileType of(Element element) { return {element, shape, false}; }
  Value splat(Value scalar) { return c.builder.broadcast(scalar, shape); }

  /// Its number along one axis.
  Value number(size_t axis) {
    std::vector<int64_t> line(shape.size(), 1);
    line[axis] = shape[axis];
    TileType type{Element::I64, {shape[axis]}, false};
    return c.builder.reshape(c.builder.one(Opcode::Iota, {}, {}, type), line);
  }

  /// The first coordinate of a tile, along one axis.
  Value first(Value index, size_t axis) {
    return c.builder.multiply(index, c.builder.index(shape[axis]));
  }

  /// Of each lane, along one axis.
  Value coordinate(size_t axis) {
    Value lane = number(axis);
    Value from = first(c[place.indices[axis]], axis);
    return c.builder.add(splat(lane), splat(from));
  }

  Value isInside(Value coordinate, Value extent) {
    return c.builder.compare(Predicate::Less, coordinate, splat(extent));
  }

  /// How many elements there are from the first lane on, 0 or less where the
  /// tile is none. The index may be any number. One of 2^40 or more names no
  /// tile, as no extent is larger: taken for 2^40 it does not leave 64 bits.
  Value countInside(size_t axis) {
    Value index = c[place.indices[axis]], zero = c.builder.index(0);
    Value low = c.builder.minimum(index, c.builder.index(int64_t(1) << 40));
    Value rest = c.builder.subtract(
        extentOf(c, place.partition, static_cast<unsigned>(axis)),
        first(low, axis));
    Value isTile = c.builder.compare(Predicate::GreaterEqual, index, zero);
    return c.builder.one(Opcode::Select, {}, {isTile, rest, zero},
                         c.builder.typeOf(rest));
  }

  /// In a byte of two elements both are padded.
  Value padding(mlir::Attribute pad) {
    mlir::Type element = tensor().getElementType();
    if (element.isInteger(4)) {
      auto low = static_cast<int64_t>(padBits(element, pad) & 15);
      return c.builder.integer(low | low << 4, of(Element::I8));
    }
    return paddingTile(c, element, pad, shape);
  }

  /// Lanes of the tile where the mask is true, else the padding. There is no
  /// choice between floats of 4 bits; in f16 they are the same.
  Value choose(Value mask, Value tile, mlir::Attribute pad) {
    mlir::Type element = tensor().getElementType();
    bool tiny = mlir::isa<mlir::Float4E2M1FNType>(element);
    mlir::Type wide =
        tiny ? mlir::Float16Type::get(element.getContext()) : element;
    TileType type = c.builder.tileOf(tile);
    auto cast = [&](Value v, const TileType &to) {
      return tiny ? c.builder.one(Opcode::FToF,
                                  {int64_t(Rounding::NearestEven)}, {v}, to)
                  : v;
    };
    TileType work = of(elementOf(wide));
    Value chosen = c.builder.one(
        Opcode::Select, {},
        {mask, cast(tile, work), paddingTile(c, wide, pad, shape)}, work);
    return cast(chosen, type);
  }
};

} // namespace

Value loadByPointers(Context &c, Place place, mlir::Attribute pad) {
  Lanes lanes(c, place);
  TileTensorType tensor = lanes.tensor();
  std::optional<unsigned> paired = pairedAxis(place.partition.getTensor());
  if (paired) {
    lanes.shape[*paired] /= 2;
  }
  ViewParts parts = bytesOf(c, place.partition.getTensor());
  std::vector<int64_t> result;
  llvm::copy_if(place.partition.getTile(), std::back_inserter(result),
                [](int64_t extent) { return extent != 0; });
  Value offset = lanes.splat(valueOf(c, parts.offset));
  Value mask = c.builder.integer(1, lanes.of(Element::I1));
  for (auto [k, stride] : llvm::enumerate(parts.strides)) {
    Value x = lanes.coordinate(k);
    mask =
        c.builder.bitAnd(mask, lanes.isInside(x, valueOf(c, parts.extents[k])));
    Value step = lanes.splat(valueOf(c, stride));
    offset = c.builder.add(offset, c.builder.multiply(x, step));
  }
  Element element = elementOf(tensor.getElementType());
  TileType pointers{element, lanes.shape, true};
  Value addresses = c.builder.one(
      Opcode::Offset, {},
      {lanes.splat(c.bases[argumentOf(place.partition)]), offset}, pointers);
  Value loaded = c.builder.append(
      Opcode::LoadPtr, {int64_t(Semantics::Weak), {}, {}},
      {{addresses}, {mask}, {lanes.padding(pad)}, tokenForShared(c)},
      {lanes.of(element), TokenType{}})[0];
  return c.builder.reshape(paired ? unpackNibbles(c, loaded, *paired) : loaded,
                           result);
}

Value spread(Context &c, Place place, mlir::Attribute pad, Value tile) {
  Lanes lanes(c, place);
  std::vector<int64_t> one = lanes.shape;
  std::optional<Value> mask;
  bool dropped = false;
  bool filled = isFilled(lanes.tensor().getElementType(), pad);
  for (size_t k = 0; k < one.size(); ++k) {
    bool drops = isDropped(lanes.tensor(), k);
    // A tile of one row lies inside; without a padding every tile does.
    if (pad && one[k] > 1 && (drops || (filled && !divides(c, place, k)))) {
      Value inside = lanes.isInside(
          lanes.coordinate(k),
          extentOf(c, place.partition, static_cast<unsigned>(k)));
      mask = mask ? c.builder.bitAnd(*mask, inside) : inside;
    }
    if (drops) {
      dropped = true;
      one[k] = 1;
    }
  }
  Value all = dropped ? lanes.splat(c.builder.reshape(tile, one)) : tile;
  return mask ? lanes.choose(*mask, all, pad) : all;
}

void lowerInside(Context &c, InsideOp op) {
  Lanes lanes(c,
              {girih::tile::partitionOf(op.getPartition()), op.getIndices()});
  std::optional<Value> mask;
  for (size_t k = 0; k < lanes.shape.size(); ++k) {
    Value inside =
        lanes.isInside(lanes.splat(lanes.number(k)), lanes.countInside(k));
    mask = mask ? c.builder.bitAnd(*mask, inside) : inside;
  }
  c.values[op.getResult()] =
      c.builder.reshape(*mask, tileTypeOf(op.getType()).shape);
}

} // namespace girih::tileir
