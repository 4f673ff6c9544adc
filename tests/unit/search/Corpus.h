// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The obligations in corpus/, and what the tests ask of the search about them.

#ifndef GIRIH_TESTS_UNIT_SEARCH_CORPUS_H
#define GIRIH_TESTS_UNIT_SEARCH_CORPUS_H

#include "checker/search/SearchLibrary.h"

namespace girih {

/// The search; the test fails and exits when it cannot be opened.
const search::Api &api();

/// The obligations of corpus/NAME.obl.
std::vector<proofs::Obligation> corpus(const std::string &name);

/// The obligation in `text`; the test fails when there is not exactly one.
proofs::Obligation parse(const std::string &text);

/// The hypotheses and the negated goal.
std::vector<proofs::Fact> facts(const proofs::Obligation &o);

/// Whether the judge accepts a certificate that the search has found.
bool certified(const proofs::Obligation &o, const search::Budget &budget = {});

/// Looks for a model with more of Z3's units than any here takes.
search::Answer findModel(const proofs::Obligation &o,
                         const std::vector<proofs::Var> &minimise,
                         search::Model &out);

/// Whether every fact holds under the model.
bool satisfies(const proofs::Obligation &o, const search::Model &m);

} // namespace girih

#endif // GIRIH_TESTS_UNIT_SEARCH_CORPUS_H
