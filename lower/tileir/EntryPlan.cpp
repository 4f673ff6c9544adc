// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/EntryPlan.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace girih::tile;

namespace girih::tileir {

/// The grain of the strides of the copy engine.
static constexpr int64_t engineBytes = 16;

SymbolFacts impliedFacts(Type symbol) {
  if (auto type = dyn_cast<IntegerType>(symbol)) {
    if (type.getWidth() == 1) {
      return {0, 1, 1};
    }
    int64_t high = (uint64_t(1) << (type.getWidth() - 1)) - 1;
    return {-high - 1, high, 1};
  }
  return {0, int64_t(1) << 40, 1};
}

static ExprAttr exprOf(Attribute extent) {
  if (auto name = dyn_cast<StringAttr>(extent)) {
    return ExprAttr::symbol(name);
  }
  return ExprAttr::constant(extent.getContext(),
                            cast<IntegerAttr>(extent).getInt());
}

std::vector<ExprAttr> extentExprs(TileTensorType type) {
  std::vector<ExprAttr> out;
  for (Attribute dim : type.getDims()) {
    out.push_back(exprOf(dim));
  }
  return out;
}

static bool isConstant(ExprAttr e) { return e.getKind() == ExprKind::Constant; }

static ExprAttr product(ExprAttr a, ExprAttr b) {
  auto is = [](ExprAttr e, int64_t n) {
    return isConstant(e) && e.getValue() == n;
  };
  if (is(a, 1) || is(b, 0)) {
    return b;
  }
  if (is(b, 1) || is(a, 0)) {
    return a;
  }
  int64_t value = 0;
  if (isConstant(a) && isConstant(b) &&
      !__builtin_mul_overflow(a.getValue(), b.getValue(), &value)) {
    return ExprAttr::constant(a.getContext(), value);
  }
  return ExprAttr::binary(ExprKind::Mul, a, b);
}

std::vector<ExprAttr> strideExprs(TileTensorType type) {
  std::vector<ExprAttr> out;
  for (Attribute stride : type.getStrides()) {
    out.push_back(exprOf(stride));
  }
  if (!out.empty()) {
    return out;
  }
  std::vector<ExprAttr> dims = extentExprs(type);
  out.assign(dims.size(), ExprAttr::constant(type.getContext(), 1));
  for (size_t k = dims.size(); k-- > 1;) {
    out[k - 1] = product(dims[k], out[k]);
  }
  return out;
}

namespace {

struct Planner {
  EntryPlan plan;

  void require(ComparisonKind kind, ExprAttr lhs, ExprAttr rhs) {
    auto c = ComparisonAttr::get(lhs.getContext(), kind, lhs, rhs);
    if (!llvm::is_contained(plan.when, c)) {
      plan.when.push_back(c);
    }
  }

  void requireSize(ExprAttr e) {
    if (e.getKind() != ExprKind::Symbol) {
      return;
    }
    MLIRContext *context = e.getContext();
    require(ComparisonKind::Ge, e, ExprAttr::constant(context, 1));
    require(ComparisonKind::Le, e, ExprAttr::constant(context, engineSize));
    SymbolFacts &facts = plan.facts[e.getSymbol().str()];
    facts.low = std::max<int64_t>(facts.low, 1);
    facts.high = std::min(facts.high, engineSize);
  }

  /// A product within bounds is asked for behind its factors, so that none
  /// that a launcher computes is beyond 62 bits.
  void requireProduct(ExprAttr e) {
    if (e.getKind() != ExprKind::Mul || llvm::is_contained(plan.products, e)) {
      return;
    }
    require(ComparisonKind::Le, e,
            ExprAttr::constant(e.getContext(), engineSize));
    plan.products.push_back(e);
  }

  /// Of constants nothing is asked. A product of extents is a multiple as soon
  /// as its last factor is, the last extent of all.
  void requireMultiple(ExprAttr e, int64_t grain) {
    if (e.getKind() != ExprKind::Symbol) {
      return;
    }
    uint64_t &divisor = plan.facts[e.getSymbol().str()].divisor;
    if (divisor % grain == 0) {
      return;
    }
    MLIRContext *context = e.getContext();
    require(
        ComparisonKind::Eq,
        ExprAttr::binary(ExprKind::Mod, e, ExprAttr::constant(context, grain)),
        ExprAttr::constant(context, 0));
    divisor = std::max<uint64_t>(divisor, grain);
  }

  void addTensor(TileTensorType type) {
    for (ExprAttr e : extentExprs(type)) {
      requireSize(e);
    }
    std::vector<ExprAttr> strides = strideExprs(type);
    for (ExprAttr e : strides) {
      requireSize(e);
    }
    int64_t bits = type.getElementType().getIntOrFloatBitWidth();
    int64_t grain = std::max<int64_t>(8 * engineBytes / bits, 1);
    auto hopeless = [&](ExprAttr e) {
      return isConstant(e) && e.getValue() % grain != 0;
    };
    ArrayRef<ExprAttr> outer = ArrayRef(strides).drop_back();
    if (type.getAlign() < engineBytes || !isConstant(strides.back()) ||
        strides.back().getValue() != 1 || llvm::any_of(outer, hopeless)) {
      return; // the engine cannot serve it
    }
    // Without it the edge would be masked element by element.
    requireMultiple(extentExprs(type).back(), grain);
    for (ExprAttr e : outer) {
      requireMultiple(e, grain);
    }
    for (ExprAttr e : llvm::reverse(outer)) {
      requireProduct(e);
    }
  }
};

} // namespace

std::vector<EntryPlan> plansOf(KernelOp kernel) {
  EntryPlan general;
  general.entry = kernel.getSymName().str();
  for (const LaunchSymbol &s : kernel.getLaunchSymbols()) {
    general.facts[s.name.str()] = impliedFacts(s.type);
  }
  Planner planner{general};
  planner.plan.entry += "_aligned";
  planner.plan.positiveStrides = true;
  for (BlockArgument argument : kernel.getArguments()) {
    if (auto type = dyn_cast<TileTensorType>(argument.getType())) {
      planner.addTensor(type);
    }
  }
  if (planner.plan.when.empty()) {
    return {general};
  }
  return {planner.plan, general};
}

} // namespace girih::tileir
