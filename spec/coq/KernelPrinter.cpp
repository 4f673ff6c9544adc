// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per form of proofs/theory/Syntax.v.

#include "spec/coq/KernelPrinter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace girih::coq {
namespace {

namespace arith = mlir::arith;
namespace scf = mlir::scf;

std::string number(int64_t n) {
  return n < 0 ? "(" + std::to_string(n) + ")" : std::to_string(n);
}

std::string number(const llvm::APInt &n, bool isSigned) {
  llvm::SmallString<24> text;
  n.toString(text, 10, isSigned);
  return n.isNegative() && isSigned ? "(" + text.str().str() + ")"
                                    : text.str().str();
}

std::string quoted(llvm::StringRef text) { return "\"" + text.str() + "\""; }

/// `[a; b]` of what `print` makes of each.
template <typename Range, typename Print>
std::string list(const Range &range, Print print) {
  std::string text = "[";
  for (const auto &item : range) {
    text += (text.size() > 1 ? "; " : "") + print(item);
  }
  return text + "]";
}

std::string element(mlir::Type type) {
  if (type.isIndex()) {
    return "Index";
  }
  if (type.isIntOrIndex()) {
    return "(Int " + std::to_string(type.getIntOrFloatBitWidth()) + ")";
  }
  if (mlir::isa<mlir::Float8E4M3FNType>(type)) {
    return "(Float 4 3)";
  }
  if (mlir::isa<mlir::Float8E5M2Type>(type)) {
    return "(Float 5 2)";
  }
  if (mlir::isa<mlir::Float4E2M1FNType>(type)) {
    return "(Float 2 1)";
  }
  if (mlir::isa<mlir::Float8E8M0FNUType>(type)) {
    return "(Float 8 0)";
  }
  return type.isF16()    ? "F16"
         : type.isBF16() ? "BF16"
         : type.isF32()  ? "F32"
                         : "F64";
}

std::string type(mlir::Type type) {
  llvm::ArrayRef<int64_t> shape;
  if (auto vector = mlir::dyn_cast<mlir::VectorType>(type)) {
    shape = vector.getShape();
  }
  return "(Type_ " + list(shape, [](int64_t n) { return number(n); }) + " " +
         element(mlir::getElementTypeOrSelf(type)) + ")";
}

std::string dim(mlir::Attribute attr) {
  if (auto constant = mlir::dyn_cast<mlir::IntegerAttr>(attr)) {
    return "Fixed " + number(constant.getValue().getSExtValue());
  }
  return "Named " + quoted(mlir::cast<mlir::StringAttr>(attr).getValue());
}

/// What an atomic op combines by.
const char *combination(tile::AtomicKind kind) {
  switch (kind) {
  case tile::AtomicKind::Add:
    return "Add";
  case tile::AtomicKind::Min:
    return "Min";
  case tile::AtomicKind::Max:
    return "Max";
  case tile::AtomicKind::And:
    return "And";
  case tile::AtomicKind::Or:
    return "Or";
  case tile::AtomicKind::Xor:
    return "Xor";
  }
  llvm_unreachable("all kinds of atomics are above");
}

std::string argument(mlir::Type type) {
  auto tensor = mlir::dyn_cast<tile::TileTensorType>(type);
  if (!tensor) {
    return "FloatArg " + element(type);
  }
  std::string mode = "Shared";
  if (tensor.getMode() == tile::Mode::Own) {
    mode = "Own";
  } else if (tensor.getMode() == tile::Mode::Out) {
    mode = tensor.getPartial() ? "(Out true)" : "(Out false)";
  } else if (auto kind = tile::atomicOf(tensor.getMode())) {
    mode = std::string("(AtomicBy ") + combination(*kind) + ")";
  }
  std::string strides = "None";
  if (!tensor.getStrides().empty()) {
    strides = "(Some " + list(tensor.getStrides(), dim) + ")";
  }
  return "TensorArg (Tensor " + mode + " " + element(tensor.getElementType()) +
         " " + list(tensor.getDims(), dim) + " " + strides + " " +
         number(tensor.getAlign()) + ")";
}

std::string expression(tile::ExprAttr e) {
  using tile::ExprKind;
  const char *word = nullptr;
  switch (e.getKind()) {
  case ExprKind::Constant:
    return "(Const " + number(e.getValue()) + ")";
  case ExprKind::Symbol:
    return "(Sym " + quoted(e.getSymbol().getValue()) + ")";
  case ExprKind::Add:
    word = "Add";
    break;
  case ExprKind::Sub:
    word = "Sub";
    break;
  case ExprKind::Mul:
    word = "Mul";
    break;
  case ExprKind::Div:
    word = "Div";
    break;
  case ExprKind::Mod:
    word = "Rem";
    break;
  case ExprKind::CeilDiv:
    word = "CeilDiv";
    break;
  case ExprKind::Min:
    word = "Min";
    break;
  case ExprKind::Max:
    word = "Max";
    break;
  }
  return std::string("(Expr ") + word + " " + expression(e.getLhs()) + " " +
         expression(e.getRhs()) + ")";
}

std::string condition(tile::ComparisonAttr c) {
  static constexpr const char *words[] = {"Eq", "Lt", "Le", "Gt", "Ge"};
  return std::string("Condition ") + words[static_cast<int>(c.getKind())] +
         " " + expression(c.getLhs()) + " " + expression(c.getRhs());
}

std::string given(tile::GivenAttr g) {
  std::string content;
  switch (g.getKind()) {
  case tile::GivenKind::Within:
    content = "(Within " + expression(g.getLow()) + " " +
              expression(g.getHigh()) + ")";
    break;
  case tile::GivenKind::Sorted:
    content = "Sorted";
    break;
  case tile::GivenKind::Splits:
    content = "(Splits " + expression(g.getHigh()) + ")";
    break;
  case tile::GivenKind::Distinct:
    content = "AllDistinct";
    break;
  }
  return "OfContents " + std::to_string(g.getTensor()) + "%nat " + content;
}

std::string cover(tile::KernelOp kernel, tile::CoverAttr c) {
  unsigned tensor = 0;
  while (kernel.getArgName(tensor) != c.getTensor().getValue()) {
    ++tensor;
  }
  return "Cover " + std::to_string(tensor) + "%nat " +
         list(c.getIndices().getAsRange<mlir::StringAttr>(),
              [](mlir::StringAttr name) { return quoted(name); }) +
         " " + list(c.getBlocks().getAsRange<tile::ExprAttr>(), expression) +
         " " + list(c.getTrips().getAsRange<tile::ExprAttr>(), expression);
}

/// The constructor of an integer op of two operands, or nothing.
llvm::StringRef binaryWord(mlir::Operation *op) {
  return llvm::StringSwitch<llvm::StringRef>(op->getName().getStringRef())
      .Case("arith.addi", "Add")
      .Case("arith.subi", "Sub")
      .Case("arith.muli", "Mul")
      .Case("arith.divsi", "Div")
      .Case("arith.remsi", "Rem")
      .Case("arith.ceildivsi", "CeilDiv")
      .Case("arith.minsi", "Min")
      .Case("arith.maxsi", "Max")
      .Case("arith.andi", "And")
      .Case("arith.ori", "Or")
      .Case("arith.xori", "Xor")
      .Default("");
}

/// What an op that is opaque to the semantics says beside its operands.
std::string attributes(mlir::Operation *op) {
  std::vector<int64_t> numbers;
  if (auto compare = mlir::dyn_cast<arith::CmpFOp>(op)) {
    numbers = {static_cast<int64_t>(compare.getPredicate())};
  } else if (auto turn = mlir::dyn_cast<mlir::vector::TransposeOp>(op)) {
    numbers = turn.getPermutation().vec();
  } else if (auto reduce = mlir::dyn_cast<tile::ReduceOp>(op)) {
    numbers = {static_cast<int64_t>(reduce.getReduceKind()),
               static_cast<int64_t>(reduce.getAxis())};
  } else if (auto scan = mlir::dyn_cast<tile::ScanOp>(op)) {
    numbers = {static_cast<int64_t>(scan.getReduceKind()),
               static_cast<int64_t>(scan.getAxis()), scan.getReverse()};
  } else if (auto largest = mlir::dyn_cast<tile::ArgMaxOp>(op)) {
    numbers = {static_cast<int64_t>(largest.getAxis())};
  } else if (auto smallest = mlir::dyn_cast<tile::ArgMinOp>(op)) {
    numbers = {static_cast<int64_t>(smallest.getAxis())};
  } else if (auto convert = mlir::dyn_cast<tile::ConvertOp>(op);
             convert && convert.getRounding()) {
    numbers = {static_cast<int64_t>(*convert.getRounding())};
  }
  return list(numbers, [](int64_t n) { return number(n); });
}

/// How an op moves lanes of integers, or nothing.
std::string moveOf(mlir::Operation *op) {
  if (op->getNumResults() != 1 ||
      mlir::isa<mlir::FloatType>(
          mlir::getElementTypeOrSelf(op->getResult(0).getType()))) {
    return "";
  }
  return llvm::TypeSwitch<mlir::Operation *, std::string>(op)
      .Case([](mlir::vector::BroadcastOp) { return "Broadcast"; })
      .Case([](mlir::vector::TransposeOp turn) {
        return "(Transpose " +
               list(turn.getPermutation(),
                    [](int64_t axis) { return std::to_string(axis); }) +
               "%nat)";
      })
      .Case([](mlir::vector::ShapeCastOp) { return "Reshape"; })
      .Default([](mlir::Operation *) { return ""; });
}

std::string shape(mlir::Type type) {
  auto vector = mlir::dyn_cast<mlir::VectorType>(type);
  return list(vector ? vector.getShape() : llvm::ArrayRef<int64_t>(),
              [](int64_t n) { return number(n); });
}

class Printer {
public:
  std::string print(tile::KernelOp kernel) {
    std::string text = "Kernel " + quoted(kernel.getSymName()) + "\n  ";
    for (mlir::BlockArgument arg : kernel.getArguments()) {
      var(arg);
    }
    text += list(kernel.getArguments(), [](mlir::BlockArgument arg) {
      return argument(arg.getType());
    });
    text += "\n  ";
    text += list(kernel.getSymbols().getAsRange<tile::LaunchSymbolAttr>(),
                 [](tile::LaunchSymbolAttr symbol) {
                   return "(" + quoted(symbol.getName().getValue()) + ", " +
                          element(symbol.getType()) + ")";
                 });
    text += "\n  " + list(kernel.getGridExprs(), expression);
    text += "\n  " + list(kernel.getRequirements(), condition);
    text += "\n  " + list(kernel.getGivenFacts(), given);
    text += "\n  " + list(kernel.getCovers().getAsRange<tile::CoverAttr>(),
                          [&](tile::CoverAttr c) { return cover(kernel, c); });
    return text + "\n  " + region(*kernel.getBody(), "  ");
  }

private:
  std::string var(mlir::Value value) {
    auto [it, isNew] = vars.try_emplace(value, count + 1);
    count += isNew;
    return std::to_string(it->second);
  }

  template <typename Range> std::string varList(const Range &values) {
    std::string text = list(values, [&](mlir::Value v) { return var(v); });
    return text == "[]" ? text : text + "%positive";
  }

  /// A tensor argument, or a view.
  std::string base(mlir::Value tensor) {
    if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(tensor)) {
      return "(Argument " + std::to_string(argument.getArgNumber()) + "%nat)";
    }
    return "(Seen " + var(tensor) + ")";
  }

  /// Of a partition: the tensor and its tiles.
  std::string partition(mlir::Value value) {
    auto op = value.getDefiningOp<tile::PartitionOp>();
    return "(Partition " + base(op.getTensor()) + " " +
           list(op.getTile(),
                [](int64_t n) {
                  return n == 0 ? "None" : "Some " + std::to_string(n);
                }) +
           ")";
  }

  std::string amount(const tile::ViewNumber &n) {
    if (auto *constant = std::get_if<int64_t>(&n)) {
      return "Exactly " + number(*constant);
    }
    if (auto *name = std::get_if<mlir::StringAttr>(&n)) {
      return "OfSymbol " + quoted(name->getValue());
    }
    return "OfValue " + var(std::get<mlir::Value>(n));
  }

  std::string viewStep(tile::ViewOp view) {
    auto amounts = [&](llvm::ArrayRef<tile::ViewNumber> numbers) {
      return list(numbers, [&](const auto &n) { return amount(n); });
    };
    switch (view.getKind()) {
    case tile::ViewKind::Slice: {
      std::string offsets = amounts(view.getOffsets());
      return "Slice " + offsets + " " + amounts(view.getSizes());
    }
    case tile::ViewKind::Permute:
      return "Permute " +
             list(view.getPermutation(),
                  [](unsigned axis) { return std::to_string(axis); }) +
             "%nat";
    case tile::ViewKind::Unfold:
      return "Unfold " + std::to_string(view.getAxis()) + "%nat " +
             amounts(view.getFactors());
    case tile::ViewKind::Fix:
      return "FixAt " + std::to_string(view.getAxis()) + "%nat (" +
             amount(view.getCoordinate()) + ")";
    }
    llvm_unreachable("all kinds of views are above");
  }

  std::string region(mlir::Block &block, const std::string &indent) {
    std::string text = "(block\n" + indent + "  [", yields = "[]";
    bool first = true;
    for (mlir::Operation &op : block) {
      if (mlir::isa<scf::YieldOp>(op)) {
        yields = varList(op.getOperands());
        continue;
      }
      if (mlir::isa<tile::PartitionOp>(op)) {
        continue;
      }
      text += (first ? "" : ";\n" + indent + "   ") + statement(op, indent);
      first = false;
    }
    if (first) {
      return "(Yield " + yields + ")";
    }
    return text + "]\n" + indent + "  " + yields + ")";
  }

  std::string statement(mlir::Operation &op, const std::string &indent) {
    return llvm::TypeSwitch<mlir::Operation *, std::string>(&op)
        .Case([&](tile::ViewOp view) {
          std::string of = base(view.getTensor()), step = viewStep(view);
          return "View " + var(view.getResult()) + " " + of + " (" + step + ")";
        })
        .Case([&](tile::ClaimOp claim) {
          return "Claim " + var(claim.getResult()) + " " +
                 partition(claim.getPartition()) + " " +
                 varList(claim.getIndices());
        })
        .Case([&](tile::LoadOp load) { return printLoad(load); })
        .Case([&](tile::StoreOp store) {
          return "Store " + var(store.getValue()) + " " + var(store.getPiece());
        })
        .Case([&](tile::AtomicOp atomic) {
          return "Combine " + var(atomic.getValue()) + " " +
                 partition(atomic.getPartition()) + " " +
                 varList(atomic.getIndices());
        })
        .Case([&](tile::GatherOp gather) {
          return "Gather " + var(gather.getResult()) + " " +
                 lanes(gather.getTensor(), gather.getResult().getType(),
                       gather.getIndices(), gather.getMask()) +
                 " " + padding(gather.getPad());
        })
        .Case([&](tile::ScatterOp scatter) {
          return "Scatter " + var(scatter.getValue()) + " " +
                 lanes(scatter.getTensor(), scatter.getValue().getType(),
                       scatter.getIndices(), scatter.getMask());
        })
        .Case([&](tile::ProveOp prove) {
          static constexpr const char *rules[] = {"ProveHolds", "MapDomain",
                                                  "MapInto",    "MapInverse",
                                                  "MapCount",   "BytesWhole"};
          std::string condition = var(prove.getCondition());
          return "Let " + std::to_string(++count) +
                 " (Type_ [] (Int 1)) (Prove " +
                 rules[static_cast<int>(prove.getRule())] + " " + condition +
                 ")";
        })
        .Case([&](scf::ForOp loop) { return printFor(loop, indent + "    "); })
        .Case(
            [&](scf::IfOp branch) { return printIf(branch, indent + "    "); })
        .Default([&](mlir::Operation *other) {
          std::string computed = computation(other);
          mlir::Value result = other->getResult(0);
          return "Let " + var(result) + " " + type(result.getType()) + " (" +
                 computed + ")";
        });
  }

  static std::string padding(std::optional<tile::Pad> pad) {
    static constexpr const char *pads[] = {"Zero", "NegZero", "NegInf",
                                           "PosInf", "NaN"};
    return pad ? std::string("(Some ") + pads[static_cast<int>(*pad)] + ")"
               : "None";
  }

  /// The elements that lanes ask for.
  std::string lanes(mlir::Value of, mlir::Type type, mlir::ValueRange indices,
                    mlir::Value mask) {
    auto tensor = mlir::cast<mlir::BlockArgument>(of);
    return std::to_string(tensor.getArgNumber()) + "%nat " + shape(type) + " " +
           varList(indices) + " " +
           (mask ? "(Some " + var(mask) + "%positive)" : "None");
  }

  std::string printLoad(tile::LoadOp load) {
    mlir::Value from = load.getSource();
    std::string source = mlir::isa<tile::PieceType>(from.getType())
                             ? "(Piece " + var(from) + ")"
                             : "(Tile " + partition(from) + " " +
                                   varList(load.getIndices()) + ")";
    return "Load " + var(load.getResult()) + " " + source + " " +
           padding(load.getPad());
  }

  std::string printFor(scf::ForOp loop, const std::string &indent) {
    mlir::Value counter = loop.getInductionVar();
    std::string text = "For " + varList(loop.getResults()) + " " +
                       element(counter.getType()) + " " +
                       var(loop.getLowerBound()) + " " +
                       var(loop.getUpperBound()) + " " + var(loop.getStep());
    text += " " + var(counter) + " " + varList(loop.getRegionIterArgs()) + " " +
            varList(loop.getInitArgs());
    return text + "\n" + indent + region(*loop.getBody(), indent);
  }

  std::string printIf(scf::IfOp branch, const std::string &indent) {
    std::string text = "If " + varList(branch.getResults()) + " " +
                       var(branch.getCondition()) + "\n" + indent +
                       region(*branch.thenBlock(), indent) + "\n" + indent;
    mlir::Block *otherwise = branch.elseBlock();
    return text + (otherwise ? region(*otherwise, indent) : "(Yield [])");
  }

  std::string constant(arith::ConstantOp op) {
    auto lane = [](mlir::Attribute attr) {
      if (auto real = mlir::dyn_cast<mlir::FloatAttr>(attr)) {
        return number(real.getValue().bitcastToAPInt(), false);
      }
      return number(mlir::cast<mlir::IntegerAttr>(attr).getValue(), true);
    };
    auto dense = mlir::dyn_cast<mlir::DenseElementsAttr>(op.getValue());
    if (!dense) {
      return "Constant " + lane(op.getValue());
    }
    if (dense.isSplat()) {
      return "Constant " + lane(dense.getSplatValue<mlir::Attribute>());
    }
    return "Dense " + list(dense.getValues<mlir::Attribute>(), lane);
  }

  std::string computation(mlir::Operation *op) {
    auto in = [&](unsigned k) { return " " + var(op->getOperand(k)); };
    auto cast = [&](const char *isUnsigned) {
      mlir::Type from = mlir::getElementTypeOrSelf(op->getOperand(0).getType());
      return std::string("Cast ") + isUnsigned + " " + element(from) + in(0);
    };
    if (llvm::StringRef word = binaryWord(op); !word.empty()) {
      return "Binary " + word.str() + in(0) + in(1);
    }
    if (std::string move = moveOf(op); !move.empty()) {
      return "Move " + move + " " + shape(op->getOperand(0).getType()) + in(0);
    }
    return llvm::TypeSwitch<mlir::Operation *, std::string>(op)
        .Case([&](arith::ConstantOp c) { return constant(c); })
        .Case(
            [&](tile::SymbolOp s) { return "Symbol " + quoted(s.getSymbol()); })
        .Case([&](tile::BlockIdOp id) {
          return "BlockId " + std::to_string(id.getAxis());
        })
        .Case([&](tile::GridDimOp dim) {
          return "GridDim " + std::to_string(dim.getAxis());
        })
        .Case([&](tile::NumTilesOp count) {
          return "NumTiles " + partition(count.getPartition()) + " " +
                 std::to_string(count.getAxis());
        })
        .Case([&](arith::CmpIOp compare) {
          static constexpr const char *words[] = {"Eq", "Ne", "Lt",
                                                  "Le", "Gt", "Ge"};
          return std::string("Compare ") +
                 words[static_cast<int>(compare.getPredicate())] + in(0) +
                 in(1);
        })
        .Case([&](tile::NameOp) { return "Alias" + in(0); })
        .Case([&](tile::IotaOp iota) {
          return "Iota " + std::to_string(iota.getAxis());
        })
        .Case([&](arith::SelectOp) { return "Select" + in(0) + in(1) + in(2); })
        .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
            [&](mlir::Operation *) { return cast("false"); })
        .Case([&](arith::ExtUIOp) { return cast("true"); })
        .Default([&](mlir::Operation *opaque) {
          return "Opaque " + quoted(opaque->getName().getStringRef()) + " " +
                 attributes(opaque) + " " +
                 list(opaque->getOperands(), [&](mlir::Value v) {
                   return "(" + var(v) + "%positive, " + type(v.getType()) +
                          ")";
                 });
        });
  }

  llvm::DenseMap<mlir::Value, size_t> vars;
  size_t count = 0; ///< of numbers that are given, some to no value
};

} // namespace

/// What of an op the theory has no form for, or nothing.
static std::string unmechanised(mlir::Operation *op) {
  auto isIndexVector = [](mlir::Type type) {
    auto vector = mlir::dyn_cast<mlir::VectorType>(type);
    return vector && vector.getElementType().isIndex();
  };
  bool isOfLanes =
      mlir::isa<arith::ConstantOp, arith::CmpIOp, arith::SelectOp,
                arith::IndexCastOp, tile::IotaOp, tile::GatherOp,
                tile::ScatterOp, mlir::vector::BroadcastOp,
                mlir::vector::TransposeOp, mlir::vector::ShapeCastOp,
                scf::ForOp, scf::IfOp, scf::YieldOp>(op) ||
      !binaryWord(op).empty();
  if (!isOfLanes && (llvm::any_of(op->getOperandTypes(), isIndexVector) ||
                     llvm::any_of(op->getResultTypes(), isIndexVector))) {
    return op->getName().getStringRef().str() + " on vectors of index";
  }
  if (mlir::isa<tile::TrustOp>(op)) {
    return op->getName().getStringRef().str();
  }
  if (mlir::isa<arith::DivSIOp, arith::CeilDivSIOp, arith::RemSIOp>(op) &&
      mlir::isa<mlir::VectorType>(op->getResult(0).getType()) &&
      mlir::getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1)) {
    return op->getName().getStringRef().str() + " on vectors of i1";
  }
  return "";
}

std::string unmechanised(tile::KernelOp kernel) {
  std::string why;
  for (mlir::BlockArgument arg : kernel.getArguments()) {
    auto tensor = mlir::dyn_cast<tile::TileTensorType>(arg.getType());
    if (tensor && tensor.getMode() == tile::Mode::Raw) {
      return ("mode " + tile::stringifyMode(tensor.getMode()) +
              " is not mechanised yet")
          .str();
    }
  }
  kernel.walk([&](mlir::Operation *op) {
    why = unmechanised(op);
    if (!why.empty()) {
      auto at = op->getLoc()->findInstanceOf<mlir::FileLineColLoc>();
      why += (at ? " in line " + std::to_string(at.getLine()) : "") +
             " is not mechanised yet";
    }
    return why.empty() ? mlir::WalkResult::advance()
                       : mlir::WalkResult::interrupt();
  });
  return why;
}

std::string printKernel(tile::KernelOp kernel) {
  return Printer().print(kernel);
}

} // namespace girih::coq
