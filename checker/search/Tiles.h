// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That a witness found by the inverse of a map writes an element: first that it
// writes the tile that holds the element, in numbers of tiles alone.

#ifndef GIRIH_CHECKER_SEARCH_TILES_H
#define GIRIH_CHECKER_SEARCH_TILES_H

#include "checker/search/Search.h"

#include <functional>

namespace girih::search {

/// Finds a certificate for an obligation of which only some facts are used.
using FindWith = std::function<std::optional<proofs::Certificate>(
    const proofs::Obligation &, const std::vector<bool> &use)>;

/// A certificate that goes by the tiles of the elements; nothing for any other
/// obligation, or when a step is not found.
std::optional<proofs::Certificate> findByTiles(const proofs::Obligation &o,
                                               const FindWith &findWith);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_TILES_H
