// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gather, scatter and atomic scatter: a tile of addresses, one a lane. What a
// lane behind the mask holds may lie anywhere: its address wraps and is not
// used.

#include "lower/tileir/Context.h"

using namespace girih::tile;

namespace girih::tileir {

/// Of the element that each lane names by its coordinates in a tensor or view.
static Value addressesOf(Context &c, mlir::Value tensor,
                         mlir::OperandRange indices) {
  ViewParts parts = partsOf(c, tensor);
  std::vector<int64_t> shape = c.builder.tileOf(c[indices[0]]).shape;
  std::optional<Value> offset;
  for (auto [index, stride] : llvm::zip(indices, parts.strides)) {
    Value term = c[index];
    if (stride.constant != 1) {
      term = c.builder.multiply(term,
                                c.builder.broadcast(valueOf(c, stride), shape));
    }
    offset = offset ? c.builder.add(*offset, term) : term;
  }
  if (parts.offset.constant != 0) {
    offset = c.builder.add(
        *offset, c.builder.broadcast(valueOf(c, parts.offset), shape));
  }
  Value base = c.bases[rootOf(tensor).getArgNumber()];
  TileType type = c.builder.tileOf(base);
  type.shape = shape;
  return c.builder.one(Opcode::Offset, {},
                       {c.builder.broadcast(base, shape), *offset}, type);
}

static std::vector<Value> maskOf(const Context &c, mlir::Value mask) {
  return mask ? std::vector<Value>{c[mask]} : std::vector<Value>{};
}

void lowerGather(Context &c, GatherOp op) {
  unsigned argument = rootOf(op.getTensor()).getArgNumber();
  checkLanes(c, op, op.getTensor(), op.getIndices(), op.getMask(),
             Rule::GatherBounds);
  TileType type = tileTypeOf(op.getType());
  std::vector<Value> padding;
  if (op.getMask()) {
    padding.push_back(paddingTile(c, op.getTensor().getType().getElementType(),
                                  op.getPadAttr(), type.shape));
  }
  c.values[op.getResult()] =
      c.builder.append(Opcode::LoadPtr, plainAccess(c, argument),
                       {{addressesOf(c, op.getTensor(), op.getIndices())},
                        maskOf(c, op.getMask()),
                        padding,
                        tokenFor(c, op, argument)},
                       {type, TokenType{}})[0];
}

void lowerScatter(Context &c, ScatterOp op) {
  unsigned argument = rootOf(op.getTensor()).getArgNumber();
  checkLanes(c, op, op.getTensor(), op.getIndices(), op.getMask(),
             Rule::ScatterBounds);
  Value token =
      c.builder.append(Opcode::StorePtr, plainAccess(c, argument),
                       {{addressesOf(c, op.getTensor(), op.getIndices())},
                        {c[op.getValue()]},
                        maskOf(c, op.getMask()),
                        tokenFor(c, op, argument)},
                       {TokenType{}})[0];
  advance(c, op, argument, token);
}

void lowerAtomicScatter(Context &c, AtomicScatterOp op) {
  unsigned argument = rootOf(op.getTensor()).getArgNumber();
  TileType type = c.builder.tileOf(c[op.getValue()]);
  auto access = atomicAccess(c, op, op.getKind(), type.element);
  if (!access) {
    return;
  }
  checkLanes(c, op, op.getTensor(), op.getIndices(), op.getMask(),
             Rule::AtomicScatterBounds);
  // What was there is the first result: nobody asks for it.
  Value token =
      c.builder.append(Opcode::AtomicRMW, *access,
                       {{addressesOf(c, op.getTensor(), op.getIndices())},
                        {c[op.getValue()]},
                        maskOf(c, op.getMask()),
                        tokenFor(c, op, argument)},
                       {type, TokenType{}})[1];
  advance(c, op, argument, token);
}

} // namespace girih::tileir
