// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proofs/Poly.h"

#include <algorithm>
#include <iterator>

namespace girih::proofs {

/// A product of more terms than this counts as an overflow: no certificate may
/// cost the judge more memory than it has.
constexpr size_t maxProductTerms = size_t(1) << 18;

/// So does a product of higher degree: squaring 40 times is written in 40
/// lines.
constexpr size_t maxDegree = 64;

bool monomialLess(const Monomial &a, const Monomial &b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

static bool termLess(const Term &a, const Term &b) {
  return monomialLess(a.vars, b.vars);
}

Poly::Poly(Int constant) {
  if (constant != 0) {
    sorted.push_back({{}, constant});
  }
}

Poly Poly::variable(Var v) {
  Poly p;
  p.sorted.push_back({{v}, 1});
  return p;
}

Poly Poly::fromTerms(std::vector<Term> terms) {
  Poly p;
  for (Term &t : terms) {
    std::sort(t.vars.begin(), t.vars.end());
  }
  std::sort(terms.begin(), terms.end(), termLess);
  p.sorted.reserve(terms.size());
  for (Term &t : terms) {
    if (!p.sorted.empty() && p.sorted.back().vars == t.vars) {
      p.poisoned |= __builtin_add_overflow(p.sorted.back().coeff, t.coeff,
                                           &p.sorted.back().coeff);
    } else {
      p.sorted.push_back(std::move(t));
    }
  }
  std::erase_if(p.sorted, [](const Term &t) { return t.coeff == 0; });
  return p;
}

std::optional<Int> Poly::constant() const {
  if (poisoned || sorted.size() > 1) {
    return std::nullopt;
  }
  if (sorted.empty()) {
    return 0;
  }
  return sorted[0].vars.empty() ? std::optional(sorted[0].coeff) : std::nullopt;
}

Int Poly::coefficient(const Monomial &m) const {
  auto it = std::lower_bound(sorted.begin(), sorted.end(), m,
                             [](const Term &t, const Monomial &of) {
                               return monomialLess(t.vars, of);
                             });
  return it != sorted.end() && it->vars == m ? it->coeff : 0;
}

size_t Poly::degree() const {
  return sorted.empty() ? 0 : sorted.back().vars.size();
}

size_t Poly::size() const {
  size_t sum = sorted.size();
  for (const Term &t : sorted) {
    sum += t.vars.size();
  }
  return sum;
}

bool Poly::contains(Var v) const {
  return std::any_of(sorted.begin(), sorted.end(), [&](const Term &t) {
    return std::binary_search(t.vars.begin(), t.vars.end(), v);
  });
}

Poly Poly::operator-() const { return Poly(0) - *this; }

/// a + sign * b, by merging the two sorted lists.
static std::vector<Term> merge(const std::vector<Term> &a,
                               const std::vector<Term> &b, bool minus,
                               bool &poisoned) {
  std::vector<Term> out;
  out.reserve(a.size() + b.size());
  auto i = a.begin(), j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && termLess(*i, *j))) {
      out.push_back(*i++);
      continue;
    }
    Term t = *j;
    Int left = 0;
    if (i != a.end() && i->vars == j->vars) {
      left = (i++)->coeff;
    }
    ++j;
    poisoned |= minus ? __builtin_sub_overflow(left, t.coeff, &t.coeff)
                      : __builtin_add_overflow(left, t.coeff, &t.coeff);
    if (t.coeff != 0) {
      out.push_back(std::move(t));
    }
  }
  return out;
}

Poly operator+(const Poly &a, const Poly &b) {
  Poly r;
  r.poisoned = a.poisoned || b.poisoned;
  r.sorted = merge(a.sorted, b.sorted, false, r.poisoned);
  return r;
}

Poly operator-(const Poly &a, const Poly &b) {
  Poly r;
  r.poisoned = a.poisoned || b.poisoned;
  r.sorted = merge(a.sorted, b.sorted, true, r.poisoned);
  return r;
}

Poly operator*(const Poly &a, const Poly &b) {
  bool poisoned = a.poisoned || b.poisoned;
  if (b.sorted.size() >
          maxProductTerms / std::max<size_t>(a.sorted.size(), 1) ||
      a.degree() + b.degree() > maxDegree) {
    Poly r;
    r.poisoned = true;
    return r;
  }
  // A constant leaves the order of the terms as it is.
  if (a.sorted.size() == 1 && a.sorted[0].vars.empty()) {
    Poly r = b;
    r.poisoned = poisoned;
    for (Term &t : r.sorted) {
      r.poisoned |=
          __builtin_mul_overflow(a.sorted[0].coeff, t.coeff, &t.coeff);
    }
    std::erase_if(r.sorted, [](const Term &t) { return t.coeff == 0; });
    return r;
  }
  std::vector<Term> terms;
  terms.reserve(a.sorted.size() * b.sorted.size());
  for (const Term &s : a.sorted) {
    for (const Term &t : b.sorted) {
      Term p;
      p.vars.reserve(s.vars.size() + t.vars.size());
      std::merge(s.vars.begin(), s.vars.end(), t.vars.begin(), t.vars.end(),
                 std::back_inserter(p.vars));
      poisoned |= __builtin_mul_overflow(s.coeff, t.coeff, &p.coeff);
      terms.push_back(std::move(p));
    }
  }
  Poly r = Poly::fromTerms(std::move(terms));
  r.poisoned |= poisoned;
  return r;
}

Poly Poly::substitute(Var v, const Poly &value) const {
  if (!contains(v)) {
    return *this;
  }
  Poly r;
  r.poisoned = poisoned;
  for (const Term &t : sorted) {
    Term rest{{}, t.coeff};
    Poly p = Poly(1);
    for (Var x : t.vars) {
      if (x == v) {
        p = p * value;
      } else {
        rest.vars.push_back(x);
      }
    }
    r = r + p * fromTerms({rest});
  }
  return r;
}

Poly Poly::rename(const std::function<Var(Var)> &to) const {
  std::vector<Term> terms = sorted;
  for (Term &t : terms) {
    for (Var &v : t.vars) {
      v = to(v);
    }
  }
  Poly r = fromTerms(std::move(terms));
  r.poisoned |= poisoned;
  return r;
}

std::optional<Int> Poly::evaluate(const std::function<Int(Var)> &value) const {
  bool overflow = poisoned;
  Int sum = 0;
  for (const Term &t : sorted) {
    Int p = t.coeff;
    for (Var v : t.vars) {
      overflow |= __builtin_mul_overflow(p, value(v), &p);
    }
    overflow |= __builtin_add_overflow(sum, p, &sum);
  }
  return overflow ? std::nullopt : std::optional(sum);
}

std::string toString(Int value) {
  if (value == int64_t(value)) {
    return std::to_string(int64_t(value));
  }
  bool negative = value < 0;
  auto rest = negative ? -static_cast<unsigned __int128>(value)
                       : static_cast<unsigned __int128>(value);
  std::string digits;
  for (; rest != 0; rest /= 10) {
    digits.insert(digits.begin(), static_cast<char>('0' + int(rest % 10)));
  }
  return negative ? "-" + digits : digits;
}

} // namespace girih::proofs
