// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch as values: addresses, symbols with what is known of them, block
// ids recovered from the linear one.

#include "lower/tileir/Context.h"

using namespace girih::tile;

namespace girih::tileir {

bool needsGridDim(KernelOp kernel, unsigned axis) {
  if (axis > 0) {
    return true; // ids are recovered by division by all dimensions but one
  }
  bool asked = false;
  kernel.getBodyRegion().walk(
      [&](GridDimOp op) { asked |= op.getAxis() == 0; });
  return asked;
}

std::vector<Parameter> parametersOf(KernelOp kernel) {
  std::vector<Parameter> out;
  for (mlir::BlockArgument a : kernel.getArguments()) {
    Parameter p;
    p.kind = mlir::isa<TileTensorType>(a.getType()) ? Parameter::Kind::Pointer
                                                    : Parameter::Kind::Scalar;
    p.argument = a.getArgNumber();
    out.push_back(p);
  }
  for (const LaunchSymbol &s : kernel.getLaunchSymbols()) {
    Parameter p;
    auto type = mlir::dyn_cast<mlir::IntegerType>(s.type);
    p.type = type && type.getWidth() <= 32 ? Element::I32 : Element::I64;
    p.value = ExprAttr::symbol(s.name);
    out.push_back(p);
  }
  for (auto [axis, expr] : llvm::enumerate(kernel.getGridExprs())) {
    if (needsGridDim(kernel, axis)) {
      Parameter p;
      p.type = Element::I32;
      p.value = expr;
      out.push_back(p);
    }
  }
  return out;
}

Type typeOf(KernelOp kernel, const Parameter &p) {
  if (p.kind == Parameter::Kind::Integer) {
    return scalarType(p.type);
  }
  mlir::Type type = kernel.getArguments()[p.argument].getType();
  if (auto tensor = mlir::dyn_cast<TileTensorType>(type)) {
    return TileType{elementOf(tensor.getElementType()), {}, true};
  }
  return scalarType(elementOf(type));
}

/// Where what an entry asks for is from, once the contract has it all.
static std::string originOf(const EntryPlan &plan) {
  return plan.when.empty() ? " [contract]" : " [when]";
}

static void bindSymbol(Context &c, const LaunchSymbol &s, Value v) {
  const SymbolFacts &facts = c.plan.facts.at(s.name.str());
  SymbolFacts implied = impliedFacts(s.type);
  if (s.type.isIndex() || facts.low != implied.low ||
      facts.high != implied.high) {
    v = c.builder.assume(
        v, Bounded{facts.low, facts.high},
        s.name.str() + ": at least " + std::to_string(facts.low) +
            ", at most " + std::to_string(facts.high) +
            (facts.low == implied.low && facts.high == implied.high
                 ? " [contract]"
                 : originOf(c.plan)));
  }
  if (facts.divisor > 1) {
    v = c.builder.assume(v, DivBy{facts.divisor},
                         s.name.str() + ": divisible by " +
                             std::to_string(facts.divisor) + originOf(c.plan));
  }
  c.symbols[s.name.str()] = c.builder.castSigned(v, elementOf(s.type));
}

/// Axis by axis from the last: id = rest mod dim, rest = rest div dim.
static void recoverBlockIds(Context &c, const std::vector<Value> &dims) {
  Type i32 = scalarType(Element::I32);
  Value rest =
      c.builder.append(Opcode::GetTileBlockId, {}, {}, {i32, i32, i32})[0];
  size_t rank = c.kernel.getGridExprs().size();
  c.blockIds.resize(rank);
  for (size_t k = rank; k-- > 0;) {
    Value id = k == 0 ? rest : c.builder.remainder(rest, dims[k]);
    rest = k == 0 ? rest : c.builder.divide(rest, dims[k]);
    c.blockIds[k] = c.builder.castSigned(id, Element::I64);
  }
}

void lowerLaunch(Context &c, const std::vector<Value> &parameters) {
  size_t at = 0;
  for (mlir::BlockArgument a : c.kernel.getArguments()) {
    Value v = parameters[at++];
    auto type = mlir::dyn_cast<TileTensorType>(a.getType());
    if (!type) {
      c.values[a] = v;
      continue;
    }
    c.bases[a.getArgNumber()] =
        type.getAlign() == 1
            ? v
            : c.builder.assume(v, DivBy{uint64_t(type.getAlign())},
                               ("%" + c.kernel.getArgName(a.getArgNumber()) +
                                ": address divisible by " +
                                llvm::Twine(type.getAlign()) + " [contract]")
                                   .str());
  }
  for (const LaunchSymbol &s : c.kernel.getLaunchSymbols()) {
    bindSymbol(c, s, parameters[at++]);
  }
  std::vector<Value> narrow(c.kernel.getGridExprs().size());
  c.gridDims.resize(narrow.size());
  for (ExprAttr product : c.plan.products) {
    c.products[product] =
        c.builder.assume(evaluate(c, product), Bounded{1, engineSize},
                         product.str() + ": at least 1, at most " +
                             std::to_string(engineSize) + originOf(c.plan));
  }
  for (size_t k = 0; k < narrow.size(); ++k) {
    if (needsGridDim(c.kernel, k)) {
      // A block runs, so the grid is not empty.
      narrow[k] = c.builder.assume(parameters[at++], Bounded{1, std::nullopt},
                                   "grid dimension " + std::to_string(k) +
                                       ": at least 1 [a block runs]");
      c.gridDims[k] = c.builder.castSigned(narrow[k], Element::I64);
    }
  }
  if (!narrow.empty()) {
    recoverBlockIds(c, narrow);
  }
}

Value symbolAsIndex(Context &c, llvm::StringRef name) {
  return c.builder.castSigned(c.symbols.at(name.str()), Element::I64);
}

Value evaluate(Context &c, ExprAttr expr) {
  if (auto known = c.products.find(expr); known != c.products.end()) {
    return known->second;
  }
  switch (expr.getKind()) {
  case ExprKind::Constant:
    return c.builder.index(expr.getValue());
  case ExprKind::Symbol:
    return symbolAsIndex(c, expr.getSymbol().getValue());
  default:
    return c.builder.multiply(evaluate(c, expr.getLhs()),
                              evaluate(c, expr.getRhs()));
  }
}

} // namespace girih::tileir
