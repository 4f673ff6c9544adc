// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds on quotients, found before they are needed: with them, what was a
// product of degree 3 is one of degree 2. A lemma becomes a cut (`have`) in the
// certificate; those that nothing uses are dropped.

#ifndef GIRIH_CHECKER_SEARCH_LEMMAS_H
#define GIRIH_CHECKER_SEARCH_LEMMAS_H

#include "checker/search/Search.h"

namespace girih::search {

/// See `Api::findCertificate`: the plain search, then the search with lemmas.
std::optional<proofs::Certificate>
findWithLemmas(const proofs::Obligation &obligation, const Budget &budget,
               Stats *stats);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_LEMMAS_H
