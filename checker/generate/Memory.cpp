// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Body.h"

#include "ir/ops/Views.h"

using namespace girih::proofs;
using namespace girih::tile;
using mlir::Operation;
using mlir::Value;

namespace girih::checker {

std::vector<int64_t> tileExtents(llvm::ArrayRef<int64_t> tile) {
  std::vector<int64_t> out;
  for (int64_t t : tile) {
    out.push_back(t == 0 ? 1 : t);
  }
  return out;
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

void Walk::bounds(Rule rule, Operation *op, PartitionType type,
                  const View &view, llvm::ArrayRef<Poly> indices) {
  const std::vector<Poly> &e = view.extents;
  int tensor = view.tensor;
  std::vector<int64_t> t = tileExtents(type.getTile());
  for (size_t i = 0; i < e.size(); ++i) {
    std::string axis = "axis " + std::to_string(i);
    base.emit(rule, axis + ", lower", indices[i], op, true, tensor);
    base.emit(rule, axis + ", upper", e[i] - 1 - indices[i] * Poly(t[i]), op,
              true, tensor);
  }
}

std::vector<Poly> Walk::indices(mlir::ValueRange values) {
  std::vector<Poly> out;
  for (Value v : values) {
    out.push_back(integer(v));
  }
  return out;
}

std::vector<Poly> Walk::numbers(ViewOp op, llvm::ArrayRef<ViewNumber> list) {
  std::vector<Poly> out;
  for (const ViewNumber &n : list) {
    if (auto *constant = std::get_if<int64_t>(&n)) {
      emitConstant(op, *constant);
      out.push_back(Poly(*constant));
    } else if (auto *name = std::get_if<mlir::StringAttr>(&n)) {
      out.push_back(Poly::variable(k.symbols.at(name->str())));
    } else {
      out.push_back(integer(std::get<Value>(n)));
    }
  }
  return out;
}

View Walk::slice(ViewOp op, View v) {
  std::vector<Poly> offsets = numbers(op, op.getOffsets()),
                    sizes = numbers(op, op.getSizes()), steps;
  for (const ViewNumber &step : op.getStepNumbers()) {
    // Each step of 1 that is not written fits an index.
    steps.push_back(isOne(step) ? Poly(1) : numbers(op, {step})[0]);
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::string axis = "axis " + std::to_string(i);
    base.emit(Rule::ViewSlice, axis + ", offset", offsets[i], op, true);
    base.emit(Rule::ViewSlice, axis + ", size", sizes[i], op, true);
    if (steps[i] == Poly(1)) {
      base.emit(Rule::ViewSlice, axis + ", end",
                v.extents[i] - offsets[i] - sizes[i], op, true);
      continue;
    }
    base.emit(Rule::ViewSlice, axis + ", step", steps[i] - 1, op, true);
    // Of a slice without elements the last one is nowhere. Nothing that comes
    // after rests on it, so the choice is forgotten.
    size_t outside = base.mark();
    Poly last = offsets[i] + steps[i] * (sizes[i] - 1);
    base.emit(Rule::ViewSlice, axis + ", last element",
              base.select(sizes[i] - 1, v.extents[i] - 1 - last, Poly(0),
                          "behind the slice, " + axis),
              op, false);
    base.release(outside);
  }
  return sliced(std::move(v), std::move(offsets), std::move(sizes),
                std::move(steps));
}

View Walk::unfold(ViewOp op, View v) {
  std::vector<Poly> factors = numbers(op, op.getFactors());
  Poly product(1);
  for (const Poly &f : factors) {
    product = product * f;
  }
  Poly extent = v.extents[op.getAxis()];
  base.emit(Rule::ViewUnfold, "not too many", extent - product, op, true);
  base.emit(Rule::ViewUnfold, "not too few", product - extent, op, true);
  return unfolded(std::move(v), op.getAxis(), std::move(factors));
}

View Walk::fix(ViewOp op, View v) {
  Poly at = numbers(op, {op.getCoordinate()})[0];
  base.emit(Rule::ViewFix, "lower", at, op, true);
  base.emit(Rule::ViewFix, "upper", v.extents[op.getAxis()] - 1 - at, op, true);
  return fixed(std::move(v), op.getAxis(), std::move(at));
}

/// The strides of a view as steps make them of those of the root.
static std::vector<Poly> stridesOf(const KernelFacts &k, const View &view) {
  tile::KernelOp kernel = k.kernel;
  auto type = mlir::cast<TileTensorType>(
      kernel.getBody()->getArgument(unsigned(view.tensor)).getType());
  std::vector<Poly> out = stridesOf(k, type);
  for (const ViewStep &s : view.steps) {
    auto at = s.axes.empty() ? out.end() : out.begin() + s.axes[0];
    switch (s.kind) {
    case ViewKind::Slice:
      for (size_t j = 0; j < out.size(); ++j) {
        out[j] = out[j] * s.stride[j];
      }
      break;
    case ViewKind::Permute: {
      std::vector<Poly> before = out;
      for (size_t j = 0; j < out.size(); ++j) {
        out[j] = before[s.axes[j]];
      }
      break;
    }
    case ViewKind::Unfold:
      for (size_t i = s.numbers.size(); i-- > 1;) {
        at = out.insert(at, *at * s.numbers[i]);
      }
      break;
    case ViewKind::Fix:
    case ViewKind::Flatten: // the stride of the inner axis stays
      out.erase(at);
      break;
    }
  }
  return out;
}

/// Two axes that follow each other in memory; of an outer one of at most one
/// element the stride does not matter. The extent is an index.
View Walk::flatten(ViewOp op, View v) {
  unsigned axis = op.getAxis();
  Poly outer = v.extents[axis], inner = v.extents[axis + 1];
  emitWidth(op, outer * inner);
  std::vector<Poly> strides = stridesOf(k, v);
  size_t outside = base.mark();
  Poly gap = base.select(outer - 2, strides[axis] - inner * strides[axis + 1],
                         Poly(0), "between rows");
  base.emit(Rule::ViewFlatten, "no gap", -gap, op, false);
  base.emit(Rule::ViewFlatten, "no overlap", gap, op, false);
  base.release(outside);
  return flat(std::move(v), axis);
}

void Walk::view(ViewOp op) {
  View v = viewOf(op.getTensor());
  base.charge(8 * (v.steps.size() + v.axes.size()));
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
  case ViewKind::Flatten:
    v = flatten(op, std::move(v));
    break;
  }
  scalars.views[op.getResult()] = std::move(v);
}

void Walk::claim(ClaimOp op) {
  auto type = mlir::cast<PartitionType>(op.getPartition().getType());
  auto site = std::make_unique<Site>();
  site->op = op;
  site->view = viewOf(partitionOf(op).getTensor());
  site->tensor = site->view.tensor;
  site->tile = tileExtents(type.getTile());
  site->indices = indices(op.getIndices());
  site->trips = trips;
  site->carried = carried;
  bounds(Rule::ClaimBounds, op, type, site->view, site->indices);
  site->facts = base.keepVisible();
  site->lookups = base.keepLookups();
  pieces[op.getResult()] = site.get();
  k.sites.push_back(std::move(site));
}

void Walk::emitWhole(LoadOp op, const View &view, llvm::ArrayRef<int64_t> tile,
                     llvm::ArrayRef<Poly> at) {
  if (op.getPad()) {
    return;
  }
  const std::vector<Poly> &e = view.extents;
  for (size_t i = 0; i < e.size(); ++i) {
    if (tile[i] > 1) {
      base.emit(Rule::LoadPad, "axis " + std::to_string(i),
                e[i] - at[i] * Poly(tile[i]) - Poly(tile[i]), op, true,
                view.tensor);
    }
  }
}

void Walk::lookup(LoadOp op, int tensor, std::vector<Poly> at) {
  Lookup l;
  l.tensor = tensor;
  l.at = std::move(at);
  base.charge(base.lookups().size());
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

namespace {
/// What an element holds when a piece is read.
struct Held {
  StoreOp by;             ///< the store that put it there
  bool isInitial = false; ///< what the launch found; neither: nobody knows
};
} // namespace

/// Told from the ops before it, as far as a model is worth it.
static Held heldBefore(LoadOp load) {
  Value root = rootOf(partitionOf(load.getSource()).getTensor());
  for (Operation *at = load; !mlir::isa<KernelOp>(at);) {
    if (Operation *before = at->getPrevNode()) {
      at = before;
    } else {
      at = at->getParentOp();
      if (mlir::isa<mlir::scf::ForOp, mlir::scf::WhileOp>(at)) {
        return {};
      }
      continue;
    }
    if (auto store = mlir::dyn_cast<StoreOp>(at)) {
      if (store.getPiece() == load.getSource()) {
        return {store};
      }
      if (rootOf(partitionOf(store.getPiece()).getTensor()) == root) {
        return {};
      }
    } else if (mlir::isa<ScatterOp>(at) || at->getNumRegions() != 0) {
      return {};
    }
  }
  return {{}, true};
}

void Walk::readBack(LoadOp op, const Site &site) {
  Held held = heldBefore(op);
  Lookup l;
  l.tensor = site.tensor;
  l.at = site.view.map(site.indices);
  l.isOwn = true;
  if (held.by) {
    l.stored = integer(held.by.getValue());
  }
  size_t mark = base.mark();
  l.value = fresh(op.getResult());
  if (held.by || held.isInitial) {
    base.addLookup(std::move(l), mark);
  }
}

void Walk::load(LoadOp op) {
  if (auto type = mlir::dyn_cast<PartitionType>(op.getSource().getType())) {
    View view = viewOf(partitionOf(op.getSource()).getTensor());
    std::vector<Poly> at = indices(op.getIndices());
    bounds(Rule::LoadBounds, op, type, view, at);
    emitWhole(op, view, tileExtents(type.getTile()), at);
    bool keeps = type.getTensor().getMode() == Mode::Shared;
    // Where in the root an element of a flattened view lies is no polynomial.
    if (keeps && isInteger(op.getType()) && !view.flattened) {
      // All axes are unit: the index is the element.
      return lookup(op, view.tensor, view.map(at));
    }
  } else {
    const Site *site = pieces.find(op.getSource())->second;
    auto tensor = mlir::cast<TileTensorType>(
        k.kernel.getBody()->getArgument(site->tensor).getType());
    if (tensor.getMode() == Mode::Out) {
      base.emit(Rule::LoadDefined, "stored before",
                Poly(writtenBefore(op) ? 0 : -1), op, false, site->tensor);
    }
    emitWhole(op, site->view, site->tile, site->indices);
    if (tensor.getMode() == Mode::Own && isInteger(op.getType()) &&
        !site->view.flattened) {
      return readBack(op, *site);
    }
  }
  unknown(op.getResult());
}

} // namespace girih::checker
