// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inlining, with the places where ops were written kept.

#include "ir/text/Elaborate.h"
#include "ir/ops/Views.h"
#include "ir/types/Diagnose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace girih::tile;

namespace {
/// The values of a map's parameters, by name.
using Parameters = llvm::DenseMap<StringAttr, Value>;

class Elaborator {
public:
  explicit Elaborator(KernelOp kernel)
      : kernel(kernel), source(cast<ModuleOp>(kernel->getParentOp())) {}

  FailureOr<Elaborated> run() {
    out.module = ModuleOp::create(source.getLoc());
    IRMapping mapping;
    out.module->push_back(kernel->clone(mapping));
    keepPlaces(mapping);
    take(&out.module->getBody()->front());
    keepBytesWhole();
    for (size_t next = 0; next < open.size(); ++next) {
      Operation *op = open[next];
      if (size > maxElaborated) {
        return op->emitError() << "with its helpers and maps in place a kernel "
                                  "has at most "
                               << maxElaborated << " ops";
      }
      if (failed(isa<ApplyOp>(op) ? apply(cast<ApplyOp>(op))
                                  : call(cast<func::CallOp>(op)))) {
        return failure();
      }
      out.written.erase(op);
      op->erase();
    }
    return std::move(out);
  }

private:
  KernelOp kernel;
  ModuleOp source;
  Elaborated out;
  /// Calls and applications in the kernel, outermost first.
  std::vector<Operation *> open;
  size_t size = 0;

  /// Takes up an op that was cloned, with what it holds.
  void take(Operation *top) {
    top->walk<WalkOrder::PreOrder>([&](Operation *op) {
      ++size;
      if (isa<ApplyOp, func::CallOp>(op)) {
        open.push_back(op);
      }
    });
  }
  void keepPlaces(const IRMapping &mapping) {
    for (auto &[from, to] : mapping.getOperationMap()) {
      out.written[to] = from;
    }
  }

  /// The ops of a body before `site`, and what it gives.
  SmallVector<Value> inlined(Block &body, ValueRange args, Operation *site,
                             const Parameters &parameters) {
    OpBuilder builder(site);
    IRMapping mapping;
    mapping.map(body.getArguments(), args);
    for (Operation &op : body.without_terminator()) {
      take(builder.clone(op, mapping));
    }
    keepPlaces(mapping);
    SmallVector<Operation *> symbols;
    for (auto &[from, to] : mapping.getOperationMap()) {
      if (isa<SymbolOp>(to)) {
        symbols.push_back(to);
      }
      to->setLoc(placed(to->getLoc(), site->getLoc()));
    }
    SmallVector<Value> results;
    for (Value v : body.getTerminator()->getOperands()) {
      results.push_back(mapping.lookupOrDefault(v));
    }
    for (Operation *op : symbols) {
      Value value = parameters.lookup(cast<SymbolOp>(op).getSymbolAttr());
      llvm::replace(results, Value(op->getResult(0)), value);
      op->getResult(0).replaceAllUsesWith(value);
      out.written.erase(op);
      op->erase();
    }
    return results;
  }

  /// The place of an inlined op: its own first, then that of the call. Names
  /// stay outside, where readers find them.
  static Location placed(Location own, Location site) {
    if (auto named = dyn_cast<NameLoc>(own)) {
      return NameLoc::get(named.getName(), placed(named.getChildLoc(), site));
    }
    return FusedLoc::get(own.getContext(), {own, unnamed(site)});
  }
  static Location unnamed(Location loc) {
    auto named = dyn_cast<NameLoc>(loc);
    return named ? unnamed(named.getChildLoc()) : loc;
  }

  LogicalResult call(func::CallOp op) {
    auto function = cast<func::FuncOp>(calledHelper(op, source));
    SmallVector<Value> results =
        inlined(function.getBody().front(), op.getOperands(), op, Parameters());
    op->replaceAllUsesWith(results);
    return success();
  }

  //===-- Conditions to prove ---------------------------------------------===//

  /// Adds ops for the conditions to prove at a place.
  struct Writer {
    Elaborator &e;
    OpBuilder builder;
    Location loc;
    Operation *written;

    template <typename Op, typename... Args> Value add(Args &&...args) {
      auto op = Op::create(builder, loc, std::forward<Args>(args)...);
      note(op);
      return op->getResult(0);
    }
    void note(Operation *op) {
      e.out.written[op] = written;
      ++e.size;
    }
    Value constant(int64_t value) {
      return add<arith::ConstantOp>(builder.getIndexAttr(value));
    }
    Value compare(arith::CmpIPredicate how, Value a, Value b) {
      return add<arith::CmpIOp>(how, a, b);
    }
    void prove(ProveKind rule, Value condition) {
      note(ProveOp::create(builder, loc,
                           ProveKindAttr::get(builder.getContext(), rule),
                           condition, StringAttr()));
    }
    /// 0 <= v < extent.
    void proveWithin(ProveKind rule, Value v, Value extent, Value zero) {
      prove(rule, compare(arith::CmpIPredicate::sge, v, zero));
      prove(rule, compare(arith::CmpIPredicate::slt, v, extent));
    }

    Value number(const ViewNumber &n) {
      if (auto *value = std::get_if<Value>(&n)) {
        return *value;
      }
      if (auto *name = std::get_if<StringAttr>(&n)) {
        return add<SymbolOp>(builder.getIndexType(), *name);
      }
      return constant(std::get<int64_t>(n));
    }
    static bool statesEven(ProveOp op, const ViewNumber &n) {
      auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
      if (op.getRule() != ProveKind::Bytes || !compare ||
          compare.getPredicate() != arith::CmpIPredicate::eq ||
          getConstantIntValue(compare.getRhs()) != 0) {
        return false;
      }
      auto rest = compare.getLhs().getDefiningOp<arith::RemSIOp>();
      if (!rest || getConstantIntValue(rest.getRhs()) != 2) {
        return false;
      }
      Value of = rest.getLhs();
      if (auto *value = std::get_if<Value>(&n)) {
        return of == *value;
      }
      if (auto *name = std::get_if<StringAttr>(&n)) {
        auto symbol = of.getDefiningOp<SymbolOp>();
        return symbol && symbol.getSymbolAttr() == *name;
      }
      return getConstantIntValue(of) == std::get<int64_t>(n);
    }
    /// For an even constant there is no condition, nor for what this block of code
    /// states anyway: a kernel that is elaborated again stays as it is.
    void proveEven(const ViewNumber &n) {
      auto *known = std::get_if<int64_t>(&n);
      if ((known && *known % 2 == 0) ||
          llvm::any_of(builder.getInsertionBlock()->getOps<ProveOp>(),
                       [&](ProveOp op) { return statesEven(op, n); })) {
        return;
      }
      Value rest = add<arith::RemSIOp>(number(n), constant(2));
      prove(ProveKind::Bytes,
            compare(arith::CmpIPredicate::eq, rest, constant(0)));
    }
    void proveEven(Attribute dim) {
      if (auto name = dyn_cast<StringAttr>(dim)) {
        proveEven(ViewNumber(name));
      } else {
        proveEven(ViewNumber(cast<IntegerAttr>(dim).getInt()));
      }
    }

    Value expression(ExprAttr e, const Parameters &parameters) {
      if (e.getKind() == ExprKind::Constant) {
        return constant(e.getValue());
      }
      if (e.getKind() == ExprKind::Symbol) {
        return parameters.lookup(e.getSymbol());
      }
      Value a = expression(e.getLhs(), parameters),
            b = expression(e.getRhs(), parameters);
      switch (e.getKind()) {
      case ExprKind::Add:
        return add<arith::AddIOp>(a, b);
      case ExprKind::Sub:
        return add<arith::SubIOp>(a, b);
      case ExprKind::Mul:
        return add<arith::MulIOp>(a, b);
      case ExprKind::Div:
        return add<arith::DivSIOp>(a, b);
      case ExprKind::Mod:
        return add<arith::RemSIOp>(a, b);
      case ExprKind::CeilDiv:
        return add<arith::CeilDivSIOp>(a, b);
      case ExprKind::Min:
        return add<arith::MinSIOp>(a, b);
      case ExprKind::Max:
        return add<arith::MaxSIOp>(a, b);
      default:
        return constant(0);
      }
    }
    Value product(ArrayRef<Value> values) {
      Value out = values[0];
      for (Value v : values.drop_front()) {
        out = add<arith::MulIOp>(out, v);
      }
      return out;
    }
  };

  //===-- Elements below a byte ------------------------------------------===//

  /// Extents along the axis on which such elements are packed, other strides,
  /// and offsets of slices are even, so that tiles are made of whole bytes.
  /// Tensors come first: claims rest on what is stated before them.
  void keepBytesWhole() {
    KernelOp kernel = *out.module->getOps<KernelOp>().begin();
    Writer w{*this, OpBuilder::atBlockBegin(kernel.getBody()), kernel.getLoc(),
             out.written.lookup(kernel)};
    for (BlockArgument argument : kernel.getArguments()) {
      auto type = dyn_cast<TileTensorType>(argument.getType());
      if (type && packedAxis(argument)) {
        w.loc = argument.getLoc();
        keepBytesWhole(w, type);
      }
    }
    SmallVector<ViewOp> views;
    kernel.walk([&](ViewOp view) { views.push_back(view); });
    for (ViewOp view : views) {
      OpBuilder builder(view);
      builder.setInsertionPointAfter(view);
      Writer after{*this, builder, unnamed(view.getLoc()),
                   out.written.lookup(view)};
      keepBytesWhole(after, view);
    }
  }

  static void keepBytesWhole(Writer &w, TileTensorType type) {
    w.proveEven(type.getDims().back());
    for (unsigned axis = 0; axis + 1 < type.getStrides().size(); ++axis) {
      w.proveEven(type.getStrides()[axis]);
    }
  }

  static void keepBytesWhole(Writer &w, ViewOp view) {
    std::optional<unsigned> axis = packedAxis(view.getTensor());
    if (!axis) {
      return;
    }
    if (view.getKind() == ViewKind::Slice) {
      w.proveEven(view.getOffsets()[*axis]);
      w.proveEven(view.getSizes()[*axis]);
    } else if (view.getKind() == ViewKind::Unfold && view.getAxis() == *axis) {
      w.proveEven(view.getFactors().back());
    }
  }

  //===-- Maps ------------------------------------------------------------===//

  LogicalResult apply(ApplyOp op) {
    auto map = cast<MapOp>(calledHelper(op, source));
    for (auto [i, value] : llvm::enumerate(op.getParams())) {
      if (!isLaunchConstant(value)) {
        return emitOperandError(op, op.getArgs().size() + i)
               << "parameter "
               << cast<StringAttr>(map.getParams()[i]).getValue() << " of map @"
               << map.getSymName()
               << " depends on the block: parameters are the same in every "
                  "block of a launch";
      }
    }
    Parameters parameters;
    for (auto [name, value] :
         llvm::zip_equal(map.getParams(), op.getParams())) {
      parameters[cast<StringAttr>(name)] = value;
    }
    Location loc = unnamed(op.getLoc());
    Writer w{*this, OpBuilder(op), loc, out.written.lookup(op)};
    Value zero = w.constant(0);
    SmallVector<Value> args, domain, range;
    for (Value arg : op.getArgs()) {
      args.push_back(w.add<NameOp>(arg));
    }
    for (auto [arg, extent] : llvm::zip_equal(args, map.getDomain())) {
      domain.push_back(w.expression(cast<ExprAttr>(extent), parameters));
      w.proveWithin(ProveKind::Domain, arg, domain.back(), zero);
    }
    SmallVector<Value> results =
        inlined(map.getBodyRegion().front(), args, op, parameters);
    SmallVector<StringRef> names;
    auto named = dyn_cast<NameLoc>(op.getLoc());
    (named ? named.getName().getValue() : StringRef()).split(names, ',');
    for (auto [i, result] : llvm::enumerate(results)) {
      w.loc =
          i < names.size() && !names[i].empty()
              ? Location(NameLoc::get(w.builder.getStringAttr(names[i]), loc))
              : loc;
      result = w.add<NameOp>(result);
    }
    w.loc = loc;
    if (ArrayAttr extents = map.getRangeAttr()) {
      for (auto [result, extent] : llvm::zip_equal(results, extents)) {
        range.push_back(w.expression(cast<ExprAttr>(extent), parameters));
        w.proveWithin(ProveKind::Into, result, range.back(), zero);
      }
    }
    if (!map.getInverse().empty()) {
      SmallVector<Value> back =
          inlined(map.getInverse().front(), results, op, parameters);
      for (auto [arg, again] : llvm::zip_equal(args, back)) {
        w.prove(ProveKind::Inverse,
                w.compare(arith::CmpIPredicate::eq, again, arg));
      }
    }
    if (map.getMapKind() == MapKind::Bijective) {
      w.prove(ProveKind::Count, w.compare(arith::CmpIPredicate::eq,
                                          w.product(domain), w.product(range)));
    }
    op->replaceAllUsesWith(results);
    return success();
  }

  /// Whether the launch alone determines a value, told from the text.
  bool isLaunchConstant(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op) {
      return false;
    }
    if (auto tiles = dyn_cast<NumTilesOp>(op)) {
      auto part = tiles.getPartition().getDefiningOp<PartitionOp>();
      return part && isa<BlockArgument>(part.getTensor());
    }
    if (isa<SymbolOp, GridDimOp, arith::ConstantOp>(op)) {
      return true;
    }
    auto [it, fresh] = constants.try_emplace(op, false);
    if (fresh && op->getNumRegions() == 0 && op->getNumOperands() != 0 &&
        (isa<NameOp>(op) || isa<arith::ArithDialect>(op->getDialect()))) {
      bool all = llvm::all_of(op->getOperands(),
                              [&](Value v) { return isLaunchConstant(v); });
      constants[op] = all;
      return all;
    }
    return constants.lookup(op);
  }
  llvm::DenseMap<Operation *, bool> constants;
};
} // namespace

bool girih::tile::needsElaboration(ModuleOp source) {
  auto kernels = source.getOps<KernelOp>();
  return !llvm::hasSingleElement(*source.getBody()) ||
         llvm::any_of((*kernels.begin()).getArguments(), [](Value argument) {
           return isa<TileTensorType>(argument.getType()) &&
                  packedAxis(argument);
         });
}

FailureOr<Elaborated> girih::tile::elaborate(KernelOp kernel) {
  return Elaborator(kernel).run();
}
