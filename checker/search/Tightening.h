// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer tightening: cuts that hold because variables are integers, and that
// no linear combination of the facts implies (R. Gomory, Bull. AMS 64, 1958; V.
// Chvatal, Discrete Math. 4, 1973).

#ifndef GIRIH_CHECKER_SEARCH_TIGHTENING_H
#define GIRIH_CHECKER_SEARCH_TIGHTENING_H

#include "checker/search/State.h"

namespace girih::search {

/// Adds lemmas to the state: 2*x - 5 >= 0 becomes x - 3 >= 0; a variable gets
/// the bound that the constant bounds of the others in a fact leave it; p = 0
/// where p >= 0 and -p >= 0. True when there is a new equality.
bool tightenFacts(State &s, Shared &shared, std::vector<Step> &steps);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_TIGHTENING_H
