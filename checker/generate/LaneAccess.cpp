// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Body.h"

using namespace girih::proofs;
using namespace girih::tile;
using mlir::Operation;
using mlir::Value;

namespace girih::checker {

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

void Walk::lanes(Operation *op) {
  using namespace mlir::arith;
  auto type = mlir::cast<mlir::VectorType>(op->getResult(0).getType());
  bool narrows =
      mlir::isa<IndexCastOp>(op) &&
      bits(mlir::getElementTypeOrSelf(op->getOperand(0))) > base.width.bits;
  bool mustFit = type.getElementType().isIndex() &&
                 (narrows || mlir::isa<AddIOp, SubIOp, MulIOp>(op));
  bool divides = isDivision(op) && isInteger(type.getElementType());
  if (!mustFit && !divides) {
    return;
  }
  size_t outside = base.mark();
  LaneReader reader(k, scalars, op);
  reader.result(op, reader.any(type),
                [&](const Poly &exact) { emitWidth(op, exact); });
  base.release(outside);
}

void Walk::iota(IotaOp op) {
  auto type = mlir::cast<mlir::VectorType>(op.getType());
  if (type.getElementType().isIndex()) {
    emitConstant(op, type.getDimSize(op.getAxis()) - 1);
  }
}

void Walk::inside(InsideOp op) {
  View view = viewOf(partitionOf(op.getPartition()).getTensor());
  llvm::ArrayRef<int64_t> tile = op.getPartition().getType().getTile();
  std::vector<InsideAxis> axes;
  for (auto [axis, index] : llvm::enumerate(indices(op.getIndices()))) {
    int64_t t = std::max<int64_t>(tile[axis], 1);
    base.charge(index.size() + view.extents[axis].size());
    axes.push_back({index * Poly(t), view.extents[axis], tile[axis] == 0});
  }
  if (mlir::isa<mlir::VectorType>(op.getType())) {
    scalars.insides.insert_or_assign(op.getResult(), std::move(axes));
  } else {
    conditions.insert_or_assign(op.getResult(), isInside(axes, {}));
  }
}

bool Walk::assumeMask(LaneReader &reader, Value mask, const Lane &at) {
  if (!mask) {
    return true;
  }
  Condition c = reader.condition(mask, at);
  for (Fact &f : c.facts()) {
    base.assume(std::move(f), Origin::Kind::Path, "the lane is not masked out");
  }
  return c.isExact();
}

std::vector<Poly> Walk::place(LaneReader &reader, mlir::ValueRange indices,
                              const Lane &at) {
  std::vector<Poly> out;
  for (Value v : indices) {
    out.push_back(reader.integer(v, at));
  }
  return out;
}

void Walk::laneBounds(Rule rule, Operation *op, const View &view,
                      llvm::ArrayRef<Poly> at) {
  for (size_t i = 0; i < at.size(); ++i) {
    std::string axis = "axis " + std::to_string(i);
    base.emit(rule, axis + ", lower", at[i], op, true, view.tensor);
    base.emit(rule, axis + ", upper", view.extents[i] - 1 - at[i], op, true,
              view.tensor);
  }
}

void Walk::anyLane(Rule rule, Operation *op, Value tensor,
                   mlir::ValueRange indices, Value mask) {
  size_t outside = base.mark();
  LaneReader reader(k, scalars, op);
  Lane lane = reader.any(mlir::cast<mlir::VectorType>(indices[0].getType()));
  assumeMask(reader, mask, lane);
  laneBounds(rule, op, viewOf(tensor), place(reader, indices, lane));
  base.release(outside);
}

void Walk::scatter(ScatterOp op) {
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
  site->carried = carried;
  for (const Poly &p : lane) {
    if (!p.constant()) {
      site->lanes.push_back(p.terms()[0].vars[0]);
    }
  }
  laneBounds(Rule::ScatterBounds, op, site->view, site->indices);
  site->facts = base.keepVisible();
  site->lookups = base.keepLookups();
  k.writes.push_back({op, site.get(), trips, base.keepVisible(),
                      base.keepLookups(), certain && all});
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
  base.emit(Rule::ScatterLanes, "two lanes", Poly(-1), op, false, site->tensor,
            nullptr, std::move(splits));
  base.release(outside);
  k.sites.push_back(std::move(site));
}

} // namespace girih::checker
