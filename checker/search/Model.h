// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counterexamples, and a second opinion, by Z3. The only file that knows it is
// Model.cpp.

#ifndef GIRIH_CHECKER_SEARCH_MODEL_H
#define GIRIH_CHECKER_SEARCH_MODEL_H

#include "checker/search/Search.h"

namespace girih::search {

/// See `Api::findModel`.
Answer findModel(const proofs::Obligation &obligation,
                 const std::vector<proofs::Var> &minimise, Units &units,
                 Model &out);

/// See `Api::crossCheck`.
Answer crossCheck(const proofs::Obligation &obligation, uint64_t effort);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_MODEL_H
