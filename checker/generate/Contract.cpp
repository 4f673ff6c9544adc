// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every admitted launch satisfies: the implied bounds on extents, strides
// and sizes, the declared requirements, the grid, and what is given of contents
// where that says something of the launch itself.

#include "checker/generate/Generate.h"

using namespace girih::proofs;
using namespace girih::tile;

namespace girih::checker {

static Poly dimension(const KernelFacts &k, mlir::Attribute dim) {
  if (auto c = mlir::dyn_cast<mlir::IntegerAttr>(dim)) {
    return Poly(c.getValue().getSExtValue());
  }
  auto name = mlir::cast<mlir::StringAttr>(dim).getValue().str();
  return Poly::variable(k.symbols.at(name));
}

std::vector<Poly> extents(const KernelFacts &k, TileTensorType type) {
  std::vector<Poly> out;
  for (mlir::Attribute d : type.getDims()) {
    out.push_back(dimension(k, d));
  }
  return out;
}

std::vector<Poly> explicitStrides(const KernelFacts &k, TileTensorType type) {
  std::vector<Poly> out;
  for (mlir::Attribute s : type.getStrides()) {
    out.push_back(dimension(k, s));
  }
  return out;
}

std::vector<Poly> stridesOf(const KernelFacts &k, TileTensorType type) {
  std::vector<Poly> out = explicitStrides(k, type);
  if (out.empty()) {
    std::vector<Poly> e = extents(k, type);
    out.assign(e.size(), Poly(1));
    for (size_t i = e.size(); i-- > 1;) {
      out[i - 1] = out[i] * e[i];
    }
  }
  return out;
}

Poly expressionOver(KernelFacts &k, ExprAttr e,
                    const std::map<std::string, Poly> &names, Rule rule) {
  if (e.getKind() == ExprKind::Constant) {
    return Poly(e.getValue());
  }
  if (e.getKind() == ExprKind::Symbol) {
    std::string name = e.getSymbol().getValue().str();
    auto it = names.find(name);
    return it == names.end() ? Poly::variable(k.symbols.at(name)) : it->second;
  }
  Poly a = expressionOver(k, e.getLhs(), names, rule),
       b = expressionOver(k, e.getRhs(), names, rule);
  FactBase &base = k.base;
  std::string name = e.str();
  auto divide = [&](const Poly &dividend) {
    base.emit(rule, "divisor of " + name, b - 1, nullptr, true);
    base.emit(rule, "dividend of " + name, a, nullptr, true);
    if (!(dividend == a)) {
      base.emit(rule, "rounded dividend of " + name, dividend, nullptr, true);
    }
    if (e.getKind() == ExprKind::Mod) {
      return base.divide(
          dividend, b,
          "div(" + e.getLhs().str() + ", " + e.getRhs().str() + ")", name);
    }
    return base.divide(dividend, b, name);
  };
  switch (e.getKind()) {
  case ExprKind::Add:
    return a + b;
  case ExprKind::Sub:
    return a - b;
  case ExprKind::Mul:
    return a * b;
  case ExprKind::Div:
    return divide(a).first;
  case ExprKind::Mod:
    return divide(a).second;
  case ExprKind::CeilDiv:
    return divide(a + b - 1).first;
  case ExprKind::Min:
    return base.select(b - a, a, b, name);
  case ExprKind::Max:
    return base.select(a - b, a, b, name);
  default:
    return Poly(0);
  }
}

static Poly expression(KernelFacts &k, ExprAttr e) {
  return expressionOver(k, e, {}, Rule::ContractDivision);
}

static Condition comparison(KernelFacts &k, ComparisonAttr c) {
  Poly a = expression(k, c.getLhs()), b = expression(k, c.getRhs());
  switch (c.getKind()) {
  case ComparisonKind::Eq:
    return Condition::zero(a - b);
  case ComparisonKind::Lt:
    return Condition::atLeastZero(b - a - 1);
  case ComparisonKind::Le:
    return Condition::atLeastZero(b - a);
  case ComparisonKind::Gt:
    return Condition::atLeastZero(a - b - 1);
  case ComparisonKind::Ge:
    return Condition::atLeastZero(a - b);
  }
  return Condition::unknown();
}

static void assumeSymbols(KernelFacts &k) {
  Width w = k.base.width;
  for (const LaunchSymbol &s : k.kernel.getLaunchSymbols()) {
    std::string name = s.name.getValue().str();
    Variable v;
    v.name = name;
    Poly p = Poly::variable(k.symbols[name] = k.base.add(v));
    Int low = 0, high = w.extentMax();
    if (auto i = mlir::dyn_cast<mlir::IntegerType>(s.type)) {
      high = (Int(1) << (i.getWidth() - 1)) - 1;
      low = -high - 1;
    }
    k.base.assume(Fact::atLeastZero(p - low), Origin::Kind::Contract,
                  name + " >= " + toString(low));
    k.base.assume(Fact::atLeastZero(Poly(high) - p), Origin::Kind::Contract,
                  name + " <= " + toString(high));
  }
}

static void assumeSizes(KernelFacts &k) {
  for (mlir::Type t : k.kernel.getBody()->getArgumentTypes()) {
    auto type = mlir::dyn_cast<TileTensorType>(t);
    if (!type) {
      continue;
    }
    unsigned bytes = (type.getElementType().getIntOrFloatBitWidth() + 7) / 8;
    std::vector<Poly> e = extents(k, type), s = stridesOf(k, type);
    for (size_t i = 0; i < e.size(); ++i) {
      Poly room = Poly(k.base.width.bytesMax()) - s[i] * e[i] * Poly(bytes);
      if (room.degree() > 1) {
        k.base.assume(Fact::atLeastZero(room), Origin::Kind::Contract,
                      "a tensor has at most " +
                          toString(k.base.width.bytesMax()) + " bytes");
      }
    }
  }
}

static void emitGrid(KernelFacts &k) {
  Int max = k.base.width.gridMax();
  Poly product(1);
  for (auto [axis, e] : llvm::enumerate(k.kernel.getGridExprs())) {
    Poly g = expression(k, e);
    std::string name = "grid[" + std::to_string(axis) + "]";
    k.base.emit(Rule::LaunchGrid, name, g, nullptr, true);
    k.base.assume(Fact::atLeastZero(Poly(max) - g), Origin::Kind::Contract,
                  name + " <= " + toString(max));
    k.grid.push_back(g);
    product = product * g;
  }
  if (k.grid.size() > 1) {
    k.base.assume(Fact::atLeastZero(Poly(max) - product),
                  Origin::Kind::Contract,
                  "the grid has at most " + toString(max) + " blocks");
  }
}

static void followGivens(KernelFacts &k) {
  for (GivenAttr fact : k.kernel.getGivenFacts()) {
    Precondition given;
    given.kind = fact.getKind();
    given.tensor = static_cast<int>(fact.getTensor());
    given.note = "given " + fact.str(k.kernel.getArgText(fact.getTensor()));
    if (fact.getLow()) {
      given.low = expression(k, fact.getLow());
    }
    if (fact.getHigh()) {
      given.high = expression(k, fact.getHigh());
    }
    k.givens.push_back(std::move(given));
  }
}

/// A tensor of splits has an element, and its last one is no smaller than its
/// first, which is 0. A range of numbers has one, or the tensor has no element.
static void assumeContents(KernelFacts &k) {
  for (const Precondition &given : k.givens) {
    auto type = mlir::cast<TileTensorType>(
        k.kernel.getBody()->getArgument(given.tensor).getType());
    std::vector<Poly> e = extents(k, type);
    if (given.kind == GivenKind::Splits) {
      for (const Poly &p : {e[0] - 1, given.high}) {
        k.base.assume(Fact::atLeastZero(p), Origin::Kind::Given, given.note);
      }
    }
    Poly room = given.high - given.low - 1;
    if (given.kind == GivenKind::Within && !room.constant()) {
      std::vector<std::vector<Atom>> ways = {{{false, room}}};
      for (const Poly &extent : e) {
        ways.push_back({{false, -extent}});
      }
      k.base.assume(Fact::anyOf(std::move(ways)), Origin::Kind::Given,
                    given.note);
    }
  }
}

void emitContract(KernelFacts &k) {
  assumeSymbols(k);
  assumeSizes(k);
  for (ComparisonAttr c : k.kernel.getRequirements()) {
    std::string note = "requires " + c.str();
    for (Fact &f : comparison(k, c).facts()) {
      k.base.assume(std::move(f), Origin::Kind::Contract, note);
    }
  }
  emitGrid(k);
  followGivens(k);
  assumeContents(k);
  k.launchFacts = k.base.mark();
  k.launchVariables = k.base.variableCount();
}

} // namespace girih::checker
