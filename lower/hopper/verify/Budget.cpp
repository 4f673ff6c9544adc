// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/verify/Budget.h"
#include "lower/hopper/verify/Verify.h"

#include "mlir/Analysis/Liveness.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace girih::hopper {

SharedPlan planShared(KernelOp kernel) {
  // Slots at lines of 128 bytes: the copy engine is fastest there.
  constexpr int64_t line = 128;
  SharedPlan plan;
  auto take = [&](int64_t bytes) {
    int64_t at = llvm::alignTo(plan.bytes, line);
    plan.bytes = at + bytes;
    return at;
  };
  for (Operation &op : kernel.getBody().front()) {
    if (auto ring = dyn_cast<RingOp>(op)) {
      int64_t slots = kernel.getWarps() * ring.getRing().getType().getSlots();
      plan.memory[&op] = take(slots * ring.getRing().getType().getBytes());
      plan.barriers[&op] = take(slots * barrierBytes);
    } else if (auto shared = dyn_cast<SharedOp>(op)) {
      plan.memory[&op] = take(shared.getMemory().getType().getBytes());
    }
  }
  return plan;
}

/// Registers of 32 bits that a value takes; i1 is a predicate.
static int64_t registersOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    int64_t bits = vector.getElementTypeBitWidth();
    return bits == 1 ? 0 : llvm::divideCeil(vector.getNumElements() * bits, 32);
  }
  if (isa<RingType>(type)) {
    return 2; // slots and barriers
  }
  if (isa<GlobalType>(type) || type.isIndex()) {
    return 2;
  }
  if (isa<SharedType>(type) || type.isInteger(1)) {
    return 0;
  }
  return type.isIntOrFloat()
             ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 32)
             : 1;
}

int64_t liveRegisters(KernelOp kernel) {
  Liveness liveness(kernel);
  // Parameters are in constant memory and numbers of who runs this in special
  // registers; all lanes of a broadcast are one.
  auto takes = [&](Value v) -> int64_t {
    if (isa_and_nonnull<arith::ConstantOp, BlockIdOp, WarpIdOp, LaneIdOp>(
            v.getDefiningOp()) ||
        llvm::is_contained(kernel.getBody().getArguments(), v)) {
      return 0;
    }
    // What only the next op takes, it takes element by element.
    Operation *op = v.getDefiningOp();
    if (op && isa<VectorType>(v.getType()) && v.hasOneUse() &&
        OpTrait::hasElementwiseMappableTraits(op) &&
        OpTrait::hasElementwiseMappableTraits(*v.user_begin()) &&
        op->getNextNode() == *v.user_begin()) {
      return registersOf(getElementTypeOrSelf(v.getType()));
    }
    auto broadcast = v.getDefiningOp<vector::BroadcastOp>();
    return registersOf(broadcast ? broadcast.getSource().getType()
                                 : v.getType());
  };
  int64_t most = 0;
  kernel.getBody().walk([&](Operation *op) {
    // Before the op, and behind it: what it gives may stand where an operand
    // stood.
    llvm::SmallDenseSet<Value> live;
    for (Operation *at = op; at != kernel; at = at->getParentOp()) {
      const LivenessBlockInfo *block = liveness.getLiveness(at->getBlock());
      // What a loop begins with is gone in its body; of what no more than a
      // branch needs, the branch says how long.
      auto isTaken = [&](Value v) {
        return at != op && liveness.isDeadAfter(v, at) &&
               (isa<scf::IfOp>(at) ||
                llvm::all_of(v.getUsers(), [&](Operation *user) {
                  return !at->isProperAncestor(user);
                }));
      };
      for (Value v : block->currentlyLiveValues(at)) {
        if (v.getDefiningOp() != at && !isTaken(v)) {
          live.insert(v);
        }
      }
    }
    int64_t before = 0, after = 0;
    for (Value v : live) {
      before += takes(v);
      after += liveness.isDeadAfter(v, op) ? 0 : takes(v);
    }
    for (Value v : op->getResults()) {
      after += takes(v);
    }
    most = std::max({most, before, after});
  });
  return most;
}

LogicalResult verifyBudget(KernelOp kernel) {
  int64_t warps = kernel.getWarps(), registers = kernel.getRegisters();
  if (warps < 1 || warps > 32) {
    return kernel.emitOpError("a block has 1 to 32 warps, not ") << warps;
  }
  if (registers < 1 || registers > maxThreadRegisters) {
    return kernel.emitOpError("a thread has 1 to ")
           << maxThreadRegisters << " registers, not " << registers;
  }
  if (warps * lanes * registers > maxRegisters) {
    return kernel.emitOpError("a block of ")
           << warps << " warps with " << registers
           << " registers a thread takes " << warps * lanes * registers
           << " registers; a multiprocessor has " << maxRegisters;
  }
  int64_t bytes = planShared(kernel).bytes;
  if (bytes > maxSharedBytes) {
    return kernel.emitOpError("takes ")
           << bytes << " bytes of shared memory; a block has "
           << maxSharedBytes;
  }
  int64_t live = liveRegisters(kernel);
  if (live > registers) {
    return kernel.emitOpError("keeps values of ")
           << live << " registers at a time; a thread has " << registers;
  }
  return success();
}

} // namespace girih::hopper
