// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goals as obligations of the project's judge: each with the hypotheses that it
// may use, variables numbered by first use, definitions behind what they need.

#ifndef GIRIH_LOWER_PTX_EMIT_H
#define GIRIH_LOWER_PTX_EMIT_H

#include "lower/ptx/Evaluate.h"
#include "proofs/Certificate.h"

#include <set>

namespace girih::ptx {

struct Obligations {
  std::vector<proofs::Obligation> all;
  std::vector<size_t> instruction; ///< of each, for an error
  std::vector<std::optional<proofs::Certificate>> certificates; ///< of lemmas
};

class Emitter {
public:
  explicit Emitter(Evaluator &evaluator)
      : e(evaluator), symbols(evaluator.symbols) {}
  /// Obligations for all goals so far; goals that need others come behind them.
  std::variant<Obligations, Error> run();

private:
  struct Draft;
  std::optional<size_t> emit(size_t goal);
  void hypothesis(Draft &d, const proofs::Hypothesis &h);
  proofs::Var local(Draft &d, proofs::Var v);
  void define(Draft &d, size_t definition);
  void need(Draft &d, const Need &n);
  bool usable(const proofs::Poly &p) const;
  bool usable(const proofs::Fact &f) const;
  void reach(const proofs::Poly &p, std::set<proofs::Var> &reached) const;
  void reach(const proofs::Fact &f, std::set<proofs::Var> &reached) const;
  bool chosenBy(const proofs::Fact &f,
                const std::set<proofs::Var> &reached) const;
  bool touches(const proofs::Fact &f,
               const std::set<proofs::Var> &reached) const;
  std::vector<const proofs::Hypothesis *>
  relevant(const Goal &goal, std::set<proofs::Var> &reached);
  void lemmas(Draft &d, size_t goal, const std::set<proofs::Var> &reached);
  const std::vector<proofs::Hypothesis> &factsOf(size_t block);

  Evaluator &e;
  Symbols &symbols;
  Obligations out;
  std::map<size_t, size_t> emitted;     ///< goal to obligation
  std::map<std::string, size_t> byText; ///< equal ones are one
  std::vector<std::map<proofs::Var, proofs::Var>> numbering; ///< to local
  /// The hypotheses of each in global numbers, but for definitions and goals.
  std::vector<std::vector<proofs::Hypothesis>> plain;
  std::vector<std::vector<size_t>> lemmasOf; ///< goals, by obligation
  std::map<size_t, std::vector<proofs::Hypothesis>> blockFacts;
  std::set<size_t> needed; ///< goals that definitions or lemmas rest on
  std::set<size_t> isLemma, unproved;
  std::set<size_t> emitting; ///< goals that are being emitted
  std::set<size_t> open;     ///< definitions whose needs are being emitted
};

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_EMIT_H
