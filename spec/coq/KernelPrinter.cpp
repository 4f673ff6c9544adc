// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per form of proofs/theory/Syntax.v. What has no form there is
// refused where it would be printed.

#include "spec/coq/KernelPrinter.h"
#include "spec/coq/Words.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
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

const char *padWord(tile::Pad pad) {
  switch (pad) {
  case tile::Pad::Zero:
    return "Zero";
  case tile::Pad::NegZero:
    return "NegZero";
  case tile::Pad::NegInf:
    return "NegInf";
  case tile::Pad::PosInf:
    return "PosInf";
  case tile::Pad::NaN:
    return "NaN";
  }
  llvm_unreachable("all paddings are above");
}

const char *ruleWord(tile::ProveKind rule) {
  switch (rule) {
  case tile::ProveKind::Holds:
    return "ProveHolds";
  case tile::ProveKind::Domain:
    return "MapDomain";
  case tile::ProveKind::Into:
    return "MapInto";
  case tile::ProveKind::Inverse:
    return "MapInverse";
  case tile::ProveKind::Count:
    return "MapCount";
  case tile::ProveKind::Bytes:
    return "BytesWhole";
  }
  llvm_unreachable("all rules of conditions are above");
}

/// What of an op the theory has no form for, or nothing.
std::string unmechanised(mlir::Operation *op) {
  std::string name = op->getName().getStringRef().str();
  if (!formOf(name)) {
    return name;
  }
  if (std::string attribute = foreignAttribute(op); !attribute.empty()) {
    return "attribute " + attribute + " of " + name;
  }
  auto isIndexVector = [](mlir::Type type) {
    auto vector = mlir::dyn_cast<mlir::VectorType>(type);
    return vector && vector.getElementType().isIndex();
  };
  bool isOfLanes =
      mlir::isa<arith::ConstantOp, arith::CmpIOp, arith::SelectOp,
                arith::IndexCastOp, tile::IotaOp, tile::GatherOp,
                tile::ScatterOp, tile::AtomicScatterOp,
                mlir::vector::BroadcastOp, mlir::vector::TransposeOp,
                mlir::vector::ShapeCastOp, scf::ForOp, scf::IfOp, scf::YieldOp>(
          op) ||
      binaryWord(op);
  if (!isOfLanes && (llvm::any_of(op->getOperandTypes(), isIndexVector) ||
                     llvm::any_of(op->getResultTypes(), isIndexVector))) {
    return name + " on vectors of index";
  }
  if (mlir::isa<arith::DivSIOp, arith::CeilDivSIOp, arith::RemSIOp>(op) &&
      mlir::isa<mlir::VectorType>(op->getResult(0).getType()) &&
      mlir::getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1)) {
    return name + " on vectors of i1";
  }
  return "";
}

class Printer {
public:
  /// A term only where `refused()` is empty afterwards.
  std::string print(tile::KernelOp kernel) {
    std::string text = "Kernel " + quoted(kernel.getSymName()) + "\n  ";
    for (mlir::BlockArgument arg : kernel.getArguments()) {
      var(arg);
    }
    text += list(kernel.getArguments(), [&](mlir::BlockArgument arg) {
      return argument(arg.getType());
    });
    text += "\n  ";
    text += list(kernel.getSymbols().getAsRange<tile::LaunchSymbolAttr>(),
                 [&](tile::LaunchSymbolAttr symbol) {
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

  /// The first thing that the theory has no form for, or nothing.
  const std::string &refused() const { return why; }

private:
  /// Keeps the first reason only; the text it gives is never read.
  std::string refuse(const llvm::Twine &what, mlir::Operation *op = nullptr) {
    if (why.empty()) {
      auto at = op ? op->getLoc()->findInstanceOf<mlir::FileLineColLoc>()
                   : mlir::FileLineColLoc();
      why = what.str() +
            (at ? " in line " + std::to_string(at.getLine()) : "") +
            " is not mechanised yet";
    }
    return "";
  }

  std::string element(mlir::Type type) {
    if (auto word = elementWord(type)) {
      return *word;
    }
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return refuse("type " + text, current);
  }

  std::string type(mlir::Type type) {
    return "(Type_ " + shape(type) + " " +
           element(mlir::getElementTypeOrSelf(type)) + ")";
  }

  std::string dim(mlir::Attribute attr) {
    if (auto constant = mlir::dyn_cast<mlir::IntegerAttr>(attr)) {
      return "Fixed " + number(constant.getValue().getSExtValue());
    }
    if (auto name = mlir::dyn_cast<mlir::StringAttr>(attr)) {
      return "Named " + quoted(name.getValue());
    }
    return refuse("an extent known at run time only");
  }

  std::string argument(mlir::Type type) {
    auto tensor = mlir::dyn_cast<tile::TileTensorType>(type);
    if (!tensor) {
      return "FloatArg " + element(type);
    }
    auto dims = [&](llvm::ArrayRef<mlir::Attribute> attrs) {
      return list(attrs, [&](mlir::Attribute attr) { return dim(attr); });
    };
    std::string mode = modeWord(tensor).value_or("");
    if (mode.empty()) {
      return refuse("mode " + tile::stringifyMode(tensor.getMode()));
    }
    std::string strides = "None";
    if (!tensor.getStrides().empty()) {
      strides = "(Some " + dims(tensor.getStrides()) + ")";
    }
    return "TensorArg (Tensor " + mode + " " +
           element(tensor.getElementType()) + " " + dims(tensor.getDims()) +
           " " + strides + " " + number(tensor.getAlign()) + ")";
  }

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
    case tile::ViewKind::Flatten:
      return refuse("tile.view flatten", view);
    }
    llvm_unreachable("all kinds of views are above");
  }

  std::string region(mlir::Block &block, const std::string &indent) {
    std::string text = "(block\n" + indent + "  [", yields = "[]";
    bool first = true;
    for (mlir::Operation &op : block) {
      current = &op;
      if (mlir::isa<tile::PrintOp>(op)) {
        continue; // no part of what a block does to memory
      }
      if (std::string what = unmechanised(&op); !what.empty()) {
        return refuse(what, &op);
      }
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
          auto of = atomic.getPartition().getDefiningOp<tile::PartitionOp>();
          auto tensor =
              mlir::cast<tile::TileTensorType>(of.getTensor().getType());
          if (tile::atomicOf(tensor.getMode()) != atomic.getKind()) {
            return refuse("an atomic that is not its tensor's", atomic);
          }
          return "Combine " + var(atomic.getValue()) + " " +
                 partition(atomic.getPartition()) + " " +
                 varList(atomic.getIndices());
        })
        .Case([&](tile::GatherOp gather) {
          return "Gather " + var(gather.getResult()) + " " +
                 lanes(gather.getTensor(), gather.getResult().getType(),
                       gather.getIndices(), gather.getMask()) +
                 " " + padding(gather.getPadAttr(), gather.getType());
        })
        .Case([&](tile::ScatterOp scatter) {
          return "Scatter " + var(scatter.getValue()) + " " +
                 lanes(scatter.getTensor(), scatter.getValue().getType(),
                       scatter.getIndices(), scatter.getMask());
        })
        .Case([&](tile::AtomicScatterOp atomic) {
          if (tile::atomicOf(atomic.getTensor().getType().getMode()) !=
              atomic.getKind()) {
            return refuse("an atomic that is not its tensor's", atomic);
          }
          return "CombineLanes " + var(atomic.getValue()) + " " +
                 lanes(atomic.getTensor(), atomic.getValue().getType(),
                       atomic.getIndices(), atomic.getMask());
        })
        .Case([&](tile::ProveOp prove) {
          std::string condition = var(prove.getCondition());
          return "Let " + std::to_string(++count) +
                 " (Type_ [] (Int 1)) (Prove " + ruleWord(prove.getRule()) +
                 " " + condition + ")";
        })
        .Case([&](scf::ForOp loop) { return printFor(loop, indent + "    "); })
        .Case(
            [&](scf::IfOp branch) { return printIf(branch, indent + "    "); })
        .Default([&](mlir::Operation *other) {
          if (other->getNumResults() != 1 || other->getNumRegions() != 0) {
            return refuse(other->getName().getStringRef(), other);
          }
          std::string computed = computation(other);
          mlir::Value result = other->getResult(0);
          return "Let " + var(result) + " " + type(result.getType()) + " (" +
                 computed + ")";
        });
  }

  /// Of a number the lane: of floats its bits.
  static std::string padding(mlir::Attribute pad, mlir::Type padded) {
    if (!pad) {
      return "None";
    }
    if (auto word = mlir::dyn_cast<tile::PadAttr>(pad)) {
      return std::string("(Some ") + padWord(word.getValue()) + ")";
    }
    std::string lane = number(tile::wholePad(pad).value_or(0));
    if (auto real = mlir::dyn_cast<mlir::FloatAttr>(pad)) {
      auto type =
          mlir::cast<mlir::FloatType>(mlir::getElementTypeOrSelf(padded));
      llvm::APFloat value = real.getValue();
      bool loses = false;
      value.convert(type.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &loses);
      lane = number(value.bitcastToAPInt(), false);
    }
    return "(Some (PadWith " + lane + "))";
  }

  /// The elements that lanes ask for.
  std::string lanes(mlir::Value of, mlir::Type type, mlir::ValueRange indices,
                    mlir::Value mask) {
    auto tensor = mlir::dyn_cast<mlir::BlockArgument>(of);
    if (!tensor) {
      return refuse(current->getName().getStringRef() + " of a view", current);
    }
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
           padding(load.getPadAttr(), load.getType());
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
    if (auto word = binaryWord(op)) {
      return "Binary " + *word + in(0) + in(1);
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
          auto word = comparisonWord(compare.getPredicate());
          return word ? "Compare " + *word + in(0) + in(1)
                      : refuse("a comparison without sign", compare);
        })
        .Case([&](tile::NameOp) { return "Alias" + in(0); })
        .Case([&](tile::IotaOp iota) {
          return "Iota " + std::to_string(iota.getAxis());
        })
        .Case([&](arith::SelectOp) { return "Select" + in(0) + in(1) + in(2); })
        .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
            [&](mlir::Operation *) { return cast("false"); })
        .Case([&](arith::ExtUIOp) { return cast("true"); })
        .Default([&](mlir::Operation *other) {
          return formOf(other->getName().getStringRef()) == Form::Opaque
                     ? opaque(other)
                     : refuse(other->getName().getStringRef(), other);
        });
  }

  /// Its place is the number of its result, which no other op has.
  std::string opaque(mlir::Operation *op) {
    auto attribute = [](const auto &a) {
      return "(" + quoted(a.first) + ", " +
             list(a.second, [](int64_t n) { return number(n); }) + ")";
    };
    auto operand = [&](mlir::Value v) {
      return "(" + var(v) + "%positive, " + type(v.getType()) + ")";
    };
    return "Opaque " + var(op->getResult(0)) + " " +
           quoted(op->getName().getStringRef()) + " " +
           list(attributesOf(op), attribute) + " " +
           list(op->getOperands(), operand);
  }

  llvm::DenseMap<mlir::Value, size_t> vars;
  size_t count = 0; ///< of numbers that are given, some to no value
  mlir::Operation *current = nullptr; ///< the op that is printed
  std::string why;
};

} // namespace

std::string unmechanised(tile::KernelOp kernel) {
  Printer printer;
  printer.print(kernel);
  return printer.refused();
}

std::optional<std::string> printKernel(tile::KernelOp kernel) {
  Printer printer;
  std::string term = printer.print(kernel);
  return printer.refused().empty() ? std::optional(term) : std::nullopt;
}

} // namespace girih::coq
