// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of definitions. theory/Definitions.v has the same table and proves
// that results exist and are determined by the arguments.

#include "proofs/Obligation.h"

namespace girih::proofs {

static bool hasShape(const Definition &d, size_t arguments, size_t results) {
  return d.arguments.size() == arguments && d.results.size() == results;
}

/// The constant width of a Wrap, when it has one in range.
static std::optional<Int> wrapWidth(const Definition &d) {
  std::optional<Int> w = d.arguments[1].constant();
  return w && *w >= 2 && *w <= 64 ? w : std::nullopt;
}

std::vector<Fact> definitionFacts(const Definition &d) {
  auto result = [&](size_t i) { return Poly::variable(d.results[i]); };
  switch (d.kind) {
  case Definition::Kind::Quotient: {
    if (!hasShape(d, 2, 2)) {
      return {};
    }
    const Poly &a = d.arguments[0], &by = d.arguments[1];
    Poly q = result(0), r = result(1);
    return {Fact::zero(a - q * by - r), Fact::atLeastZero(r),
            Fact::atLeastZero(by - Poly(1) - r), Fact::atLeastZero(q)};
  }
  case Definition::Kind::Select: {
    if (!hasShape(d, 3, 1)) {
      return {};
    }
    const Poly &c = d.arguments[0];
    Poly m = result(0);
    return {Fact::anyOf({{{false, c}, {true, m - d.arguments[1]}},
                         {{false, -c - Poly(1)}, {true, m - d.arguments[2]}}})};
  }
  case Definition::Kind::Wrap: {
    std::optional<Int> w = hasShape(d, 2, 2) ? wrapWidth(d) : std::nullopt;
    if (!w) {
      return {};
    }
    Poly half(Int(1) << (*w - 1));
    Poly v = result(0), k = result(1);
    return {Fact::zero(d.arguments[0] - k * (half + half) - v),
            Fact::atLeastZero(v + half), Fact::atLeastZero(half - Poly(1) - v)};
  }
  case Definition::Kind::Name:
    if (!hasShape(d, 1, 1)) {
      return {};
    }
    return {Fact::zero(result(0) - d.arguments[0])};
  }
  return {};
}

std::vector<Fact> definitionNeeds(const Definition &d) {
  if (d.kind != Definition::Kind::Quotient || !hasShape(d, 2, 2)) {
    return {};
  }
  return {Fact::atLeastZero(d.arguments[1] - Poly(1)),
          Fact::atLeastZero(d.arguments[0])};
}

} // namespace girih::proofs
