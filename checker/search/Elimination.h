// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equalities leave by substitution: afterwards nearly every problem is one of
// inequalities.

#ifndef GIRIH_CHECKER_SEARCH_ELIMINATION_H
#define GIRIH_CHECKER_SEARCH_ELIMINATION_H

#include "checker/search/State.h"

namespace girih::search {

/// Substitutes by every equality that can be solved for a variable: for x in
/// x = q*d + r, else for the youngest, which is a remainder or a digit of the
/// second block. False when that takes too many decisions.
bool eliminate(State &s, Ring &ring, std::vector<Step> &steps);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_ELIMINATION_H
