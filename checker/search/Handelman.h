// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handelman certificates: a non-negative combination of products of facts that
// is a negative constant, found by linear programming over the products (D.
// Handelman, Pacific J. Math. 132, 1988; at degree 1 it is Farkas' lemma). It
// is a leaf of the certificate. The choice of products decides what can be
// found and at what cost.

#ifndef GIRIH_CHECKER_SEARCH_HANDELMAN_H
#define GIRIH_CHECKER_SEARCH_HANDELMAN_H

#include "checker/search/State.h"
#include "checker/search/linear/LinearProgram.h"

#include <array>

namespace girih::search {

/// A product of facts, by their place.
struct ProductColumn {
  static constexpr size_t maxFactors = 7;
  PolyId poly;
  bool negative; ///< an equality with a negative weight
  bool live;     ///< it is in the linear program
  uint8_t count;
  std::array<uint16_t, maxFactors> factors;
};

/// The search for Handelman certificates of one state. A question reuses the
/// work of the one before: a higher degree or further facts add columns to its
/// linear program.
///
/// Degree 1: the facts alone; 2: pairs with a focus fact (the negated goal and
/// what cases and splits brought); 3: all pairs, and for focus facts products
/// with two bounds `x >= c` or with as many as lead to a monomial that occurs;
/// 4: pairs times one bound.
class HandelmanSearch {
public:
  HandelmanSearch(const State &state, Shared &shared);

  /// A leaf that refutes the atoms, or null.
  TreePtr find(unsigned degree);
  /// A leaf that refutes the atoms and `more`, or null.
  TreePtr findWith(const std::vector<AtomFact> &more, unsigned degree);

private:
  /// A linear program and what it was made from.
  struct Level {
    std::vector<uint16_t> facts;      ///< inequalities worth using
    std::vector<uint16_t> factors;    ///< those that products are made of
    std::vector<uint16_t> equalities; ///< that could not be eliminated
    std::vector<uint16_t> bounds;     ///< factors of the form k*x >= c
    std::vector<ProductColumn> columns;
    size_t omitted = 0; ///< products beyond what a program takes: counted only
    std::vector<uint32_t> order; ///< columns of the program, by number
    Table rowOf;                 ///< by monomial
    LinearProgram program;
  };
  class Builder;

  std::vector<AtomFact> atoms;
  Shared &shared;
  std::vector<Level> levels; ///< by degree, from 0; those that found nothing
};

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_HANDELMAN_H
