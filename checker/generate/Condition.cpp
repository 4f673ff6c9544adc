// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Condition.h"

using namespace girih::proofs;

namespace girih::checker {

Condition Condition::atLeastZero(Poly p) {
  Condition c;
  c.kind = Kind::AtLeastZero;
  c.p = std::move(p);
  return c;
}

Condition Condition::zero(Poly p) {
  Condition c;
  c.kind = Kind::Zero;
  c.p = std::move(p);
  return c;
}

Condition Condition::constant(bool value) {
  return atLeastZero(Poly(value ? 0 : -1));
}

/// A condition that says more than this is unknown. Parts are shared, so that
/// a few lines of a kernel can say 2^40 comparisons.
static constexpr size_t maxComparisons = 256;

Condition Condition::both(Condition a, Condition b) {
  if (a.size + b.size > maxComparisons) {
    return unknown();
  }
  Condition c;
  c.kind = Kind::And;
  c.size = a.size + b.size;
  c.parts = std::make_shared<const std::vector<Condition>>(
      std::vector<Condition>{std::move(a), std::move(b)});
  return c;
}

Condition Condition::either(Condition a, Condition b) {
  Condition c = both(std::move(a), std::move(b));
  c.kind = c.kind == Kind::And ? Kind::Or : c.kind;
  return c;
}

Condition Condition::of(const Fact &fact) {
  std::optional<Condition> any;
  for (const std::vector<Atom> &branch : fact.branches) {
    std::optional<Condition> all;
    for (const Atom &a : branch) {
      Condition c = a.equality ? zero(a.poly) : atLeastZero(a.poly);
      all = all ? both(*all, c) : c;
    }
    Condition way = all.value_or(constant(true));
    any = any ? either(*any, way) : way;
  }
  return any.value_or(constant(false));
}

Condition Condition::negated() const {
  switch (kind) {
  case Kind::Unknown:
    return unknown();
  case Kind::AtLeastZero:
    return atLeastZero(-p - 1);
  case Kind::Zero:
    return either(atLeastZero(-p - 1), atLeastZero(p - 1));
  case Kind::And:
    return either(left().negated(), right().negated());
  case Kind::Or:
    return both(left().negated(), right().negated());
  }
  return unknown();
}

std::optional<std::vector<std::vector<Atom>>>
Condition::alternatives(size_t limit) const {
  using Result = std::vector<std::vector<Atom>>;
  switch (kind) {
  case Kind::Unknown:
    return Result{{}};
  case Kind::AtLeastZero:
    return Result{{{false, p}}};
  case Kind::Zero:
    return Result{{{true, p}}};
  case Kind::Or: {
    auto a = left().alternatives(limit), b = right().alternatives(limit);
    if (!a || !b || a->size() + b->size() > limit) {
      return std::nullopt;
    }
    a->insert(a->end(), b->begin(), b->end());
    return a;
  }
  case Kind::And: {
    auto a = left().alternatives(limit), b = right().alternatives(limit);
    if (!a || !b || a->size() * b->size() > limit) {
      return std::nullopt;
    }
    Result out;
    for (const std::vector<Atom> &x : *a) {
      for (const std::vector<Atom> &y : *b) {
        out.push_back(x);
        out.back().insert(out.back().end(), y.begin(), y.end());
      }
    }
    return out;
  }
  }
  return std::nullopt;
}

std::vector<Fact> Condition::facts() const {
  if (kind == Kind::And) {
    std::vector<Fact> a = left().facts(), b = right().facts();
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  auto alts = alternatives();
  if (!alts) {
    return {};
  }
  for (const std::vector<Atom> &alt : *alts) {
    if (alt.empty()) {
      return {};
    }
  }
  if (alts->size() == 1) {
    std::vector<Fact> out;
    for (Atom &a : (*alts)[0]) {
      out.push_back(Fact::anyOf({{std::move(a)}}));
    }
    return out;
  }
  return {Fact::anyOf(std::move(*alts))};
}

bool Condition::isKnown() const {
  switch (kind) {
  case Kind::Unknown:
    return false;
  case Kind::AtLeastZero:
  case Kind::Zero:
    return true;
  case Kind::And:
  case Kind::Or:
    return left().isKnown() && right().isKnown();
  }
  return false;
}

bool Condition::isExact() const {
  if (kind == Kind::And) {
    return left().isExact() && right().isExact();
  }
  return isKnown() && alternatives().has_value();
}

Fact refusal(const std::vector<Atom> &alternative) {
  std::vector<std::vector<Atom>> branches;
  for (const Atom &a : alternative) {
    branches.push_back({{false, -a.poly - 1}});
    if (a.equality) {
      branches.push_back({{false, a.poly - 1}});
    }
  }
  return Fact::anyOf(std::move(branches));
}

} // namespace girih::checker
