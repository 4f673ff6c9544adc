// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Held to the closed list like a kernel, and to being pure besides.

#include "ir/text/Helpers.h"
#include "ir/ops/ClosedOps.h"
#include "ir/types/Diagnose.h"
#include "ir/types/Dialect.h"
#include "ir/types/Names.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace girih::tile;

bool girih::tile::isHelper(Operation *op) {
  return isa<MapOp, func::FuncOp>(op);
}

Operation *girih::tile::calledHelper(Operation *op, ModuleOp module) {
  if (auto call = dyn_cast<func::CallOp>(op)) {
    return module.lookupSymbol<func::FuncOp>(call.getCalleeAttr());
  }
  if (auto apply = dyn_cast<ApplyOp>(op)) {
    return module.lookupSymbol<MapOp>(apply.getMapAttr());
  }
  return nullptr;
}

static StringRef nameOf(Operation *helper) {
  return SymbolTable::getSymbolName(helper).getValue();
}

/// What a helper may hold: it sees neither block nor memory.
static LogicalResult verifyPure(Operation *op, Operation *helper) {
  bool tile = isa_and_present<TileDialect>(op->getDialect());
  bool allowed =
      !tile ||
      isa<ProveOp, TrustOp, NameOp, ApplyOp, SymbolOp, InvariantOp, MeasureOp>(
          op) ||
      (isPure(op) && op->getNumOperands() != 0 &&
       !isa<PartitionType>(op->getOperand(0).getType()));
  if (!allowed) {
    return op->emitError() << op->getName() << " has no place in @"
                           << nameOf(helper)
                           << ": helpers and maps are pure functions";
  }
  auto symbol = dyn_cast<SymbolOp>(op);
  if (!symbol) {
    return success();
  }
  auto map = dyn_cast<MapOp>(helper);
  if (!map || !symbol.getType().isIndex() ||
      !llvm::is_contained(map.getParams(), symbol.getSymbolAttr())) {
    return op->emitError() << "symbol " << symbol.getSymbol()
                           << " is no parameter of @" << nameOf(helper)
                           << ", of type index";
  }
  return success();
}

static LogicalResult verifyFunction(func::FuncOp function) {
  if (!isPlainName(function.getSymName())) {
    return function.emitError() << "the name of a helper is a letter, then "
                                   "letters, digits and underscores, got "
                                << function.getSymName();
  }
  if (!function.getBody().hasOneBlock()) {
    return function.emitError()
           << "helper @" << function.getSymName() << " has a body of one block";
  }
  if (!function->getDiscardableAttrs().empty() || function.getArgAttrs() ||
      function.getResAttrs() || function.getNoInline()) {
    return function.emitError() << "helper @" << function.getSymName()
                                << " has attributes, of which the language "
                                   "has none";
  }
  return success();
}

static LogicalResult verifyArgumentTypes(Operation *helper) {
  for (Region &region : helper->getRegions()) {
    for (BlockArgument argument : region.getArguments()) {
      if (std::string why = refuseType(argument.getType()); !why.empty()) {
        return emitError(argument.getLoc()) << why;
      }
    }
  }
  return success();
}

/// That an op applies a map that there is to as much as it takes.
static LogicalResult verifyApply(ApplyOp apply, ModuleOp module) {
  auto map = cast_or_null<MapOp>(calledHelper(apply, module));
  if (!map) {
    return apply.emitError()
           << "there is no map @" << apply.getMap() << " in the file";
  }
  auto differs = [&](size_t has, size_t got, StringRef one, StringRef many,
                     StringRef verb) -> LogicalResult {
    if (has == got) {
      return success();
    }
    return apply.emitError() << "map @" << apply.getMap() << " " << verb << " "
                             << counted(has, one, many) << ", got " << got;
  };
  return success(
      succeeded(differs(map.getBodyRegion().getNumArguments(),
                        apply.getArgs().size(), "index", "indices", "takes")) &&
      succeeded(differs(map.getParams().size(), apply.getParams().size(),
                        "parameter", "parameters", "has")) &&
      succeeded(differs(map.getResultCount(), apply.getResults().size(),
                        "index", "indices", "gives")));
}

namespace {
/// Finds a circle among helpers, from each of them in the order of the file.
class Circle {
public:
  explicit Circle(ModuleOp module) : module(module) {}

  LogicalResult visit(Operation *helper) {
    auto [it, fresh] = state.try_emplace(helper, true);
    if (!fresh) {
      return it->second ? helper->emitError() << "@" << nameOf(helper)
                                              << " calls itself, by some way"
                        : success();
    }
    WalkResult result = helper->walk([&](Operation *op) {
      Operation *next = calledHelper(op, module);
      return next && failed(visit(next)) ? WalkResult::interrupt()
                                         : WalkResult::advance();
    });
    state[helper] = false;
    return success(!result.wasInterrupted());
  }

private:
  ModuleOp module;
  llvm::DenseMap<Operation *, bool> state; ///< true while it is looked at
};
} // namespace

LogicalResult girih::tile::verifyHelpers(ModuleOp module) {
  Circle circle(module);
  size_t helpers = 0;
  for (Operation &top : *module.getBody()) {
    bool helper = isHelper(&top);
    if (helper && ++helpers > maxHelpers) {
      return top.emitError()
             << "more than " << maxHelpers << " helpers and maps in a file";
    }
    if (auto function = dyn_cast<func::FuncOp>(top)) {
      if (failed(verifyFunction(function))) {
        return failure();
      }
    }
    WalkResult result = top.walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto apply = dyn_cast<ApplyOp>(op);
      bool fine =
          !helper || op == &top ||
          (succeeded(verifyClosedOp(op)) && succeeded(verifyPure(op, &top)));
      fine = fine && (!apply || succeeded(verifyApply(apply, module)));
      return fine ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (result.wasInterrupted() ||
        (helper &&
         (failed(verifyArgumentTypes(&top)) || failed(circle.visit(&top))))) {
      return failure();
    }
  }
  return success();
}
