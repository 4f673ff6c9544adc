// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First-order matching of hash-consed expressions, with opaque values as the
// variables: they stand on one side only. Sums are solved for an opaque value
// that is linear in them. What it misses is refused, never accepted: a match
// ends with both sides being one object.

#include "lower/readback/Match.h"

#include <algorithm>
#include <set>

namespace girih::readback {

Expr Matcher::known(Expr wanted) {
  if (!wanted->opaque) {
    return wanted;
  }
  auto replace = [&](Expr x) -> Expr {
    if (!x->opaque) {
      return x;
    }
    auto it = x->kind == Kind::Opaque ? bound.find(x->numbers[0]) : bound.end();
    return it == bound.end() ? nullptr
                             : pool.substitute(it->second, x->arguments);
  };
  return pool.rewrite(wanted, replace, true);
}

bool Matcher::matches(Expr wanted, Expr got) {
  auto before = bound;
  bool good = match(wanted, got);
  if (!good) {
    bound = std::move(before);
  }
  return good;
}

bool Matcher::match(Expr wanted, Expr got) {
  wanted = known(wanted);
  if (wanted == got || !wanted->opaque) {
    return wanted == got;
  }
  if (wanted->kind == Kind::Opaque) {
    return bind(wanted, got);
  }
  if (wanted->kind == Kind::Sum || got->kind == Kind::Sum) {
    return matchSum(wanted, got);
  }
  bool conjunction = wanted->kind == Kind::And && wanted->bits == 1;
  if (conjunction) {
    bool several = got->kind == Kind::And && got->bits == 1;
    return matchParts(wanted->arguments,
                      several ? got->arguments : std::vector<Expr>{got});
  }
  if (wanted->kind != got->kind || wanted->numbers != got->numbers ||
      wanted->arguments.size() != got->arguments.size()) {
    return false;
  }
  if (wanted->kind == Kind::SMin || wanted->kind == Kind::SMax) {
    return matchParts(wanted->arguments, got->arguments);
  }
  for (size_t i = 0; i < wanted->arguments.size(); ++i) {
    if (!match(wanted->arguments[i], got->arguments[i])) {
      return false;
    }
  }
  return known(wanted) == got;
}

/// Whether a number may stand for an opaque one: it is of the type, comes of
/// floats or a reduction, and of nothing that begins after the opaque one. What
/// computes on such a number is no such number itself, but for what an integer
/// lacks and for comparisons of floats, which are made of several.
bool Matcher::isAdmitted(Expr opaque, Expr got) const {
  int64_t accesses = opaque->numbers[1], regions = opaque->numbers[2];
  bool good = got->bits <= opaque->bits, computed = false;
  good &= got->kind == Kind::Unknown || got->kind == Kind::Select ||
          ((got->kind == Kind::And || got->kind == Kind::Or) && got->bits == 1);
  std::set<Expr> seen;
  std::vector<Expr> open = {got};
  while (!open.empty()) {
    Expr e = open.back();
    open.pop_back();
    if (!seen.insert(e).second) {
      continue;
    }
    switch (e->kind) {
    case Kind::Unknown:
      computed = true;
      good &= e->numbers[1] <= accesses && e->numbers[2] <= regions;
      break;
    case Kind::Loaded:
      good &= e->numbers[0] < accesses;
      break;
    case Kind::Counter:
    case Kind::Carried:
    case Kind::Result:
      good &= e->numbers[0] < regions;
      break;
    default:
      break;
    }
    open.insert(open.end(), e->arguments.begin(), e->arguments.end());
    for (const auto &[monomial, factor] : e->terms) {
      open.insert(open.end(), monomial.begin(), monomial.end());
    }
  }
  return good && computed;
}

bool Matcher::bind(Expr opaque, Expr got) {
  if (!isAdmitted(opaque, got)) {
    return false;
  }
  // With lanes at the same places it is that value at all others, too.
  if (got->kind == Kind::Unknown && got->arguments == opaque->arguments) {
    std::vector<Expr> numbered;
    for (size_t i = 0; i < got->arguments.size(); ++i) {
      numbered.push_back(
          pool.node(Kind::Lane, {static_cast<int64_t>(i), 0}, {}));
    }
    bound[opaque->numbers[0]] =
        pool.node(Kind::Unknown, got->numbers, numbered, got->bits);
    return known(opaque) == got;
  }
  // From its lanes here to numbered ones; of others it does not know.
  bool closed = true;
  Expr lanewise = pool.rewrite(got, [&](Expr x) -> Expr {
    for (size_t i = 0; i < opaque->arguments.size(); ++i) {
      if (x == opaque->arguments[i]) {
        return pool.node(Kind::Lane, {static_cast<int64_t>(i), 0}, {});
      }
    }
    closed &= x->kind != Kind::Lane;
    return nullptr;
  });
  if (!closed) {
    return false;
  }
  bound[opaque->numbers[0]] = lanewise;
  return known(opaque) == got;
}

/// In any order. What is the same is taken out; an opaque truth takes all that
/// is left to it.
bool Matcher::matchParts(std::vector<Expr> wanted, std::vector<Expr> got) {
  for (Expr &w : wanted) {
    w = known(w);
  }
  std::erase_if(wanted, [&](Expr w) {
    auto it = std::ranges::find(got, w);
    bool found = it != got.end();
    if (found) {
      got.erase(it);
    }
    return found;
  });
  if (wanted.empty() || got.empty()) {
    return wanted.empty() && got.empty();
  }
  std::ranges::partition(wanted,
                         [](Expr e) { return e->kind != Kind::Opaque; });
  Expr first = wanted.front();
  if (wanted.size() == 1 && got.size() > 1) {
    Expr all = pool.constant(-1);
    for (Expr e : got) {
      all = e->bits == 1 ? pool.both(all, e) : nullptr;
      if (!all) {
        return false;
      }
    }
    return match(first, all);
  }
  wanted.erase(wanted.begin());
  for (size_t i = 0; i < got.size(); ++i) {
    auto before = bound;
    std::vector<Expr> rest = got;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (match(first, got[i]) && matchParts(wanted, rest)) {
      return true;
    }
    bound = std::move(before);
  }
  return false;
}

bool Matcher::matchSum(Expr wanted, Expr got) {
  Expr difference = pool.subtract(wanted, got);
  // Both sides are made in the order of the program, so that the first of
  // several alike is the first there.
  for (const auto &[monomial, factor] : termsOf(difference)) {
    for (Expr atom : monomial) {
      if (!atom->opaque) {
        continue;
      }
      auto before = bound;
      if (pair(wanted, got, difference, monomial, factor, atom)) {
        return true;
      }
      bound = before;
      if (atom->kind == Kind::Opaque && solve(wanted, got, difference, atom)) {
        return true;
      }
      bound = std::move(before);
    }
  }
  return false;
}

/// A product without some of its factors, sorted as it is; or nothing.
static bool without(const Monomial &all, const Monomial &some, Monomial &rest) {
  rest.clear();
  std::ranges::set_difference(all, some, std::back_inserter(rest), {},
                              &Node::id, &Node::id);
  return rest.size() + some.size() == all.size();
}

/// For an opaque value that stands in one term: it is what makes the difference
/// vanish, as far as terms are multiples of what it is multiplied with.
bool Matcher::solve(Expr wanted, Expr got, Expr difference, Expr opaque) {
  Monomial beside, rest;
  int64_t factor = 0;
  for (const auto &[monomial, f] : termsOf(difference)) {
    if (without(monomial, {opaque}, rest)) {
      if (factor != 0) {
        return false;
      }
      beside = rest;
      factor = static_cast<int64_t>(f);
    }
  }
  Expr value = pool.constant(0);
  for (const auto &[monomial, f] : termsOf(difference)) {
    bool plain = std::ranges::none_of(monomial, &Node::opaque);
    auto number = static_cast<int64_t>(f);
    if (factor == 0 || !plain || !without(monomial, beside, rest) ||
        number == INT64_MIN || factor == INT64_MIN || number % factor != 0) {
      continue;
    }
    Expr term = pool.constant(-(number / factor));
    for (Expr atom : rest) {
      term = pool.multiply(term, atom);
    }
    value = pool.add(value, term);
  }
  return bind(opaque, value) && match(wanted, got);
}

/// A term with something opaque in a factor is a term of the bytecode that
/// differs in that factor.
bool Matcher::pair(Expr wanted, Expr got, Expr difference,
                   const Monomial &monomial, uint64_t factor, Expr atom) {
  Monomial beside, rest;
  if (!without(monomial, {atom}, beside)) {
    return false;
  }
  for (const auto &[other, f] : termsOf(difference)) {
    if (f == uint64_t(0) - factor && other.size() == monomial.size() &&
        without(other, beside, rest)) {
      auto before = bound;
      if (match(atom, rest[0]) && match(wanted, got)) {
        return true;
      }
      bound = std::move(before);
    }
  }
  return false;
}

} // namespace girih::readback
