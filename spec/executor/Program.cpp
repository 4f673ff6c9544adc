// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding: from ops to forms.

#include "spec/executor/Program.h"

#include "mlir/IR/TypeUtilities.h"

#include <limits>

namespace girih::exec {
namespace {

namespace arith = mlir::arith;
namespace math = mlir::math;
namespace scf = mlir::scf;
namespace vector = mlir::vector;
using tile::PartitionType;
using tile::PieceType;

Coord shapeOf(mlir::Type type) {
  auto vectorType = mlir::dyn_cast<mlir::VectorType>(type);
  return vectorType ? Coord(vectorType.getShape()) : Coord();
}

int64_t lanesOf(mlir::Type type) {
  int64_t lanes = 1;
  for (int64_t extent : shapeOf(type)) {
    lanes *= extent;
  }
  return lanes;
}

/// The kind of a value's lanes; that of a tensor, partition or piece does not
/// matter.
Kind valueKind(mlir::Value value) {
  mlir::Type type = mlir::getElementTypeOrSelf(value.getType());
  return type.isIntOrIndexOrFloat() ? kindOf(type) : Kind::Index;
}

unsigned bitsOf(mlir::Type type) { return integerBits(kindOf(type)); }

/// Unit axes are one element wide.
Coord tileExtents(llvm::ArrayRef<int64_t> tile) {
  Coord extents(tile);
  for (int64_t &extent : extents) {
    extent = std::max<int64_t>(extent, 1);
  }
  return extents;
}

Value constantLanes(mlir::TypedAttr attr) {
  Value value;
  auto push = [&](mlir::Attribute element) {
    if (auto number = mlir::dyn_cast<mlir::FloatAttr>(element)) {
      value.push(Real{number.getValueAsDouble(), 0});
    } else {
      llvm::APInt bits = mlir::cast<mlir::IntegerAttr>(element).getValue();
      value.push(bits.getBitWidth() == 1 ? int64_t(bits.getZExtValue())
                                         : bits.getSExtValue());
    }
  };
  auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(attr);
  if (!dense) {
    push(attr);
    return value;
  }
  if (dense.isSplat()) {
    push(dense.getSplatValue<mlir::Attribute>());
    size_t lanes = dense.getNumElements();
    if (value.floats.empty()) {
      value.ints.assign(lanes, int64_t(value.ints[0]));
    } else {
      value.floats.assign(lanes, double(value.floats[0]));
    }
    return value;
  }
  for (mlir::Attribute element : dense.getValues<mlir::Attribute>()) {
    push(element);
  }
  return value;
}

double padOf(std::optional<tile::Pad> pad) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (pad.value_or(tile::Pad::Zero)) {
  case tile::Pad::Zero:
    return 0.0;
  case tile::Pad::NegZero:
    return -0.0;
  case tile::Pad::NegInf:
    return -infinity;
  case tile::Pad::PosInf:
    return infinity;
  case tile::Pad::NaN:
    return std::numeric_limits<double>::quiet_NaN();
  }
  return 0.0;
}

/// The form of an op on integers lane by lane, or none.
std::optional<Form> integerForm(mlir::Operation *op) {
  using Result = std::optional<Form>;
  return llvm::TypeSwitch<mlir::Operation *, Result>(op)
      .Case([](arith::AddIOp) { return IntegerForm{addInteger, false}; })
      .Case([](arith::SubIOp) { return IntegerForm{subInteger, false}; })
      .Case([](arith::MulIOp) { return IntegerForm{mulInteger, false}; })
      .Case([](arith::DivSIOp) { return IntegerForm{divInteger, true}; })
      .Case([](arith::RemSIOp) { return IntegerForm{remInteger, true}; })
      .Case(
          [](arith::CeilDivSIOp) { return IntegerForm{ceilDivInteger, true}; })
      .Case([](arith::MinSIOp) { return IntegerForm{minInteger, false}; })
      .Case([](arith::MaxSIOp) { return IntegerForm{maxInteger, false}; })
      .Case([](arith::AndIOp) { return IntegerForm{andInteger, false}; })
      .Case([](arith::OrIOp) { return IntegerForm{orInteger, false}; })
      .Case([](arith::XOrIOp) { return IntegerForm{xorInteger, false}; })
      .Case([](arith::CmpIOp compare) {
        return CompareIntegerForm{
            static_cast<CompareInteger>(compare.getPredicate()),
            bitsOf(compare.getLhs().getType())};
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>([](auto cast) {
        return CastForm{bitsOf(cast.getIn().getType()), false};
      })
      .Case([](arith::ExtUIOp cast) {
        return CastForm{bitsOf(cast.getIn().getType()), true};
      })
      .Default([](mlir::Operation *) { return Result(); });
}

/// The form of an op on floats lane by lane, or none.
std::optional<Form> floatForm(mlir::Operation *op) {
  using Result = std::optional<Form>;
  return llvm::TypeSwitch<mlir::Operation *, Result>(op)
      .Case([](arith::AddFOp) { return BinaryForm{addReal}; })
      .Case([](arith::SubFOp) { return BinaryForm{subReal}; })
      .Case([](arith::MulFOp) { return BinaryForm{mulReal}; })
      .Case([](arith::DivFOp) { return BinaryForm{divReal}; })
      .Case([](arith::MaximumFOp) { return BinaryForm{maximumReal}; })
      .Case([](arith::MinimumFOp) { return BinaryForm{minimumReal}; })
      .Case([](arith::MaxNumFOp) { return BinaryForm{maxnumReal}; })
      .Case([](arith::MinNumFOp) { return BinaryForm{minnumReal}; })
      .Case([](arith::NegFOp) { return UnaryForm{negReal}; })
      .Case([](arith::TruncFOp) { return UnaryForm{truncReal}; })
      .Case([](arith::ExtFOp) { return CopyForm{}; })
      .Case([](arith::SIToFPOp cast) {
        return FromIntegerForm{bitsOf(cast.getIn().getType())};
      })
      .Case([](arith::CmpFOp compare) {
        return CompareForm{static_cast<Compare>(compare.getPredicate())};
      })
      .Case([](math::ExpOp) { return UnaryForm{expReal}; })
      .Case([](math::Exp2Op) { return UnaryForm{exp2Real}; })
      .Case([](math::LogOp) { return UnaryForm{logReal}; })
      .Case([](math::Log2Op) { return UnaryForm{log2Real}; })
      .Case([](math::SqrtOp) { return UnaryForm{sqrtReal}; })
      .Case([](math::RsqrtOp) { return UnaryForm{rsqrtReal}; })
      .Case([](math::AbsFOp) { return UnaryForm{absReal}; })
      .Case([](math::TanhOp) { return UnaryForm{tanhReal}; })
      .Case([](math::FmaOp) { return FmaForm{}; })
      .Default([](mlir::Operation *) { return Result(); });
}

/// The form of an op between lanes, or of a select, or none.
std::optional<Form> vectorForm(mlir::Operation *op) {
  using Result = std::optional<Form>;
  return llvm::TypeSwitch<mlir::Operation *, Result>(op)
      .Case([](arith::SelectOp) { return SelectForm{}; })
      .Case([](vector::BroadcastOp cast) {
        return BroadcastForm{shapeOf(cast.getSource().getType()),
                             shapeOf(cast.getType())};
      })
      .Case([](vector::TransposeOp cast) {
        return TransposeForm{shapeOf(cast.getVector().getType()),
                             Coord(cast.getPermutation())};
      })
      .Case([](vector::ShapeCastOp) { return CopyForm{}; })
      .Case([](tile::ReduceOp reduce) {
        Axis axis{1, 1, 1};
        Coord shape = shapeOf(reduce.getValue().getType());
        auto at = static_cast<size_t>(reduce.getAxis());
        for (size_t k = 0; k < shape.size(); ++k) {
          (k < at    ? axis.outer
           : k == at ? axis.length
                     : axis.inner) *= shape[k];
        }
        return ReduceForm{static_cast<Reduction>(reduce.getReduceKind()), axis};
      })
      .Case([](tile::MmaOp mma) {
        Coord lhs = shapeOf(mma.getLhs().getType());
        Coord rhs = shapeOf(mma.getRhs().getType());
        return MmaForm{{lhs[0], rhs[1], lhs[1]}};
      })
      .Default([](mlir::Operation *) { return Result(); });
}

class Decoder {
public:
  Decoder(Program &program) : program(program) {}

  void run() {
    mlir::Block &body = *program.kernel.getBody();
    // Float scalars among the arguments are slots too.
    for (mlir::BlockArgument arg : program.kernel.getArguments()) {
      newSlot(arg);
    }
    program.body = decodeBlock(body);
  }

private:
  Slot newSlot(mlir::Value value) {
    program.slots[value] = program.slotCount;
    return program.slotCount++;
  }

  Code *decodeBlock(mlir::Block &block) {
    Code *code = program.codes.emplace_back(std::make_unique<Code>()).get();
    code->firstSlot = program.slotCount;
    if (&block != program.kernel.getBody()) {
      for (mlir::BlockArgument arg : block.getArguments()) {
        code->args.push_back(newSlot(arg));
      }
    }
    for (mlir::Operation &op : block) {
      code->instrs.push_back(decodeOp(&op));
    }
    code->lastSlot = program.slotCount;
    return code;
  }

  Instr decodeOp(mlir::Operation *op) {
    Instr instr;
    instr.op = op;
    int64_t lanes = 0; // of the largest value involved
    for (mlir::Value operand : op->getOperands()) {
      instr.in.push_back(program.slots.lookup(operand));
      lanes = std::max(lanes, lanesOf(operand.getType()));
    }
    for (mlir::Value result : op->getResults()) {
      lanes = std::max(lanes, lanesOf(result.getType()));
    }
    if (op->getNumResults() != 0) {
      mlir::Value result = op->getResult(0);
      instr.kind = valueKind(result);
      instr.bits = integerBits(instr.kind);
      instr.lanes = lanesOf(result.getType());
    }
    instr.form = formOf(op);
    for (mlir::Value result : op->getResults()) {
      instr.out.push_back(newSlot(result));
    }
    instr.skipped =
        !program.values && isComputation(instr.form) && dependsOnFloats(op);
    if (!instr.skipped) {
      instr.cost += costOf(instr.form, lanes);
    }
    return instr;
  }

  /// Moving a lane is cheap, computing one is not.
  static uint64_t costOf(const Form &form, int64_t lanes) {
    if (auto *mma = std::get_if<MmaForm>(&form)) {
      const MmaShape &shape = mma->shape;
      return static_cast<uint64_t>(shape.rows * shape.columns) * shape.depth /
             64;
    }
    return static_cast<uint64_t>(lanes / (isComputation(form) ? 8 : 64));
  }

  static bool isComputation(const Form &form) {
    return !std::holds_alternative<ClaimForm>(form) &&
           !std::holds_alternative<LoadForm>(form) &&
           !std::holds_alternative<StoreForm>(form) &&
           !std::holds_alternative<ForForm>(form) &&
           !std::holds_alternative<IfForm>(form) &&
           !std::holds_alternative<YieldForm>(form);
  }

  /// Its result is a float, or a condition on floats that steers nothing.
  bool dependsOnFloats(mlir::Operation *op) {
    bool depends =
        mlir::isa<arith::CmpFOp>(op) ||
        (op->getNumResults() == 1 && isFloat(valueKind(op->getResult(0))));
    for (mlir::Value operand : op->getOperands()) {
      depends |= fromFloats.contains(operand);
    }
    if (depends) {
      fromFloats.insert(op->result_begin(), op->result_end());
    }
    return depends;
  }

  ConstantForm integerConstant(int64_t number) {
    Value value;
    value.push(number);
    return {std::move(value)};
  }

  Form formOf(mlir::Operation *op) {
    for (auto family : {integerForm, floatForm, vectorForm}) {
      if (std::optional<Form> form = family(op)) {
        return std::move(*form);
      }
    }
    return llvm::TypeSwitch<mlir::Operation *, Form>(op)
        .Case([&](arith::ConstantOp constant) {
          bool computed = program.values || !isFloat(valueKind(constant));
          return ConstantForm{computed ? constantLanes(constant.getValue())
                                       : Value()};
        })
        .Case([&](tile::SymbolOp symbol) {
          return integerConstant(program.symbols.at(symbol.getSymbol().str()));
        })
        .Case([&](tile::GridDimOp dim) {
          return integerConstant(program.launch.grid[dim.getAxis()]);
        })
        .Case([&](tile::NumTilesOp count) {
          Tiling tiling = tilingOf(count.getPartition());
          size_t axis = count.getAxis();
          return integerConstant(
              ceilDiv(program.launch.tensors[tiling.tensor]->extents[axis],
                      tiling.tile[axis]));
        })
        .Case([](tile::BlockIdOp id) {
          return BlockIdForm{static_cast<unsigned>(id.getAxis())};
        })
        .Case([&](tile::ClaimOp claim) {
          program.claimSites.push_back(claim);
          return ClaimForm{
              tilingOf(claim.getPartition()),
              static_cast<uint32_t>(program.claimSites.size() - 1)};
        })
        .Case([&](tile::LoadOp load) {
          return LoadForm{tilingOf(load.getSource()),
                          mlir::isa<PieceType>(load.getSource().getType()),
                          load.getPad().has_value(), padOf(load.getPad())};
        })
        .Case([&](tile::StoreOp store) {
          return StoreForm{tilingOf(store.getPiece())};
        })
        .Case([&](scf::ForOp loop) {
          return ForForm{decodeBlock(*loop.getBody()),
                         bitsOf(loop.getInductionVar().getType())};
        })
        .Case([&](scf::IfOp branch) {
          mlir::Block *otherwise = branch.elseBlock();
          Code *then = decodeBlock(*branch.thenBlock());
          return IfForm{then, otherwise ? decodeBlock(*otherwise) : nullptr};
        })
        .Case([](scf::YieldOp) { return YieldForm{}; })
        .Case([](tile::PartitionOp) { return NothingForm{}; })
        .Default([&](mlir::Operation *unknown) {
          program.unknownOp = unknown->getName().getStringRef().str();
          return NothingForm{};
        });
  }

  /// Of a partition or a piece: both are defined by ops, never carried.
  Tiling tilingOf(mlir::Value value) {
    if (auto claim = value.getDefiningOp<tile::ClaimOp>()) {
      return tilingOf(claim.getPartition());
    }
    auto partition = value.getDefiningOp<tile::PartitionOp>();
    auto tensor = mlir::cast<mlir::BlockArgument>(partition.getTensor());
    return {tensor.getArgNumber(), tileExtents(partition.getTile())};
  }

  Program &program;
  llvm::DenseSet<mlir::Value> fromFloats;
};

} // namespace

bool eventsNeedFloats(tile::KernelOp kernel) {
  llvm::DenseSet<mlir::Value> tainted;
  bool needed = false;
  kernel.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    bool reads = mlir::isa<arith::CmpFOp>(op);
    for (mlir::Value operand : op->getOperands()) {
      reads |= tainted.contains(operand);
    }
    if (!reads) {
      return;
    }
    bool steers = !mlir::isPure(op) ||
                  mlir::isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
                            scf::ForOp, scf::IfOp, scf::YieldOp>(op);
    for (mlir::Value result : op->getResults()) {
      mlir::Type type = mlir::getElementTypeOrSelf(result.getType());
      steers |= type.isIndex();
      if (type.isIntOrIndex()) {
        tainted.insert(result);
      }
    }
    needed |= steers;
  });
  return needed;
}

int64_t lanesOfBlock(tile::KernelOp kernel, bool values) {
  int64_t lanes = 0;
  kernel.walk([&](mlir::Operation *op) {
    for (mlir::Value result : op->getResults()) {
      if (values || !isFloat(valueKind(result))) {
        lanes += lanesOf(result.getType());
      }
    }
  });
  return lanes;
}

Program decode(tile::KernelOp kernel, Launch launch, const Options &options,
               bool values) {
  Program program;
  program.kernel = kernel;
  program.launch = std::move(launch);
  program.symbols = options.symbols;
  program.indexWidth = options.indexWidth;
  program.values = values;
  Decoder(program).run();
  return program;
}

} // namespace girih::exec
