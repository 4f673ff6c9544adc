// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for certificates and for counterexamples, as plain data. It lives
// in a shared object of its own, the only one that knows Z3; tools reach it
// through `checker/search/SearchLibrary.h`. Nobody believes what it says: the
// judge rules on certificates, and models are replayed.

#ifndef GIRIH_CHECKER_SEARCH_SEARCH_H
#define GIRIH_CHECKER_SEARCH_SEARCH_H

#include "proofs/Certificate.h"

#include <map>

namespace girih::search {

/// What became of the bound of a value that may wrap: its proof, or how many
/// steps were not enough.
struct Lemma {
  std::optional<proofs::Certificate> proof;
  uint64_t tried = 0;
};

/// Bounds that obligations of one kernel have in common.
struct Lemmas {
  std::map<std::string, Lemma> byText; ///< canonical
  /// How often in a row a bound of a value of that name was not found.
  std::map<std::string, uint64_t> failures;
};

/// What a search may cost, in steps and never in seconds, so that the same
/// obligation has the same answer on every machine.
struct Budget {
  uint64_t pivots = 200000; ///< steps: pivots of small linear programs; larger
                            ///< ones and building columns count as several
  unsigned depth = 10;      ///< nested three-way splits
  uint64_t first = 2000; ///< steps of each strategy; then more, for all again
  unsigned degree = 3;   ///< below 3: no products of three arbitrary facts
  unsigned growth = 4;   ///< of the steps of each strategy, every time
  /// Strategies that are left out, bit i for number i of Strategies.def: to
  /// measure what each gains.
  uint32_t without = 0;
  const Lemmas *lemmas = nullptr; ///< that `findLemmas` found, or none
};

/// What a search did cost.
struct Stats {
  uint64_t pivots = 0;   ///< steps, as in the budget
  uint64_t programs = 0; ///< linear programs that were solved
  uint64_t leaves = 0;   ///< of the certificate, as the next three
  uint64_t terms = 0;
  uint64_t splits = 0;
  uint64_t cases = 0;
  unsigned degree = 0; ///< most factors in one product of the certificate
  size_t columns = 0;  ///< of the largest linear program, after presolve
  size_t rows = 0;
  int strategy = -1; ///< number in Strategies.def of the one that found it
};

enum class Answer { Sat, Unsat, Unknown };

/// A value for each variable of an obligation, by number.
struct Model {
  std::vector<proofs::Int> values;
};

/// The functions of the shared object.
/// What may be spent of Z3's resource units, some microseconds each: to find
/// models, and to make them small. Counted down.
struct Units {
  uint64_t find = 150'000, lower = 300'000;
};

struct Api {
  /// A certificate that refutes the hypotheses together with the negated goal,
  /// as `proofs::refutes` accepted it for the obligation's canonical form, so
  /// whoever uses it judges it; nothing when none was found within
  /// the budget. `stats` may be null.
  std::optional<proofs::Certificate> (*findCertificate)(
      const proofs::Obligation &, const Budget &, Stats *stats);

  /// Looks for the bounds by which values that the obligation hangs on do not
  /// wrap, as far as none has been looked for with as many steps; returns the
  /// steps. A certificate then uses those that are found.
  uint64_t (*findLemmas)(const proofs::Obligation &, const Budget &, Lemmas &);

  /// A model of the hypotheses and the negated goal: small values are tried
  /// first, then the variables in `minimise` are made small (in absolute
  /// value) one after the other, as far as the units go. A model that is
  /// returned was evaluated against every fact.
  Answer (*findModel)(const proofs::Obligation &,
                      const std::vector<proofs::Var> &minimise, Units &units,
                      Model &out);

  /// Z3's own opinion: Unsat means that the obligation holds.
  Answer (*crossCheck)(const proofs::Obligation &, uint64_t effort);
};

/// The name of the one symbol that the shared object exports:
/// `extern "C" const girih::search::Api *girihSearchApi()`.
inline constexpr const char *apiSymbol = "girihSearchApi";
using ApiFunction = const Api *(*)();

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_SEARCH_H
