// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each rule demands at an instance of an op, as the number that must not
// be negative. The goals of the obligations there must have just these values:
// a goal that is merely true says little about the index it speaks of.

#include "fuzz/sanitiser/SanitiserRun.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using mlir::Operation;
using mlir::Value;

namespace girih::fuzz {

namespace {
/// Collects the demands of one op; numbers come from the executor alone.
class Demands {
public:
  Demands(SanitiserRun &run, const exec::Instance &instance, size_t lane)
      : run(run), instance(instance), lane(lane) {}

  Slacks of(Operation *op) {
    using namespace mlir::arith;
    llvm::TypeSwitch<Operation *>(op)
        .Case<AddIOp>([&](AddIOp o) { width(o, sum(o, 1)); })
        .Case<SubIOp>([&](SubIOp o) { width(o, sum(o, -1)); })
        .Case<MulIOp>([&](MulIOp o) { width(o, product(o)); })
        .Case<IndexCastOp>([&](IndexCastOp o) { cast(o); })
        .Case<DivSIOp, RemSIOp, CeilDivSIOp>([&](auto o) { division(o); })
        .Case<tile::ClaimOp>([&](tile::ClaimOp o) {
          bounds(Rule::ClaimBounds, o.getPartition(), o.getIndices());
        })
        .Case<tile::GatherOp>([&](tile::GatherOp o) {
          lanes(Rule::GatherBounds, o.getTensor(), o.getIndices());
        })
        .Case<tile::ScatterOp>([&](tile::ScatterOp o) {
          lanes(Rule::ScatterBounds, o.getTensor(), o.getIndices());
        })
        .Case<tile::AtomicScatterOp>([&](tile::AtomicScatterOp o) {
          lanes(Rule::AtomicScatterBounds, o.getTensor(), o.getIndices());
        })
        .Case<tile::LoadOp>([&](tile::LoadOp o) { load(o); })
        .Case<tile::ViewOp>([&](tile::ViewOp o) { view(o); })
        .Case<tile::AtomicOp>([&](tile::AtomicOp o) {
          bounds(Rule::AtomicBounds, o.getPartition(), o.getIndices());
        })
        .Case<mlir::scf::ForOp>([&](mlir::scf::ForOp o) {
          if (std::optional<Wide> step = number(o.getStep())) {
            emit(Rule::LoopStep, *step - 1);
          }
        });
    return std::move(slacks);
  }

private:
  SanitiserRun &run;
  const exec::Instance &instance;
  size_t lane;
  Slacks slacks;

  std::optional<Wide> number(Value v) {
    return mlir::isa<mlir::VectorType>(v.getType()) ? instance.integer(v, lane)
                                                    : instance.integer(v);
  }
  void emit(Rule rule, Wide slack) { slacks.push_back({rule, slack}); }

  std::optional<Wide> sum(Operation *op, int sign) {
    auto a = number(op->getOperand(0)), b = number(op->getOperand(1));
    return a && b ? std::optional<Wide>(*a + sign * *b) : std::nullopt;
  }
  std::optional<Wide> product(Operation *op) {
    auto a = number(op->getOperand(0)), b = number(op->getOperand(1));
    return a && b ? std::optional<Wide>(*a * *b) : std::nullopt;
  }

  void width(Operation *op, std::optional<Wide> exact) {
    if (!exact || !elementOf(op->getResult(0)).isIndex()) {
      return;
    }
    width(*exact);
  }
  void width(Wide exact) {
    Wide half = Wide(1) << (run.run.indexWidth - 1);
    emit(Rule::IndexWidth, half - 1 - exact);
    emit(Rule::IndexWidth, exact + half);
  }

  /// The strides that the type of an argument says.
  std::vector<int64_t> stridesOf(mlir::BlockArgument arg) {
    auto type = mlir::cast<tile::TileTensorType>(arg.getType());
    std::vector<int64_t> out =
        run.extents(static_cast<int>(arg.getArgNumber()));
    int64_t next = 1;
    for (size_t k = out.size(); k-- > 0;) {
      next *= std::exchange(out[k], next);
    }
    for (auto [k, stride] : llvm::enumerate(type.getStrides())) {
      auto name = mlir::dyn_cast<mlir::StringAttr>(stride);
      out[k] = name ? static_cast<int64_t>(*instance.symbol(name))
                    : mlir::cast<mlir::IntegerAttr>(stride).getInt();
    }
    return out;
  }

  void cast(mlir::arith::IndexCastOp op) {
    auto from = mlir::dyn_cast<mlir::IntegerType>(elementOf(op.getIn()));
    if (from && from.getWidth() > run.run.indexWidth) {
      width(op, number(op.getIn()));
    }
  }

  void division(Operation *op) {
    auto a = number(op->getOperand(0)), d = number(op->getOperand(1));
    if (a && d && !elementOf(op->getResult(0)).isInteger(1)) {
      emit(Rule::IndexDivision, *d - 1);
      emit(Rule::IndexDivision, *a);
    }
  }

  static mlir::Type elementOf(Value v) { return mlir::getElementTypeOrSelf(v); }

  void lanes(Rule rule, Value tensor, mlir::ValueRange indices) {
    auto view = instance.view(tensor);
    if (!view) {
      run.problem("lanes of a view that is not there");
      return;
    }
    for (auto [axis, v] : llvm::enumerate(indices)) {
      if (std::optional<Wide> at = number(v)) {
        emit(rule, *at);
        emit(rule, view->extents[axis] - 1 - *at);
      }
    }
  }

  /// The extents of what a partition tiles.
  exec::Coord extentsOf(Value partition) {
    auto view = instance.view(tile::partitionOf(partition).getTensor());
    if (!view) {
      run.problem("tiles of a view that is not there");
      auto type = mlir::cast<tile::PartitionType>(partition.getType());
      return exec::Coord(type.getRank(), 0);
    }
    return view->extents;
  }

  std::optional<Wide> number(const tile::ViewNumber &n) {
    if (auto *constant = std::get_if<int64_t>(&n)) {
      return *constant;
    }
    if (auto *name = std::get_if<mlir::StringAttr>(&n)) {
      return instance.symbol(*name);
    }
    return number(std::get<Value>(n));
  }

  void view(tile::ViewOp op) {
    auto of = instance.view(op.getTensor());
    if (!of) {
      run.problem("a view of what is not there");
      return;
    }
    if (op.getKind() == tile::ViewKind::Slice) {
      auto offsets = op.getOffsets(), sizes = op.getSizes(),
           steps = op.getStepNumbers();
      for (size_t k = 0; k < sizes.size(); ++k) {
        auto offset = number(offsets[k]), size = number(sizes[k]),
             step = number(steps[k]);
        if (!offset || !size || !step) {
          continue;
        }
        emit(Rule::ViewSlice, *offset);
        emit(Rule::ViewSlice, *size);
        if (tile::isOne(steps[k])) {
          emit(Rule::ViewSlice, of->extents[k] - *offset - *size);
          continue;
        }
        emit(Rule::ViewSlice, *step - 1);
        Wide last = *offset + *step * (*size - 1);
        emit(Rule::ViewSlice, *size < 1 ? 0 : of->extents[k] - 1 - last);
      }
    } else if (op.getKind() == tile::ViewKind::Fix) {
      if (auto at = number(op.getCoordinate())) {
        emit(Rule::ViewFix, *at);
        emit(Rule::ViewFix, of->extents[op.getAxis()] - 1 - *at);
      }
    } else if (op.getKind() == tile::ViewKind::Flatten) {
      unsigned axis = op.getAxis();
      Wide outer = of->extents[axis], inner = of->extents[axis + 1];
      width(outer * inner);
      std::vector<int64_t> strides = stridesOf(tile::rootOf(op.getTensor()));
      Wide gap =
          of->strideOf(axis, strides) - inner * of->strideOf(axis + 1, strides);
      gap = outer > 1 ? gap : 0;
      emit(Rule::ViewFlatten, gap);
      emit(Rule::ViewFlatten, -gap);
    } else if (op.getKind() == tile::ViewKind::Unfold) {
      Wide product = 1;
      for (const tile::ViewNumber &f : op.getFactors()) {
        product *= number(f).value_or(0);
      }
      emit(Rule::ViewUnfold, of->extents[op.getAxis()] - product);
      emit(Rule::ViewUnfold, product - of->extents[op.getAxis()]);
    }
  }

  void bounds(Rule rule, Value partition, mlir::ValueRange indices) {
    auto type = mlir::cast<tile::PartitionType>(partition.getType());
    exec::Coord extents = extentsOf(partition);
    for (auto [axis, v] : llvm::enumerate(indices)) {
      std::optional<Wide> index = number(v);
      Wide tile = std::max<int64_t>(type.getTile()[axis], 1);
      if (index) {
        emit(rule, *index);
        emit(rule, extents[axis] - 1 - *index * tile);
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
      bounds(Rule::LoadBounds, partition, indices);
    }
    if (op.getPad()) {
      return;
    }
    auto type = mlir::cast<tile::PartitionType>(partition.getType());
    exec::Coord extents = extentsOf(partition);
    for (auto [axis, v] : llvm::enumerate(indices)) {
      std::optional<Wide> index = number(v);
      Wide tile = type.getTile()[axis];
      if (index && tile > 1) {
        emit(Rule::LoadPad, extents[axis] - (*index + 1) * tile);
      }
    }
  }
};
} // namespace

Slacks slacksOf(SanitiserRun &run, Operation *op,
                const exec::Instance &instance, size_t lane) {
  return Demands(run, instance, lane).of(op);
}

mlir::VectorType laneType(Operation *op) {
  if (auto gather = mlir::dyn_cast<tile::GatherOp>(op)) {
    return mlir::cast<mlir::VectorType>(gather.getResult().getType());
  }
  if (auto scatter = mlir::dyn_cast<tile::ScatterOp>(op)) {
    return mlir::cast<mlir::VectorType>(scatter.getValue().getType());
  }
  if (auto atomic = mlir::dyn_cast<tile::AtomicScatterOp>(op)) {
    return mlir::cast<mlir::VectorType>(atomic.getValue().getType());
  }
  bool counts = mlir::isa<tile::IotaOp, mlir::arith::ConstantOp>(op);
  return op->getNumResults() == 1 && !counts &&
                 mlir::isa<mlir::arith::ArithDialect>(op->getDialect())
             ? mlir::dyn_cast<mlir::VectorType>(op->getResult(0).getType())
             : mlir::VectorType();
}

bool isActive(Operation *op, const exec::Instance &instance, size_t lane) {
  auto gather = mlir::dyn_cast<tile::GatherOp>(op);
  auto scatter = mlir::dyn_cast<tile::ScatterOp>(op);
  auto atomic = mlir::dyn_cast<tile::AtomicScatterOp>(op);
  Value mask = gather    ? gather.getMask()
               : scatter ? scatter.getMask()
               : atomic  ? atomic.getMask()
                         : Value();
  return !mask || instance.integer(mask, lane).value_or(0) != 0;
}

} // namespace girih::fuzz
