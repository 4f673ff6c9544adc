// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A canonical form of an obligation: the search does not depend on the order of
// its hypotheses and the numbers of its variables. Variables are ordered by
// colour refinement (1-WL; B. Weisfeiler and A. Leman, 1968) of a few rounds,
// so that two forms of one obligation may still differ where its variables are
// symmetric.

#ifndef GIRIH_CHECKER_SEARCH_CANONICAL_H
#define GIRIH_CHECKER_SEARCH_CANONICAL_H

#include "checker/search/Search.h"

namespace girih::search {

/// An obligation in another order, and the way back.
struct Canonical {
  proofs::Obligation obligation;
  std::vector<uint32_t> hypothesis;  ///< by place: its number before
  std::vector<proofs::Var> variable; ///< by number: its number before
};

Canonical canonical(const proofs::Obligation &o);

/// The certificate for the obligation as it was.
proofs::Certificate translate(proofs::Certificate c, const Canonical &from);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_CANONICAL_H
