// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/readback/Bounds.h"

using namespace girih::tile;

namespace girih::readback {

Bounds::Bounds(const Entry &entry, const std::vector<Parameter> &parameters,
               KernelValues &values, Matcher &matcher)
    : kernel(values.kernel), holds(entry.when), parameters(parameters),
      values(values), matcher(matcher) {
  // A launch that breaks the contract is refused, whatever its variant.
  llvm::copy_if(entry.required, std::back_inserter(holds),
                [&](ComparisonAttr c) { return isRequired(c); });
  for (ComparisonAttr c : holds) {
    ExprAttr a = c.getLhs();
    ExprAttr of = a.getKind() == ExprKind::Mod ? a.getLhs() : a;
    if (of.getKind() == ExprKind::Symbol) {
      conditions[of.getSymbol()].push_back(c);
    }
  }
}

/// Whether the contract has the comparison, or one that says more: a bound that
/// is as tight, or a multiple of the divisor.
bool Bounds::isRequired(ComparisonAttr c) {
  auto numberOf = [](ExprAttr e) {
    return e.getKind() == ExprKind::Constant ? std::optional(e.getValue())
                                             : std::nullopt;
  };
  std::optional<int64_t> bound = numberOf(c.getRhs());
  return bound && llvm::any_of(kernel.getRequirements(), [&](ComparisonAttr r) {
           std::optional<int64_t> n = numberOf(r.getRhs());
           if (!n) {
             return false;
           }
           ComparisonKind kind = r.getKind();
           bool isSame = r.getLhs() == c.getLhs();
           switch (c.getKind()) {
           case ComparisonKind::Ge:
             return isSame &&
                    ((kind == ComparisonKind::Ge && *n >= *bound) ||
                     (kind == ComparisonKind::Gt && *n >= *bound - 1));
           case ComparisonKind::Le:
             return isSame &&
                    ((kind == ComparisonKind::Le && *n <= *bound) ||
                     (kind == ComparisonKind::Lt && *n <= *bound + 1));
           case ComparisonKind::Eq: {
             ExprAttr x = c.getLhs(), y = r.getLhs();
             if (kind != ComparisonKind::Eq || *bound != 0 || *n != 0 ||
                 x.getKind() != ExprKind::Mod || y.getKind() != ExprKind::Mod ||
                 x.getLhs() != y.getLhs()) {
               return false;
             }
             auto divisor = numberOf(x.getRhs()),
                  multiple = numberOf(y.getRhs());
             return divisor && multiple && *divisor > 0 &&
                    *multiple % *divisor == 0;
           }
           default:
             return false;
           }
         });
}

/// What the contract and the variant's conditions say of a symbol.
Bounds::Known Bounds::knownOf(const LaunchSymbol &s) const {
  Known k{0, int64_t(1) << 40, {1}};
  if (!s.type.isIndex()) {
    unsigned bits = widthOf(s.type);
    k.high = static_cast<int64_t>((uint64_t(1) << (bits - 1)) - 1);
    k.low = -k.high - 1;
    if (bits == 1) {
      k = {0, 1, {1}};
    }
  }
  for (ComparisonAttr c : conditions.lookup(s.name)) {
    ExprAttr a = c.getLhs(), b = c.getRhs();
    if (b.getKind() != ExprKind::Constant) {
      continue;
    }
    auto isSymbol = [&](ExprAttr e) {
      return e.getKind() == ExprKind::Symbol && e.getSymbol() == s.name;
    };
    if (isSymbol(a) && c.getKind() == ComparisonKind::Ge) {
      k.low = std::max(k.low, b.getValue());
    } else if (isSymbol(a) && c.getKind() == ComparisonKind::Le) {
      k.high = std::min(k.high, b.getValue());
    } else if (a.getKind() == ExprKind::Mod && isSymbol(a.getLhs()) &&
               a.getRhs().getKind() == ExprKind::Constant &&
               c.getKind() == ComparisonKind::Eq && b.getValue() == 0) {
      k.divisors.push_back(a.getRhs().getValue());
    }
  }
  return k;
}

bool Bounds::follows(const Assumption &a, const Known &k) {
  bool bounds = (!a.low || *a.low <= k.low) && (!a.high || *a.high >= k.high);
  return bounds && (!a.divisor || llvm::any_of(k.divisors, [&](int64_t d) {
           return *a.divisor > 0 && d % int64_t(*a.divisor) == 0;
         }));
}

/// By the contract or the conditions of the variant.
bool Bounds::ofParameter(const Assumption &a) {
  if (!a.parameter) {
    return false;
  }
  const Parameter &p = parameters[*a.parameter];
  if (p.argument) {
    auto type = mlir::dyn_cast<TileTensorType>(
        kernel.getArguments()[*p.argument].getType());
    return type && a.divisor && *a.divisor > 0 && !a.low && !a.high &&
           uint64_t(type.getAlign()) % *a.divisor == 0;
  }
  // A block runs, so no dimension of the grid is 0.
  bool good = llvm::is_contained(kernel.getGridExprs(), p.value) &&
              follows(a, {1, INT64_MAX, {1}});
  if (p.value.getKind() == ExprKind::Symbol) {
    const LaunchSymbol *s = values.launchSymbol(p.value.getSymbol());
    good |= s && follows(a, knownOf(*s));
  }
  if (good && a.low) {
    int64_t &low =
        assumedLow.try_emplace(values.contract(p.value), *a.low).first->second;
    low = std::max(low, *a.low);
  }
  return good;
}

bool Bounds::isPositive(Expr e) const {
  Terms terms = termsOf(e);
  return terms.size() == 1 && static_cast<int64_t>(terms.begin()->second) > 0 &&
         llvm::all_of(terms.begin()->first, [&](Expr atom) {
           auto it = assumedLow.find(atom);
           return it != assumedLow.end() && it->second >= 1;
         });
}

/// Exactly a product that the contract or a condition of the variant bounds.
bool Bounds::ofProduct(const Assumption &a) const {
  bool bounded = a.high && llvm::any_of(holds, [&](ComparisonAttr c) {
                   return c.getKind() == ComparisonKind::Le &&
                          c.getRhs().getKind() == ExprKind::Constant &&
                          c.getRhs().getValue() <= *a.high &&
                          values.contract(c.getLhs()) == a.number;
                 });
  return bounded && !a.divisor && (!a.low || *a.low <= 1) &&
         isPositive(a.number);
}

/// The number is the extent of a slice that was made before, on any path to
/// here: it is at least 0 and fits into what it is a slice of.
bool Bounds::ofSlice(const Assumption &a) const {
  auto bounds = [&](int64_t high) {
    return !a.divisor && (!a.low || *a.low <= 0) &&
           (!a.high || *a.high >= high);
  };
  auto known = slices.find(a.number);
  return known != slices.end()
             ? bounds(known->second)
             : llvm::any_of(slices, [&](const auto &extent) {
                 return bounds(extent.second) &&
                        matcher.matches(extent.first, a.number);
               });
}

bool Bounds::imply(const Assumption &a) {
  return ofParameter(a) || (a.number && (ofProduct(a) || ofSlice(a)));
}

/// What is known of an extent from above.
int64_t Bounds::most(Expr extent) {
  int64_t high = isConstant(extent) ? constantOf(extent) : INT64_MAX;
  if (auto it = slices.find(extent); it != slices.end()) {
    high = std::min(high, it->second);
  }
  for (const LaunchSymbol &s : kernel.getLaunchSymbols()) {
    if (values.contract(ExprAttr::symbol(s.name)) == extent) {
      high = std::min(high, knownOf(s).high);
    }
  }
  return high;
}

void Bounds::make(ViewOp view) {
  if (view.getKind() != ViewKind::Slice) {
    return;
  }
  Layout whole = values.layout(view.getTensor());
  Layout part = values.layout(view.getResult());
  for (auto [of, extent] : llvm::zip(whole.extents, part.extents)) {
    auto [it, isNew] = slices.try_emplace(extent, most(of));
    it->second = std::min(it->second, most(of));
  }
}

} // namespace girih::readback
