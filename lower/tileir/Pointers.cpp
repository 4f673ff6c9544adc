// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load of a tensor that no view describes: the address of every lane, and a
// mask of those inside the tensor.

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

namespace {

/// Coordinates of the lanes along one axis, as a tile of the whole shape.
struct Lanes {
  Context &c;
  std::vector<int64_t> shape;

  Value splat(Value scalar) { return c.builder.broadcast(scalar, shape); }

  Value coordinate(size_t axis, int64_t tile, Value index) {
    std::vector<int64_t> line(shape.size(), 1);
    line[axis] = shape[axis];
    TileType type{Element::I64, {shape[axis]}, false};
    Value lane =
        c.builder.reshape(c.builder.one(Opcode::Iota, {}, {}, type), line);
    Value first = c.builder.multiply(index, c.builder.index(tile));
    return c.builder.add(splat(lane), splat(first));
  }
};

} // namespace

Value loadByPointers(Context &c, Place place, std::optional<Pad> pad) {
  PartitionOp partition = place.partition;
  TileTensorType type = partition.getTensor().getType();
  Lanes lanes{c, {}};
  std::vector<int64_t> result;
  for (int64_t extent : partition.getTile()) {
    lanes.shape.push_back(std::max<int64_t>(extent, 1));
    if (extent != 0) {
      result.push_back(extent);
    }
  }
  Value offset = lanes.splat(c.builder.index(0));
  Value mask = c.builder.integer(1, {Element::I1, lanes.shape, false});
  for (auto [k, stride] : llvm::enumerate(strideExprs(type))) {
    Value x = lanes.coordinate(k, lanes.shape[k], c[place.indices[k]]);
    Value size = lanes.splat(extent(c, type.getDims()[k]));
    mask = c.builder.bitAnd(mask, c.builder.compare(Predicate::Less, x, size));
    Value step = lanes.splat(evaluate(c, stride));
    offset = c.builder.add(offset, c.builder.multiply(x, step));
  }
  Element element = elementOf(type.getElementType());
  TileType pointers{element, lanes.shape, true};
  Value addresses = c.builder.one(
      Opcode::Offset, {},
      {c.builder.broadcast(c.bases[argumentOf(partition)], lanes.shape),
       offset},
      pointers);
  TileType tile{element, lanes.shape, false};
  Value padding = c.builder.integer(
      int64_t(padBits(type.getElementType(), pad.value_or(Pad::Zero))), tile);
  Value loaded = c.builder.append(
      Opcode::LoadPtr, {int64_t(Semantics::Weak), {}, {}},
      {{addresses}, {mask}, {padding}, {}}, {tile, TokenType{}})[0];
  return c.builder.reshape(loaded, result);
}

} // namespace girih::tileir
