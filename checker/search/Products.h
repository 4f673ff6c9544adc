// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leaves: a non-negative combination of products of facts that is a negative
// constant. Which products are tried decides what can be found and at what
// price.

#ifndef GIRIH_CHECKER_SEARCH_PRODUCTS_H
#define GIRIH_CHECKER_SEARCH_PRODUCTS_H

#include "checker/search/LinearProgram.h"
#include "checker/search/State.h"

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

/// The search for leaves of one state. What one question has cost is not paid
/// again by the next: a higher degree or further facts add columns to the
/// program of the question before.
///
/// Degree 1: the facts alone; 2: pairs with a focus fact (the negated goal and
/// what cases and splits brought); 3: all pairs, and for focus facts products
/// with two bounds `x >= c` or with as many as lead to a monomial that occurs;
/// 4: pairs times one bound.
class Leaves {
public:
  Leaves(const State &state, Shared &shared);

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
    std::vector<uint32_t> order; ///< columns of the program, by number
    Table rowOf; ///< by monomial
    LinearProgram program;
  };
  class Builder;

  std::vector<AtomFact> atoms;
  Shared &shared;
  std::vector<Level> levels; ///< by degree, from 0; those that found nothing
};

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_PRODUCTS_H
