// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One form of an obligation for all orders of its hypotheses and numbers of its
// variables: what is searched does not depend on how it was written down.

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
