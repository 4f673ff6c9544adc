// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials that are worth something: to split on, or as lemmas. Read off the
// definitions, where the search itself would look at everything.

#ifndef GIRIH_CHECKER_SEARCH_CANDIDATES_H
#define GIRIH_CHECKER_SEARCH_CANDIDATES_H

#include "checker/search/State.h"

namespace girih::search {

/// Candidates for a three-way split, the most promising first: how often values
/// wrap; equal divisions; the obligation's own; boundaries of selects; the
/// quotient as it is read off the dividend.
std::vector<PolyId> splitCandidates(const State &s, Ring &ring);

/// x for factors x in facts from `focus` on of which no bound is known.
std::vector<PolyId> openFactors(const State &s, Ring &ring, FactId focus);

/// x - 1 for variables x >= 0 that are factors of something.
std::vector<PolyId> positiveFactors(const State &s, Ring &ring);

/// `poly >= 0` bounds a quotient, and follows from the facts in `known`.
struct Bound {
  PolyId poly;
  State known;
};

/// q < B for a quotient of a by d where a < B*d is known exactly.
std::vector<Bound> quotientBounds(const State &s, Ring &ring);

/// q < q' for quotients by the same divisor, or both by constants.
std::vector<PolyId> quotientComparisons(const State &s, Ring &ring);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_CANDIDATES_H
