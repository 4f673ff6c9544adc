// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier that some of those do not come to whom it waits for is a deadlock.
// So what a block or a warp does together stands under conditions that are the
// same for all of it.

#include "lower/hopper/verify/Verify.h"

using namespace mlir;

namespace girih::hopper {
namespace {

/// For whom a value may differ.
enum class Differs { Nowhere, BetweenWarps, BetweenLanes };

class Uniformity {
public:
  explicit Uniformity(KernelOp kernel) {
    // Levels only rise, and there are three.
    do {
      changed = false;
      kernel.getBody().walk([&](Operation *op) { visit(op); });
    } while (changed);
  }

  Differs of(Value value) const {
    auto found = levels.find(value);
    return found == levels.end() ? Differs::Nowhere : found->second;
  }

  /// Of the conditions and trip counts that an op stands under.
  Differs control(Operation *op) const {
    Differs out = Differs::Nowhere;
    for (Operation *at = op->getParentOp(); !isa<KernelOp>(at);
         at = at->getParentOp()) {
      if (auto branch = dyn_cast<scf::IfOp>(at)) {
        out = std::max(out, of(branch.getCondition()));
      } else if (auto loop = dyn_cast<scf::ForOp>(at)) {
        out = std::max(out, of(loop.getInductionVar()));
      }
    }
    return out;
  }

private:
  void raise(Value value, Differs level) {
    Differs &now = levels[value];
    if (now < level) {
      now = level;
      changed = true;
    }
  }

  Differs ofAll(ValueRange values) const {
    Differs out = Differs::Nowhere;
    for (Value v : values) {
      out = std::max(out, of(v));
    }
    return out;
  }

  void visit(Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      Differs trips =
          ofAll({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
      raise(loop.getInductionVar(), trips);
      for (auto [init, arg, yielded, result] :
           llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(),
                     loop.getYieldedValues(), loop.getResults())) {
        Differs level = std::max({trips, of(init), of(yielded)});
        raise(arg, level);
        raise(result, level);
      }
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (auto [n, result] : llvm::enumerate(branch.getResults())) {
        raise(result, std::max({of(branch.getCondition()),
                                of(branch.thenYield().getOperand(n)),
                                of(branch.elseYield().getOperand(n))}));
      }
      return;
    }
    Differs level = ofAll(op->getOperands());
    auto load = dyn_cast<LoadOp>(op);
    if (isa<WarpIdOp, WarpSumOp, WarpMaxOp>(op)) {
      level = Differs::BetweenWarps;
    } else if (load &&
               load.getMemory().getType().getAccess() == Access::Early) {
      level = of(load.getOffset()); // nobody writes it meanwhile
    } else if (isa<LaneIdOp, ReadOp, SharedLoadOp, LoadOp, MaskedLoadOp,
                   GroupSumOp, GroupMaxOp, TransposeOp, MmaOp>(op)) {
      level = Differs::BetweenLanes; // loads: others may write meanwhile
    }
    for (Value result : op->getResults()) {
      raise(result, level);
    }
  }

  llvm::DenseMap<Value, Differs> levels;
  bool changed = false;
};

} // namespace

LogicalResult verifyUniform(KernelOp kernel) {
  Uniformity uniformity(kernel);
  WalkResult walked = kernel.getBody().walk([&](Operation *op) {
    Differs control = uniformity.control(op);
    if (isa<BlockBarrierOp>(op) && control != Differs::Nowhere) {
      op->emitOpError("stands under a condition that differs between ")
          << (control == Differs::BetweenWarps ? "warps" : "lanes")
          << ": those that come wait for ever for those that do not";
      return WalkResult::interrupt();
    }
    if (isa<WarpBarrierOp, WarpSumOp, WarpMaxOp, GroupSumOp, GroupMaxOp,
            TransposeOp, MmaOp, FillOp, WaitOp, ReleaseOp>(op) &&
        control == Differs::BetweenLanes) {
      op->emitOpError("stands under a condition that differs between lanes, "
                      "and all lanes of a warp do this together");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

} // namespace girih::hopper
