// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/generators/Mutate.h"

#include "ir/text/Reader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/TypeSwitch.h"

#include <functional>

namespace girih::fuzz {

namespace {
using mlir::Operation;
using namespace mlir::arith;
using tile::ExprAttr;
using tile::ExprKind;
using tile::KernelOp;
using tile::Mode;
using tile::TileTensorType;

/// Lists the changes that each op offers. A change is made on a copy of the
/// module, on the op of the same number.
class Changes {
public:
  explicit Changes(mlir::ModuleOp module) : module(module) {
    module->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
      at = op;
      visit(op);
      ++number;
    });
  }

  std::vector<Mutant> mutants;

private:
  using Change = std::function<void(Operation *, mlir::OpBuilder &)>;

  mlir::ModuleOp module;
  Operation *at = nullptr;
  size_t number = 0;

  void add(const std::string &kind, const Change &change) {
    mlir::OwningOpRef<mlir::ModuleOp> copy(
        mlir::cast<mlir::ModuleOp>(module->clone()));
    size_t i = 0;
    Operation *op = nullptr;
    (*copy)->walk<mlir::WalkOrder::PreOrder>([&](Operation *o) {
      if (i++ == number) {
        op = o;
      }
    });
    mlir::OpBuilder builder(op);
    change(op, builder);
    Mutant m;
    m.kind = kind;
    m.place = at->getName().getStringRef().str() + " " + std::to_string(number);
    llvm::raw_string_ostream(m.text) << *copy << "\n";
    mutants.push_back(std::move(m));
  }

  void visit(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<KernelOp>([&](KernelOp k) { kernel(k); })
        .Case<CmpIOp>([&](CmpIOp c) { comparison(c); })
        .Case<ConstantOp>([&](ConstantOp c) { constant(c); })
        .Case<SubIOp>([&](auto) { swapped("operands swapped"); })
        .Case<DivSIOp>([&](auto) {
          swapped("operands swapped");
          replaced<CeilDivSIOp>("ceil for floor");
          replaced<RemSIOp>("rest for quotient");
        })
        .Case<CeilDivSIOp>([&](auto) {
          swapped("operands swapped");
          replaced<DivSIOp>("floor for ceil");
        })
        .Case<RemSIOp>([&](auto) {
          swapped("operands swapped");
          replaced<DivSIOp>("quotient for rest");
        })
        .Case<MinSIOp, MaxSIOp>([&](auto) {
          dropped("min or max dropped", 0);
          dropped("min or max dropped", 1);
        })
        .Case<AddIOp, MulIOp>([&](auto) {
          dropped("term dropped", 0);
          dropped("term dropped", 1);
        })
        .Case<SelectOp>([&](auto) {
          dropped("select dropped", 1);
          dropped("select dropped", 2);
        })
        .Case<AndIOp>([&](auto) {
          dropped("half of a mask dropped", 0);
          dropped("half of a mask dropped", 1);
        })
        .Case<mlir::scf::ForOp>([&](auto) { loop(); })
        .Case<mlir::scf::IfOp>([&](auto) { mask(); })
        .Case<tile::BlockIdOp>(
            [&](tile::BlockIdOp o) { otherAxis("ids swapped", o, grid()); })
        .Case<tile::GridDimOp>(
            [&](tile::GridDimOp o) { otherAxis("ids swapped", o, grid()); })
        .Case<tile::NumTilesOp>([&](tile::NumTilesOp o) {
          otherAxis("axes swapped", o, o.getPartition().getType().getRank());
        })
        .Case<tile::ViewOp>([&](tile::ViewOp o) { view(o); })
        .Case<tile::InsideOp>([&](auto o) { indices(o.getIndices().size()); })
        .Case<tile::ClaimOp>([&](auto o) { indices(o.getIndices().size()); })
        .Case<tile::LoadOp>([&](tile::LoadOp o) {
          indices(o.getIndices().size());
          if (o.getPad()) {
            add("pad dropped", [](Operation *copy, mlir::OpBuilder &) {
              mlir::cast<tile::LoadOp>(copy).removePadAttr();
            });
          }
          pad(o);
        })
        .Case<tile::GatherOp>([&](tile::GatherOp o) { pad(o); });
    if (isIndexArithmetic(op)) {
      add("64 to 32 bits", narrow);
    }
  }

  static bool isScalar(Operation *op) {
    return op->getNumResults() == 1 &&
           op->getResult(0).getType().isIntOrIndex();
  }
  static bool isIndexArithmetic(Operation *op) {
    return mlir::isa<AddIOp, SubIOp, MulIOp>(op) &&
           op->getResult(0).getType().isIndex();
  }
  size_t grid() const {
    return at->getParentOfType<KernelOp>().getGrid().size();
  }

  /// The same arithmetic on i32.
  static void narrow(Operation *op, mlir::OpBuilder &b) {
    mlir::Type i32 = b.getI32Type(), index = b.getIndexType();
    mlir::Location loc = op->getLoc();
    mlir::OperationState state(loc, op->getName());
    for (mlir::Value v : op->getOperands()) {
      state.operands.push_back(IndexCastOp::create(b, loc, i32, v));
    }
    state.addTypes(i32);
    Operation *small = b.create(state);
    op->getResult(0).replaceAllUsesWith(
        IndexCastOp::create(b, loc, index, small->getResult(0)));
    op->erase();
  }

  void comparison(CmpIOp op) {
    using P = CmpIPredicate;
    static const std::pair<P, P> all[] = {{P::slt, P::sle}, {P::sle, P::slt},
                                          {P::sgt, P::sge}, {P::sge, P::sgt},
                                          {P::eq, P::ne},   {P::ne, P::eq}};
    for (auto [from, to] : all) {
      if (op.getPredicate() == from) {
        add("comparison", [to = to](Operation *copy, mlir::OpBuilder &) {
          mlir::cast<CmpIOp>(copy).setPredicate(to);
        });
      }
    }
  }

  void constant(ConstantOp op) {
    auto value = mlir::dyn_cast<mlir::IntegerAttr>(op.getValue());
    if (!value || op.getType().isInteger(1)) {
      return;
    }
    for (int64_t by : {1, -1}) {
      add("constant off by one", [=](Operation *copy, mlir::OpBuilder &) {
        mlir::cast<ConstantOp>(copy).setValueAttr(mlir::IntegerAttr::get(
            value.getType(), value.getValue().getSExtValue() + by));
      });
    }
  }

  void swapped(const char *kind) {
    if (isScalar(at) && at->getOperand(0) != at->getOperand(1)) {
      add(kind, [](Operation *op, mlir::OpBuilder &) {
        mlir::Value first = op->getOperand(0);
        op->setOperand(0, op->getOperand(1));
        op->setOperand(1, first);
      });
    }
  }

  template <typename Other> void replaced(const char *kind) {
    if (isScalar(at)) {
      add(kind, [](Operation *op, mlir::OpBuilder &b) {
        op->getResult(0).replaceAllUsesWith(Other::create(
            b, op->getLoc(), op->getOperand(0), op->getOperand(1)));
        op->erase();
      });
    }
  }

  /// One operand in place of the result.
  void dropped(const char *kind, unsigned operand) {
    if (isScalar(at)) {
      add(kind, [=](Operation *op, mlir::OpBuilder &) {
        op->getResult(0).replaceAllUsesWith(op->getOperand(operand));
        op->erase();
      });
    }
  }

  static void addOne(Operation *op, mlir::OpBuilder &b, unsigned operand,
                     int64_t by = 1) {
    mlir::Value v = op->getOperand(operand);
    mlir::Value one = ConstantOp::create(
        b, op->getLoc(), mlir::IntegerAttr::get(v.getType(), by));
    op->setOperand(operand, AddIOp::create(b, op->getLoc(), v, one));
  }

  void loop() {
    add("loop starts late",
        [](Operation *op, mlir::OpBuilder &b) { addOne(op, b, 0); });
    add("loop runs once more",
        [](Operation *op, mlir::OpBuilder &b) { addOne(op, b, 1); });
    add("wrong stride",
        [](Operation *op, mlir::OpBuilder &b) { addOne(op, b, 2); });
    add("wrong stride",
        [](Operation *op, mlir::OpBuilder &b) { addOne(op, b, 2, -1); });
  }

  void mask() {
    for (bool value : {true, false}) {
      add(value ? "mask dropped" : "mask negated",
          [=](Operation *op, mlir::OpBuilder &b) {
            mlir::Value yes =
                ConstantOp::create(b, op->getLoc(), b.getBoolAttr(true));
            op->setOperand(0, value ? yes
                                    : XOrIOp::create(b, op->getLoc(),
                                                     op->getOperand(0), yes));
          });
    }
  }

  template <typename Op> void otherAxis(const char *kind, Op, size_t axes) {
    if (axes > 1) {
      add(kind, [axes](Operation *copy, mlir::OpBuilder &) {
        auto o = mlir::cast<Op>(copy);
        o.setAxis((o.getAxis() + 1) % axes);
      });
    }
  }

  /// Offsets, sizes and coordinates, one more and one less.
  void view(tile::ViewOp op) {
    for (unsigned i = 1; i < op->getNumOperands(); ++i) {
      for (int64_t by : {1, -1}) {
        add("number of a view off by one",
            [=](Operation *copy, mlir::OpBuilder &b) {
              addOne(copy, b, i, by);
            });
      }
    }
    bool fixes = op.getKind() == tile::ViewKind::Fix;
    if (!fixes && op.getKind() != tile::ViewKind::Slice) {
      return;
    }
    mlir::ArrayAttr list = fixes ? op.getWhat() : op.getWhere();
    for (size_t i = 0; i < list.size(); ++i) {
      auto number = mlir::dyn_cast<mlir::IntegerAttr>(list[i]);
      if (!number) {
        continue;
      }
      add("number of a view off by one", [=](Operation *o, mlir::OpBuilder &b) {
        auto copy = mlir::cast<tile::ViewOp>(o);
        llvm::SmallVector<mlir::Attribute> all(list.getValue());
        all[i] = b.getIndexAttr(number.getInt() + 1);
        if (fixes) {
          copy.setWhatAttr(b.getArrayAttr(all));
        } else {
          copy.setWhereAttr(b.getArrayAttr(all));
        }
      });
    }
  }

  template <typename Op> void pad(Op op) {
    std::optional<int64_t> number = tile::wholePad(op.getPadAttr());
    if (!number) {
      return;
    }
    add("padding off by one", [=](Operation *copy, mlir::OpBuilder &b) {
      mlir::cast<Op>(copy).setPadAttr(
          b.getI64IntegerAttr(*number + (*number > 0 ? -1 : 1)));
    });
  }

  /// Of a claim, a load or a mask; operand 0 is what is indexed.
  void indices(size_t count) {
    for (unsigned i = 1; i <= count; ++i) {
      for (int64_t by : {1, -1}) {
        add("index off by one",
            [=](Operation *op, mlir::OpBuilder &b) { addOne(op, b, i, by); });
      }
      if (i < count && at->getOperand(i) != at->getOperand(i + 1)) {
        add("axes swapped", [=](Operation *op, mlir::OpBuilder &) {
          mlir::Value first = op->getOperand(i);
          op->setOperand(i, op->getOperand(i + 1));
          op->setOperand(i + 1, first);
        });
      }
    }
  }

  void kernel(KernelOp k) {
    grid(k);
    requirements(k);
    for (unsigned i = 0; i < k.getArguments().size(); ++i) {
      argument(k, i);
    }
  }

  void setGrid(const char *kind, size_t axis, ExprAttr e) {
    add(kind, [=](Operation *op, mlir::OpBuilder &b) {
      auto copy = mlir::cast<KernelOp>(op);
      llvm::SmallVector<mlir::Attribute> all(copy.getGrid().getValue());
      all[axis] = e;
      copy.setGridAttr(b.getArrayAttr(all));
    });
  }

  void grid(KernelOp k) {
    auto all = k.getGridExprs();
    for (size_t i = 0; i < all.size(); ++i) {
      ExprAttr e = all[i];
      ExprAttr one = ExprAttr::constant(k.getContext(), 1);
      setGrid("extent off by one", i, ExprAttr::binary(ExprKind::Add, e, one));
      setGrid("extent off by one", i, ExprAttr::binary(ExprKind::Sub, e, one));
      if (e.getKind() == ExprKind::CeilDiv) {
        setGrid("floor for ceil", i,
                ExprAttr::binary(ExprKind::Div, e.getLhs(), e.getRhs()));
      }
      if (i + 1 < all.size() && e != all[i + 1]) {
        setGrid("extents swapped", i, all[i + 1]);
      }
    }
  }

  void requirements(KernelOp k) {
    auto all = k.getRequirements();
    for (size_t i = 0; i < all.size(); ++i) {
      add("contract weakened", [=](Operation *op, mlir::OpBuilder &b) {
        auto copy = mlir::cast<KernelOp>(op);
        llvm::SmallVector<mlir::Attribute> rest(
            copy.getConditions().getValue());
        rest.erase(rest.begin() + i);
        copy.setConditionsAttr(b.getArrayAttr(rest));
      });
      auto c = all[i];
      ExprAttr one = ExprAttr::constant(k.getContext(), 1);
      for (bool left : {true, false}) {
        ExprAttr e = left ? c.getLhs() : c.getRhs();
        ExprAttr more = ExprAttr::binary(ExprKind::Add, e, one);
        add("contract off by one", [=](Operation *op, mlir::OpBuilder &b) {
          auto copy = mlir::cast<KernelOp>(op);
          llvm::SmallVector<mlir::Attribute> list(
              copy.getConditions().getValue());
          list[i] = tile::ComparisonAttr::get(b.getContext(), c.getKind(),
                                              left ? more : c.getLhs(),
                                              left ? c.getRhs() : more);
          copy.setConditionsAttr(b.getArrayAttr(list));
        });
      }
    }
  }

  static TileTensorType with(TileTensorType t, Mode mode, bool partial,
                             llvm::ArrayRef<mlir::Attribute> dims,
                             llvm::ArrayRef<mlir::Attribute> strides) {
    return TileTensorType::get(t.getContext(), dims, t.getElementType(), mode,
                               partial, strides, t.getAlign());
  }

  /// A tensor type for another wherever it occurs, and pieces with it.
  void retype(const char *kind, TileTensorType from, TileTensorType to) {
    if (from == to) {
      return;
    }
    add(kind, [=](Operation *op, mlir::OpBuilder &) {
      mlir::AttrTypeReplacer replacer;
      replacer.addReplacement(
          [=](TileTensorType t) -> mlir::Type { return t == from ? to : t; });
      replacer.addReplacement([=](tile::PieceType p) -> mlir::Type {
        return p.getMode() == from.getMode() &&
                       p.getElementType() == from.getElementType()
                   ? tile::PieceType::get(p.getContext(), p.getTile(),
                                          p.getElementType(), to.getMode())
                   : p;
      });
      replacer.recursivelyReplaceElementsIn(op, true, false, true);
    });
  }

  void argument(KernelOp k, unsigned i) {
    auto t = mlir::dyn_cast<TileTensorType>(k.getArguments()[i].getType());
    if (!t) {
      return;
    }
    llvm::SmallVector<mlir::Attribute> dims(t.getDims()),
        strides(t.getStrides());
    if (t.getMode() == Mode::Own) {
      retype("mode changed", t, with(t, Mode::Out, false, dims, strides));
    } else if (t.getMode() == Mode::Out) {
      retype("mode changed", t, with(t, Mode::Own, false, dims, strides));
      retype("mode changed", t,
             with(t, Mode::Out, !t.getPartial(), dims, strides));
    }
    for (size_t axis = 0; axis + 1 < dims.size(); ++axis) {
      llvm::SmallVector<mlir::Attribute> other = dims;
      std::swap(other[axis], other[axis + 1]);
      retype("extents swapped", t,
             with(t, t.getMode(), t.getPartial(), other, strides));
      if (!strides.empty()) {
        other = strides;
        std::swap(other[axis], other[axis + 1]);
        retype("strides swapped", t,
               with(t, t.getMode(), t.getPartial(), dims, other));
      }
    }
    for (unsigned j = 0; j < k.getArguments().size(); ++j) {
      if (i != j && k.getArguments()[j].getType() == t) {
        add("alias", [=](Operation *op, mlir::OpBuilder &) {
          auto copy = mlir::cast<KernelOp>(op);
          copy.getArguments()[i].replaceAllUsesWith(copy.getArguments()[j]);
        });
      }
    }
  }
};
} // namespace

std::vector<Mutant> mutantsOf(mlir::MLIRContext &context,
                              const std::string &text) {
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) {});
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  return module ? Changes(*module).mutants : std::vector<Mutant>();
}

} // namespace girih::fuzz
