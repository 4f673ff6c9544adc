// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What holds because variables are integers, and which no linear combination
// of the facts knows.

#ifndef GIRIH_CHECKER_SEARCH_ROUNDING_H
#define GIRIH_CHECKER_SEARCH_ROUNDING_H

#include "checker/search/State.h"

namespace girih::search {

/// Adds lemmas to the state: 2*x - 5 >= 0 becomes x - 3 >= 0; a variable gets
/// the bound that the constant bounds of the others in a fact leave it; p = 0
/// where p >= 0 and -p >= 0. True when there is a new equality.
bool roundFacts(State &s, Shared &shared, std::vector<Step> &steps);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_ROUNDING_H
