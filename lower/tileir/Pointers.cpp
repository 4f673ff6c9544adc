// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads of tensors with strides of 0: by the address of every lane and a mask
// of those inside the tensor, where no view describes it; else by a view
// without the axes that do not matter, and a tile spread along them.

#include "lower/tileir/Context.h"

#include "llvm/ADT/APFloat.h"

using namespace girih::tile;

namespace girih::tileir {

/// The bits of a padding value.
static uint64_t padBits(mlir::Type type, Pad pad) {
  auto number = mlir::dyn_cast<mlir::FloatType>(type);
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

Value paddingTile(Context &c, mlir::Type element, std::optional<Pad> pad,
                  const std::vector<int64_t> &shape) {
  return c.builder.integer(int64_t(padBits(element, pad.value_or(Pad::Zero))),
                           TileType{elementOf(element), shape, false});
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

  /// Of each lane, along one axis.
  Value coordinate(size_t axis) {
    std::vector<int64_t> line(shape.size(), 1);
    line[axis] = shape[axis];
    TileType type{Element::I64, {shape[axis]}, false};
    Value lane =
        c.builder.reshape(c.builder.one(Opcode::Iota, {}, {}, type), line);
    Value first = c.builder.multiply(c[place.indices[axis]],
                                     c.builder.index(shape[axis]));
    return c.builder.add(splat(lane), splat(first));
  }

  Value isInside(Value coordinate, Value extent) {
    return c.builder.compare(Predicate::Less, coordinate, splat(extent));
  }

  Value padding(std::optional<Pad> pad) {
    return paddingTile(c, tensor().getElementType(), pad, shape);
  }
};

} // namespace

Value loadByPointers(Context &c, Place place, std::optional<Pad> pad) {
  Lanes lanes(c, place);
  TileTensorType tensor = lanes.tensor();
  ViewParts parts = partsOf(c, place.partition.getTensor());
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
  Value loaded =
      c.builder.append(Opcode::LoadPtr, {int64_t(Semantics::Weak), {}, {}},
                       {{addresses}, {mask}, {lanes.padding(pad)}, {}},
                       {lanes.of(element), TokenType{}})[0];
  return c.builder.reshape(loaded, result);
}

Value spread(Context &c, Place place, std::optional<Pad> pad, Value tile) {
  Lanes lanes(c, place);
  std::vector<int64_t> one = lanes.shape;
  std::optional<Value> mask;
  bool dropped = false;
  for (size_t k = 0; k < one.size(); ++k) {
    if (!isDropped(lanes.tensor(), k)) {
      continue;
    }
    dropped = true;
    // A tile of one row lies inside; without a padding every tile does.
    if (pad && one[k] > 1) {
      Value inside = lanes.isInside(lanes.coordinate(k),
                                    extent(c, lanes.tensor().getDims()[k]));
      mask = mask ? c.builder.bitAnd(*mask, inside) : inside;
    }
    one[k] = 1;
  }
  if (!dropped) {
    return tile;
  }
  Value all = lanes.splat(c.builder.reshape(tile, one));
  return mask ? c.builder.one(Opcode::Select, {},
                              {*mask, all, lanes.padding(pad)},
                              c.builder.typeOf(all))
              : all;
}

} // namespace girih::tileir
