// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer polynomials in 128 bits: the arithmetic that the judge trusts. An
// overflow anywhere poisons the result, and the judge rejects what is poisoned.

#ifndef GIRIH_PROOFS_POLY_H
#define GIRIH_PROOFS_POLY_H

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace girih::proofs {

using Int = __int128;

/// A variable of an obligation, by its number.
using Var = uint32_t;

/// A product of variables, sorted, with repetition; empty is the constant 1.
using Monomial = std::vector<Var>;

/// A monomial with its coefficient, which is never zero.
struct Term {
  Monomial vars;
  Int coeff;
  friend bool operator==(const Term &, const Term &) = default;
};

/// A polynomial with integer coefficients: terms sorted by degree, then by
/// variables, none zero. Equality of polynomials is equality of terms.
class Poly {
public:
  Poly() = default;
  Poly(Int constant);
  static Poly variable(Var v);
  /// The sum of arbitrary terms: unsorted, repeated and zero ones included.
  static Poly fromTerms(std::vector<Term> terms);

  const std::vector<Term> &terms() const { return sorted; }
  bool isZero() const { return sorted.empty() && !poisoned; }
  /// The value when there is no variable in it and nothing overflowed.
  std::optional<Int> constant() const;
  /// The coefficient of a monomial, 0 when it does not occur.
  Int coefficient(const Monomial &m) const;
  size_t degree() const;
  /// The number of terms and of letters in them: `2*v1*v1 - v2` has 5.
  size_t size() const;
  bool contains(Var v) const;
  /// True when a coefficient left 128 bits on the way here.
  bool overflowed() const { return poisoned; }

  Poly operator-() const;
  friend Poly operator+(const Poly &a, const Poly &b);
  friend Poly operator-(const Poly &a, const Poly &b);
  friend Poly operator*(const Poly &a, const Poly &b);
  friend bool operator==(const Poly &, const Poly &) = default;

  /// This polynomial with `value` in place of `v`.
  Poly substitute(Var v, const Poly &value) const;
  /// This polynomial with every variable renamed.
  Poly rename(const std::function<Var(Var)> &to) const;
  /// The value under an assignment; nothing on overflow.
  std::optional<Int> evaluate(const std::function<Int(Var)> &value) const;

private:
  std::vector<Term> sorted;
  bool poisoned = false;
};

/// An order on monomials: by degree, then lexicographic.
bool monomialLess(const Monomial &a, const Monomial &b);

/// Decimal text of a 128-bit integer.
std::string toString(Int value);

} // namespace girih::proofs

#endif // GIRIH_PROOFS_POLY_H
