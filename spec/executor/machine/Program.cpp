// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding: from ops to forms.

#include "spec/executor/machine/Program.h"
#include "ir/text/Reader.h"

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

double realOf(tile::Pad pad, Kind kind) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  switch (pad) {
  case tile::Pad::Zero:
    // The smallest of scales stands for it.
    return kind == Kind::F8E8M0FNU ? formatOf(kind).tiny() : 0.0;
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

PadLane padOf(mlir::Attribute pad, mlir::Value padded) {
  if (std::optional<int64_t> whole = tile::wholePad(pad)) {
    return {.integer = *whole};
  }
  if (auto real = mlir::dyn_cast_if_present<mlir::FloatAttr>(pad)) {
    return {.real = real.getValueAsDouble()};
  }
  auto word = mlir::cast_if_present<tile::PadAttr>(pad);
  return {.real = realOf(word ? word.getValue() : tile::Pad::Zero,
                         valueKind(padded))};
}

/// The form of an op that Elementwise.def gives a lane function, or none.
std::optional<Form> elementwiseForm(mlir::Operation *op) {
  static const llvm::StringMap<std::optional<Form>> forms = {
#define INTEGER(apply) IntegerForm{apply}
#define UNSIGNED(apply) IntegerForm{apply, false, true}
#define UNSIGNED_BITS(apply) UnsignedBitsForm{apply}
#define DIVISION(apply) IntegerForm{apply, true}
#define UNARY_INTEGER(apply) UnaryIntegerForm{apply}
#define UNARY_REAL(apply) UnaryForm{apply}
#define BINARY_REAL(apply) BinaryForm{apply}
#define EXECUTED_BY_HAND std::nullopt
#define ELEMENTWISE(name, shape, elements, executor, ...) {name, executor},
#include "ir/ops/Elementwise.def"
  };
  return forms.lookup(op->getName().getStringRef());
}

/// The form of an op on integers whose lane function depends on more, or none.
std::optional<Form> integerForm(mlir::Operation *op) {
  using Result = std::optional<Form>;
  return llvm::TypeSwitch<mlir::Operation *, Result>(op)
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

/// The form of an op on floats whose lane function depends on more, or none.
std::optional<Form> floatForm(mlir::Operation *op) {
  using Result = std::optional<Form>;
  return llvm::TypeSwitch<mlir::Operation *, Result>(op)
      .Case([](tile::ConvertOp convert) {
        std::optional<tile::Rounding> to = convert.getRounding();
        return UnaryForm{!to                          ? convertReal
                         : to == tile::Rounding::Zero ? powerBelowReal
                                                      : powerAboveReal};
      })
      .Case([](arith::ExtFOp) { return CopyForm{}; })
      .Case([](arith::SIToFPOp cast) {
        return FromIntegerForm{bitsOf(cast.getIn().getType()), false};
      })
      .Case([](arith::UIToFPOp cast) {
        return FromIntegerForm{bitsOf(cast.getIn().getType()), true};
      })
      .Case([](arith::FPToSIOp) { return ToIntegerForm{false}; })
      .Case([](arith::FPToUIOp) { return ToIntegerForm{true}; })
      .Case([](arith::BitcastOp cast) {
        return BitcastForm{kindOf(mlir::getElementTypeOrSelf(cast.getIn()))};
      })
      .Case([](arith::CmpFOp compare) {
        return CompareForm{static_cast<Compare>(compare.getPredicate())};
      })
      .Case([](math::Exp2Op exp2) {
        return exp2.getFastmath() == arith::FastMathFlags::afn
                   ? Result(UnaryForm{exp2FlushedReal})
                   : std::nullopt;
      })
      .Case([](math::FmaOp) { return FmaForm{}; })
      .Default([](mlir::Operation *) { return Result(); });
}

Axis axisOf(const Coord &shape, uint64_t at) {
  Axis axis{1, 1, 1};
  for (size_t k = 0; k < shape.size(); ++k) {
    (k < at ? axis.outer : k == at ? axis.length : axis.inner) *= shape[k];
  }
  return axis;
}

/// The form of an op between lanes, or of a select, or none.
std::optional<Form> vectorForm(mlir::Operation *op) {
  using Result = std::optional<Form>;
  return llvm::TypeSwitch<mlir::Operation *, Result>(op)
      .Case([](arith::SelectOp) { return SelectForm{}; })
      .Case([](tile::IotaOp iota) {
        return IotaForm{axisOf(shapeOf(iota.getType()), iota.getAxis())};
      })
      .Case([](vector::BroadcastOp cast) {
        return BroadcastForm{shapeOf(cast.getSource().getType()),
                             shapeOf(cast.getType())};
      })
      .Case([](vector::TransposeOp cast) {
        return TransposeForm{shapeOf(cast.getVector().getType()),
                             Coord(cast.getPermutation())};
      })
      .Case([](tile::ExtractOp part) {
        return ExtractForm{shapeOf(part.getValue().getType()),
                           shapeOf(part.getType()), Coord(part.getPosition())};
      })
      .Case([](tile::CatOp whole) {
        return CatForm{
            axisOf(shapeOf(whole.getLhs().getType()), whole.getAxis())};
      })
      .Case([](vector::ShapeCastOp) { return CopyForm{}; })
      .Case([](tile::ReduceOp reduce) {
        return ReduceForm{
            static_cast<Reduction>(reduce.getReduceKind()),
            axisOf(shapeOf(reduce.getValue().getType()), reduce.getAxis())};
      })
      .Case([](tile::ScanOp scan) {
        return ScanForm{
            static_cast<Reduction>(scan.getReduceKind()),
            axisOf(shapeOf(scan.getValue().getType()), scan.getAxis()),
            scan.getReverse()};
      })
      .Case<tile::ArgMaxOp, tile::ArgMinOp>([](auto op) {
        return ArgumentForm{
            std::is_same_v<decltype(op), tile::ArgMaxOp>,
            axisOf(shapeOf(op.getValue().getType()), op.getAxis()),
            valueKind(op.getValue())};
      })
      .Case([](tile::MmaOp mma) {
        Coord lhs = shapeOf(mma.getLhs().getType());
        Coord rhs = shapeOf(mma.getRhs().getType());
        return MmaForm{{lhs[0], rhs[1], lhs[1]},
                       0,
                       valueKind(mma.getLhs()),
                       mma.getFast()};
      })
      .Case([](tile::MmaScaledOp mma) {
        Coord lhs = shapeOf(mma.getLhs().getType());
        Coord rhs = shapeOf(mma.getRhs().getType());
        Coord scales = shapeOf(mma.getLhsScale().getType());
        return MmaForm{{lhs[0], rhs[1], lhs[1]},
                       lhs[1] / scales[1],
                       valueKind(mma.getLhs()),
                       false};
      })
      .Default([](mlir::Operation *) { return Result(); });
}

/// Whether an op makes integers of floats.
bool measuresFloats(mlir::Operation *op) {
  return mlir::isa<arith::CmpFOp, arith::FPToSIOp, arith::FPToUIOp,
                   arith::BitcastOp, tile::ArgMaxOp, tile::ArgMinOp>(op) &&
         isFloat(valueKind(op->getOperand(0)));
}

/// What is broken when a condition that was to be proved is false.
Rule ruleOf(tile::ProveKind kind) {
  switch (kind) {
  case tile::ProveKind::Holds:
    return Rule::ProveHolds;
  case tile::ProveKind::Domain:
    return Rule::MapDomain;
  case tile::ProveKind::Into:
    return Rule::MapInto;
  case tile::ProveKind::Inverse:
    return Rule::MapInverse;
  case tile::ProveKind::Count:
    return Rule::MapCount;
  case tile::ProveKind::Bytes:
    return Rule::BytesWhole;
  }
  return Rule::ProveHolds;
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
    code->instrs.reserve(block.getOperations().size());
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
    bool laneByLane = isComputation(form) ||
                      std::holds_alternative<GatherForm>(form) ||
                      std::holds_alternative<ScatterForm>(form) ||
                      std::holds_alternative<AtomicScatterForm>(form);
    return static_cast<uint64_t>(lanes / (laneByLane ? 8 : 64));
  }

  static bool isComputation(const Form &form) {
    return std::visit(
        []<typename F>(const F &) {
          return !llvm::is_one_of<F, ClaimForm, LoadForm, StoreForm, ViewForm,
                                  GatherForm, ScatterForm, AtomicForm,
                                  AtomicScatterForm, ForForm, IfForm, WhileForm,
                                  ConditionForm, MeasureForm, YieldForm,
                                  StatementForm, PrintForm>::value;
        },
        form);
  }

  /// Its result is a float, or was measured on floats and steers nothing.
  bool dependsOnFloats(mlir::Operation *op) {
    bool depends = measuresFloats(op) || (op->getNumResults() == 1 &&
                                          isFloat(valueKind(op->getResult(0))));
    for (mlir::Value operand : op->getOperands()) {
      depends |= fromFloats.contains(operand);
    }
    if (depends) {
      fromFloats.insert(op->result_begin(), op->result_end());
    }
    return depends;
  }

  /// The numbers of a list, values taking operands from `operand` on.
  std::vector<NumberOrSlot> numbers(llvm::ArrayRef<tile::ViewNumber> list,
                                    unsigned &operand) {
    std::vector<NumberOrSlot> out;
    for (const tile::ViewNumber &n : list) {
      if (auto *constant = std::get_if<int64_t>(&n)) {
        out.push_back({*constant, "", std::nullopt});
      } else if (auto *name = std::get_if<mlir::StringAttr>(&n)) {
        out.push_back({0, name->str(), std::nullopt});
      } else {
        out.push_back({0, "", operand++});
      }
    }
    return out;
  }

  ViewForm viewForm(tile::ViewOp view) {
    ViewForm form{view.getKind(), {}, {}, {}, argumentOf(view.getTensor()), {}};
    unsigned operand = 1; // after the tensor
    if (form.kind == tile::ViewKind::Slice) {
      form.offsets = numbers(view.getOffsets(), operand);
    } else {
      form.axes = view.getPermutation();
    }
    form.sizes = numbers(view.getSizes(), operand);
    if (form.kind == tile::ViewKind::Slice) {
      form.steps = numbers(view.getStepNumbers(), operand);
    }
    return form;
  }

  Form formOf(mlir::Operation *op) {
    // Before the table, what depends on attributes.
    for (auto family : {integerForm, floatForm, vectorForm, elementwiseForm}) {
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
        .Case([](tile::SymbolOp symbol) {
          return SymbolForm{symbol.getSymbol().str()};
        })
        .Case([](tile::GridDimOp dim) {
          return GridDimForm{static_cast<unsigned>(dim.getAxis())};
        })
        .Case([&](tile::NumTilesOp count) {
          return NumTilesForm{tilingOf(count.getPartition()),
                              static_cast<unsigned>(count.getAxis())};
        })
        .Case([&](tile::InsideOp inside) {
          return InsideForm{tilingOf(inside.getPartition())};
        })
        .Case([&](tile::ViewOp view) { return viewForm(view); })
        .Case([](tile::BlockIdOp id) {
          return BlockIdForm{static_cast<unsigned>(id.getAxis())};
        })
        .Case([&](tile::ClaimOp claim) {
          program.claimSites.push_back(claim);
          return ClaimForm{tilingOf(claim.getPartition()),
                           static_cast<uint32_t>(program.claimSites.size() - 1),
                           claim.getResult().getType().getMode() ==
                               tile::Mode::Raw};
        })
        .Case([&](tile::LoadOp load) {
          return LoadForm{tilingOf(load.getSource()),
                          mlir::isa<PieceType>(load.getSource().getType()),
                          load.getPad().has_value(),
                          padOf(load.getPadAttr(), load)};
        })
        .Case([&](tile::StoreOp store) {
          return StoreForm{tilingOf(store.getPiece())};
        })
        .Case([&](tile::GatherOp gather) {
          return GatherForm{argumentOf(gather.getTensor()),
                            static_cast<unsigned>(gather.getIndices().size()),
                            bool(gather.getMask()),
                            padOf(gather.getPadAttr(), gather)};
        })
        .Case([&](tile::ScatterOp scatter) {
          program.claimSites.push_back(scatter);
          return ScatterForm{
              argumentOf(scatter.getTensor()),
              static_cast<unsigned>(scatter.getIndices().size()),
              bool(scatter.getMask()),
              static_cast<uint32_t>(program.claimSites.size() - 1)};
        })
        .Case([&](tile::AtomicOp atomic) {
          return AtomicForm{tilingOf(atomic.getPartition()), atomic.getKind(),
                            valueKind(atomic.getValue())};
        })
        .Case([&](tile::AtomicScatterOp atomic) {
          return AtomicScatterForm{
              argumentOf(atomic.getTensor()),
              static_cast<unsigned>(atomic.getIndices().size()),
              bool(atomic.getMask()), atomic.getKind(),
              valueKind(atomic.getValue())};
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
        .Case([&](scf::WhileOp loop) {
          Code *condition = decodeBlock(loop.getBefore().front());
          return WhileForm{condition, decodeBlock(loop.getAfter().front())};
        })
        .Case([](scf::ConditionOp) { return ConditionForm{}; })
        .Case([](tile::MeasureOp) { return MeasureForm{}; })
        .Case([](scf::YieldOp) { return YieldForm{}; })
        .Case([](tile::NameOp) { return CopyForm{}; })
        .Case([](tile::ProveOp prove) {
          return StatementForm{ruleOf(prove.getRule())};
        })
        .Case([](tile::TrustOp) { return StatementForm{Rule::TrustHolds}; })
        .Case([](tile::InvariantOp) {
          return StatementForm{Rule::InvariantHolds};
        })
        .Case([](tile::PrintOp print) {
          PrintForm form{print.getLabel().str(), {}};
          for (mlir::Value v : print.getValues()) {
            form.names.push_back(tile::writtenName(v));
          }
          return form;
        })
        .Case([](tile::PartitionOp) { return NothingForm{}; })
        .Default([&](mlir::Operation *unknown) {
          program.unknownOp = unknown->getName().getStringRef().str();
          return NothingForm{};
        });
  }

  static unsigned argumentOf(mlir::Value tensor) {
    return tile::rootOf(tensor).getArgNumber();
  }

  /// Of a partition or a piece: both are defined by ops, never carried.
  Tiling tilingOf(mlir::Value value) {
    tile::PartitionOp partition = tile::partitionOf(value);
    return {tile::rootOf(partition.getTensor()).getArgNumber(),
            tileExtents(partition.getTile()),
            program.slots.lookup(partition.getTensor())};
  }

  Program &program;
  llvm::DenseSet<mlir::Value> fromFloats;
};

} // namespace

bool eventsNeedFloats(tile::KernelOp kernel) {
  llvm::DenseSet<mlir::Value> tainted;
  bool needed = false;
  kernel.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    bool reads = measuresFloats(op);
    for (mlir::Value operand : op->getOperands()) {
      reads |= tainted.contains(operand);
    }
    if (!reads) {
      return;
    }
    bool steers = !mlir::isPure(op) ||
                  mlir::isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
                            scf::ForOp, scf::IfOp, scf::WhileOp,
                            scf::ConditionOp, scf::YieldOp>(op);
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

Program decode(tile::KernelOp kernel, bool values) {
  Program program;
  program.kernel = kernel;
  program.values = values;
  Decoder(program).run();
  return program;
}

} // namespace girih::exec
