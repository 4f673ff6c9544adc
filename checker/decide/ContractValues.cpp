// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/ContractValues.h"

namespace girih::checker {

ContractValues::ContractValues(tile::KernelOp kernel) {
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    places.try_emplace(s.name.getValue(), names.size());
    names.push_back(s.name.getValue().str());
  }
}

size_t ContractValues::symbol(llvm::StringRef name) const {
  auto it = places.find(name);
  return it == places.end() ? names.size() : it->second;
}

size_t ContractValues::add(tile::ExprAttr e) {
  Node n = {e.getKind(), e.getValue(), 0, 0};
  if (e.getKind() == tile::ExprKind::Symbol) {
    n.number = static_cast<int64_t>(symbol(e.getSymbol().getValue()));
  } else if (e.getKind() != tile::ExprKind::Constant) {
    n.lhs = add(e.getLhs());
    n.rhs = add(e.getRhs());
  }
  nodes.push_back(n);
  return nodes.size() - 1;
}

ContractValues::Comparison ContractValues::add(tile::ComparisonAttr c) {
  size_t lhs = add(c.getLhs());
  return {c.getKind(), lhs, add(c.getRhs())};
}

std::optional<__int128>
ContractValues::evaluate(size_t expression,
                         llvm::ArrayRef<int64_t> values) const {
  const Node &n = nodes[expression];
  if (n.kind == tile::ExprKind::Constant) {
    return n.number;
  }
  if (n.kind == tile::ExprKind::Symbol) {
    return values[n.number];
  }
  std::optional<Wide> a = evaluate(n.lhs, values);
  std::optional<Wide> b = evaluate(n.rhs, values);
  if (!a || !b) {
    return std::nullopt;
  }
  Wide out = 0;
  bool overflows = false;
  switch (n.kind) {
  case tile::ExprKind::Add:
    overflows = __builtin_add_overflow(*a, *b, &out);
    break;
  case tile::ExprKind::Sub:
    overflows = __builtin_sub_overflow(*a, *b, &out);
    break;
  case tile::ExprKind::Mul:
    overflows = __builtin_mul_overflow(*a, *b, &out);
    break;
  case tile::ExprKind::Min:
    return std::min(*a, *b);
  case tile::ExprKind::Max:
    return std::max(*a, *b);
  default:
    if (*a < 0 || *b < 1) {
      return std::nullopt;
    }
    out = n.kind == tile::ExprKind::Mod ? *a % *b : *a / *b;
    out += n.kind == tile::ExprKind::CeilDiv && *a % *b != 0;
  }
  return overflows ? std::nullopt : std::optional(out);
}

std::optional<bool>
ContractValues::holds(const Comparison &c,
                      llvm::ArrayRef<int64_t> values) const {
  std::optional<Wide> a = evaluate(c.lhs, values);
  std::optional<Wide> b = evaluate(c.rhs, values);
  if (!a || !b) {
    return std::nullopt;
  }
  switch (c.kind) {
  case tile::ComparisonKind::Eq:
    return *a == *b;
  case tile::ComparisonKind::Lt:
    return *a < *b;
  case tile::ComparisonKind::Le:
    return *a <= *b;
  case tile::ComparisonKind::Gt:
    return *a > *b;
  case tile::ComparisonKind::Ge:
    return *a >= *b;
  }
  return std::nullopt;
}

} // namespace girih::checker
