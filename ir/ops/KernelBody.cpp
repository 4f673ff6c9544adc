// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the verifier asks of a kernel's body: the ops are of the language, the
// symbols and axes that they name exist, and stores are where `covers` says.

#include "ir/ops/ClosedOps.h"
#include "ir/ops/Ops.h"
#include "ir/ops/Views.h"
#include "ir/types/Diagnose.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

#include <set>

using namespace mlir;
using namespace girih::tile;

/// The launch symbols that a view names are bound, and of type index.
static LogicalResult
verifyViewSymbols(ViewOp view, const llvm::DenseMap<StringAttr, Type> &types) {
  for (ArrayAttr list :
       {view.getWhere(), view.getWhat(), view.getStepsAttr()}) {
    for (Attribute number : list ? list.getValue() : ArrayRef<Attribute>()) {
      auto name = dyn_cast<StringAttr>(number);
      Type type = name ? types.lookup(name) : Type();
      if (name && !type) {
        return view.emitError()
               << "symbol " << name.getValue() << " is not bound: it is no "
               << "extent of an argument and not in symbols [...]";
      }
      if (name && !type.isIndex()) {
        return view.emitError() << "symbol " << name.getValue() << " has type "
                                << type << ", but numbers of a view are index";
      }
    }
  }
  return success();
}

static LogicalResult
verifyLaunch(Operation *op, KernelOp kernel,
             const llvm::DenseMap<StringAttr, Type> &types) {
  if (auto symbol = dyn_cast<SymbolOp>(op)) {
    Type type = types.lookup(symbol.getSymbolAttr());
    if (!type) {
      return op->emitError()
             << "symbol " << symbol.getSymbol() << " is not bound: it is no "
             << "extent of an argument and not in symbols [...]";
    }
    if (type != symbol.getType()) {
      return op->emitError() << "symbol " << symbol.getSymbol() << " has type "
                             << type << ", got " << symbol.getType();
    }
    return success();
  }
  if (auto view = dyn_cast<ViewOp>(op)) {
    return verifyViewSymbols(view, types);
  }
  std::optional<uint64_t> axis;
  if (auto id = dyn_cast<BlockIdOp>(op)) {
    axis = id.getAxis();
  } else if (auto dim = dyn_cast<GridDimOp>(op)) {
    axis = dim.getAxis();
  }
  if (axis && *axis >= kernel.getGrid().size()) {
    return op->emitError() << "axis " << int64_t(*axis) << " of a grid of "
                           << counted(kernel.getGrid().size(), "dimension",
                                      "dimensions");
  }
  return success();
}

/// Checks types, flags, attributes, axes and symbols of all ops of the body,
/// which is otherwise verified.
static LogicalResult verifyBody(KernelOp kernel) {
  for (NamedAttribute attr : kernel->getDiscardableAttrs()) {
    return kernel.emitError() << "attribute " << attr.getName().getValue()
                              << " is not in the language";
  }
  llvm::DenseMap<StringAttr, Type> types;
  for (const LaunchSymbol &symbol : kernel.getLaunchSymbols()) {
    types[symbol.name] = symbol.type;
  }
  WalkResult result =
      kernel.getBodyRegion().walk<WalkOrder::PreOrder>([&](Operation *op) {
        bool fine = succeeded(verifyClosedOp(op)) &&
                    succeeded(verifyLaunch(op, kernel, types));
        return fine ? WalkResult::advance() : WalkResult::interrupt();
      });
  return success(!result.wasInterrupted());
}

/// A clause speaks of a store with a loop around it for each trip.
static LogicalResult verifyTrips(KernelOp kernel, CoverAttr cover) {
  StringRef name = cover.getTensor().getValue();
  std::set<size_t> loops;
  kernel.getBodyRegion().walk([&](Operation *op) {
    Value written;
    if (auto store = dyn_cast<StoreOp>(op)) {
      written = partitionOf(store.getPiece()).getTensor();
    } else if (auto scatter = dyn_cast<ScatterOp>(op)) {
      written = scatter.getTensor();
    }
    if (!written || kernel.getArgName(rootOf(written).getArgNumber()) != name) {
      return;
    }
    size_t around = 0;
    for (Operation *at = op; at != kernel; at = at->getParentOp()) {
      around += isa<scf::ForOp>(at);
    }
    loops.insert(around);
  });
  if (loops.count(cover.getTrips().size())) {
    return success();
  }
  InFlightDiagnostic error =
      kernel.emitError() << "covers %" << name << ": "
                         << counted(cover.getTrips().size(), "trip", "trips")
                         << ", but ";
  if (loops.empty()) {
    return error << "no store writes it";
  }
  error << "around stores to it there are ";
  llvm::interleave(
      loops, [&](size_t n) { error << counted(n, "loop", "loops"); },
      [&] { error << " or "; });
  return error;
}

LogicalResult KernelOp::verifyRegions() {
  if (failed(verifyBody(*this))) {
    return failure();
  }
  return success(
      llvm::all_of(getCovers().getAsRange<CoverAttr>(), [&](CoverAttr c) {
        return succeeded(verifyTrips(*this, c));
      }));
}
