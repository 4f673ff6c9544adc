// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an obligation is refuted: eliminate equalities, linear programs, cases,
// products, three-way splits, in this order and recursively.

#ifndef GIRIH_CHECKER_SEARCH_STRATEGY_H
#define GIRIH_CHECKER_SEARCH_STRATEGY_H

#include "checker/search/Search.h"

namespace girih::search {

enum class Strategy {
#define STRATEGY(identifier, name, description) identifier,
#include "checker/search/Strategies.def"
};

/// By number, the names of Strategies.def.
inline constexpr const char *strategyNames[] = {
#define STRATEGY(identifier, name, description) name,
#include "checker/search/Strategies.def"
};

/// See `Api::findCertificate`.
std::optional<proofs::Certificate>
findCertificate(const proofs::Obligation &obligation, const Budget &budget,
                Stats *stats);

/// See `Api::findLemmas`.
uint64_t findLemmas(const proofs::Obligation &obligation, const Budget &budget,
                    Lemmas &lemmas);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_STRATEGY_H
