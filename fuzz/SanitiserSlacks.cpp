// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each rule demands at an instance of an op, as the number that must not
// be negative. The goals of the obligations there must have just these values:
// a goal that is merely true says little about the index it speaks of.

#include "fuzz/SanitiserRun.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using mlir::Operation;
using mlir::Value;

namespace girih::fuzz {

namespace {
/// Collects the demands of one op; numbers come from the executor alone.
class Demands {
public:
  Demands(SanitiserRun &run, const exec::Instance &instance)
      : run(run), instance(instance) {}

  Slacks of(Operation *op) {
    using namespace mlir::arith;
    llvm::TypeSwitch<Operation *>(op)
        .Case<AddIOp>([&](AddIOp o) { width(o, sum(o, 1)); })
        .Case<SubIOp>([&](SubIOp o) { width(o, sum(o, -1)); })
        .Case<MulIOp>([&](MulIOp o) { width(o, product(o)); })
        .Case<IndexCastOp>([&](IndexCastOp o) { cast(o); })
        .Case<DivSIOp, RemSIOp, CeilDivSIOp>([&](auto o) { division(o); })
        .Case<tile::ClaimOp>([&](tile::ClaimOp o) {
          bounds("claim.bounds", o.getPartition(), o.getIndices());
        })
        .Case<tile::LoadOp>([&](tile::LoadOp o) { load(o); })
        .Case<mlir::scf::ForOp>([&](mlir::scf::ForOp o) {
          if (std::optional<Wide> step = number(o.getStep())) {
            owe("loop.step", *step - 1);
          }
        });
    return std::move(slacks);
  }

private:
  SanitiserRun &run;
  const exec::Instance &instance;
  Slacks slacks;

  std::optional<Wide> number(Value v) { return instance.integer(v); }
  void owe(const char *rule, Wide slack) { slacks.push_back({rule, slack}); }

  std::optional<Wide> sum(Operation *op, int sign) {
    auto a = number(op->getOperand(0)), b = number(op->getOperand(1));
    return a && b ? std::optional<Wide>(*a + sign * *b) : std::nullopt;
  }
  std::optional<Wide> product(Operation *op) {
    auto a = number(op->getOperand(0)), b = number(op->getOperand(1));
    return a && b ? std::optional<Wide>(*a * *b) : std::nullopt;
  }

  void width(Operation *op, std::optional<Wide> exact) {
    if (!exact || !op->getResult(0).getType().isIndex()) {
      return;
    }
    Wide half = Wide(1) << (run.run.indexWidth - 1);
    owe("index.width", half - 1 - *exact);
    owe("index.width", *exact + half);
  }

  void cast(mlir::arith::IndexCastOp op) {
    auto from = mlir::dyn_cast<mlir::IntegerType>(op.getIn().getType());
    if (from && from.getWidth() > run.run.indexWidth) {
      width(op, number(op.getIn()));
    }
  }

  void division(Operation *op) {
    auto a = number(op->getOperand(0)), d = number(op->getOperand(1));
    if (a && d && !op->getResult(0).getType().isInteger(1)) {
      owe("index.division", *d - 1);
      owe("index.division", *a);
    }
  }

  int tensorOf(Value partition) {
    return static_cast<int>(
        mlir::cast<mlir::BlockArgument>(
            partition.getDefiningOp<tile::PartitionOp>().getTensor())
            .getArgNumber());
  }

  void bounds(const char *rule, Value partition, mlir::ValueRange indices) {
    auto type = mlir::cast<tile::PartitionType>(partition.getType());
    std::vector<int64_t> extents = run.extents(tensorOf(partition));
    for (auto [axis, v] : llvm::enumerate(indices)) {
      std::optional<Wide> index = number(v);
      Wide tile = std::max<int64_t>(type.getTile()[axis], 1);
      if (index) {
        owe(rule, *index);
        owe(rule, extents[axis] - 1 - *index * tile);
      }
    }
  }

  void load(tile::LoadOp op) {
    Value partition = op.getSource();
    mlir::ValueRange indices = op.getIndices();
    if (auto claim = op.getSource().getDefiningOp<tile::ClaimOp>()) {
      partition = claim.getPartition();
      indices = claim.getIndices();
    } else {
      bounds("load.bounds", partition, indices);
    }
    if (op.getPad()) {
      return;
    }
    auto type = mlir::cast<tile::PartitionType>(partition.getType());
    std::vector<int64_t> extents = run.extents(tensorOf(partition));
    for (auto [axis, v] : llvm::enumerate(indices)) {
      std::optional<Wide> index = number(v);
      Wide tile = type.getTile()[axis];
      if (index && tile > 1) {
        owe("load.pad", extents[axis] - (*index + 1) * tile);
      }
    }
  }
};
} // namespace

Slacks slacksOf(SanitiserRun &run, Operation *op,
                const exec::Instance &instance) {
  return Demands(run, instance).of(op);
}

} // namespace girih::fuzz
