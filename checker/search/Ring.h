// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials for the search: the same integers as proofs/Poly.h, but monomials
// and polynomials are hash-consed (A. Ershov, Commun. ACM 1(8), 1958): each is
// stored once and has a number, so that a comparison is one of numbers, and a
// product is computed once however often the search asks for it.

#ifndef GIRIH_CHECKER_SEARCH_RING_H
#define GIRIH_CHECKER_SEARCH_RING_H

#include "checker/search/Table.h"
#include "proofs/Poly.h"

#include <algorithm>
#include <memory>
#include <span>

namespace girih::search {

using proofs::Int;
using proofs::Var;

using MonoId = uint32_t;
using PolyId = uint32_t;

/// The monomial 1.
inline constexpr MonoId unit = 0;
/// The polynomial 0.
inline constexpr PolyId zeroPoly = 0;
/// What overflowed 128 bits; every operation on it gives it again.
inline constexpr PolyId noPoly = ~PolyId(0);

struct RingTerm {
  MonoId mono;
  Int coeff;
  friend bool operator==(const RingTerm &, const RingTerm &) = default;
};

/// Terms sorted by the number of the monomial, none zero; so a constant comes
/// first. They stay where they are as long as the ring.
using RingTerms = std::span<const RingTerm>;

/// A term without its number: twice the monomial, and 1 more for a positive
/// coefficient.
using RingSign = uint32_t;

/// A bump-pointer arena: copies of lists whose addresses stay valid.
template <typename T> class Arena {
public:
  std::span<const T> keep(std::span<const T> list) {
    constexpr size_t block = 1 << 10;
    if (space < list.size()) {
      space = std::max(block, list.size());
      blocks.push_back(std::make_unique_for_overwrite<T[]>(space));
      free = blocks.back().get();
    }
    T *at = free;
    std::copy(list.begin(), list.end(), at);
    free += list.size();
    space -= list.size();
    return {at, list.size()};
  }

private:
  std::vector<std::unique_ptr<T[]>> blocks; ///< the last has room for `space`
  T *free = nullptr;
  size_t space = 0;
};

class Ring {
public:
  Ring();

  PolyId fromPoly(const proofs::Poly &p);
  proofs::Poly toPoly(PolyId p) const;
  PolyId constant(Int c);
  PolyId variable(Var v);

  RingTerms terms(PolyId p) const { return polys[p].terms; }
  std::span<const RingSign> signs(PolyId p) const { return polys[p].signs; }
  const proofs::Monomial &variables(MonoId m) const { return monos[m]; }
  size_t degree(PolyId p) const { return polys[p].degree; }
  /// Number of monomials so far; they are numbered from 0.
  size_t monomialCount() const { return monos.size(); }
  size_t polyCount() const { return polys.size(); }
  /// The constant term.
  Int constantTerm(PolyId p) const;
  /// Whether p is a constant; noPoly is not.
  bool isConstant(PolyId p) const;
  /// The polynomial without its constant term.
  PolyId withoutConstant(PolyId p);
  Int coefficient(PolyId p, MonoId m) const;
  bool contains(PolyId p, Var v) const;
  /// The variable when p is just that.
  std::optional<Var> asVariable(PolyId p) const;
  /// The variables of p, sorted; they stay as terms do.
  std::span<const Var> variablesOf(PolyId p) const;

  PolyId add(PolyId a, PolyId b) { return combine(a, b, 1); }
  PolyId subtract(PolyId a, PolyId b) { return combine(a, b, -1); }
  PolyId addConstant(PolyId a, Int c) { return add(a, constant(c)); }
  PolyId negate(PolyId a) { return combine(zeroPoly, a, -1); }
  PolyId scale(PolyId a, Int factor);
  PolyId multiply(PolyId a, PolyId b);
  /// p with `value` in place of v.
  PolyId substitute(PolyId p, Var v, PolyId value);
  /// t such that no monomial of a - t*d is divisible by the leading monomial of
  /// d; for a constant d > 1 the terms that it divides. noPoly when t is 0.
  PolyId quotient(PolyId a, PolyId d);

  MonoId monomial(const proofs::Monomial &sorted);
  MonoId multiplyMonomials(MonoId a, MonoId b);
  /// a / b when b divides a.
  std::optional<MonoId> divideMonomials(MonoId a, MonoId b);

private:
  struct Entry {
    RingTerms terms;
    std::span<const RingSign> signs;
    size_t degree = 0;
    uint64_t mask = 0; ///< bit v % 64 for each variable v
  };
  using Terms = std::vector<RingTerm>;

  PolyId combine(PolyId a, PolyId b, Int sign);
  PolyId intern(RingTerms terms);
  PolyId collect(Terms &terms);

  std::vector<proofs::Monomial> monos;
  std::vector<uint64_t> exponents; ///< by monomial: see `exponentsOf`
  std::vector<Entry> polys;
  mutable std::vector<std::vector<Var>> polyVariables; ///< once asked for
  Table monoIds, polyIds;                              ///< by hash
  Table monoProducts, polyProducts;
  Arena<RingTerm> allTerms;
  Arena<RingSign> allSigns;
  Terms sum, product; ///< room for results
  std::vector<RingSign> signsOfTerms;
  proofs::Monomial merged;
};

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_RING_H
