// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables of one validation, with what is known of each, and the goals
// to prove. Everything here is in numbers of its own; Emit writes
// obligations from it.

#ifndef GIRIH_LOWER_PTX_SYMBOLS_H
#define GIRIH_LOWER_PTX_SYMBOLS_H

#include "lower/ptx/Expected.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>

namespace girih::ptx {

struct Variable {
  std::string name;
  /// True wherever the variable has a value, with their origin.
  std::vector<proofs::Hypothesis> facts;
  /// The block that gives it its value; 0 for what the launch gives.
  size_t home = 0;
  std::optional<size_t> definition;
  std::optional<size_t> trips; ///< it counts those of this loop
  bool perThread = false;      ///< without definition: threads may differ in it
  std::optional<proofs::Int> low, high; ///< bounds that are plain to see
};

/// From the variables of one thread to those of another; filled on demand.
using Renaming = std::shared_ptr<std::map<proofs::Var, proofs::Var>>;

/// A goal by number; with a renaming, that of the other thread.
struct Need {
  size_t goal = 0;
  Renaming renaming;
};

struct Defined {
  proofs::Definition definition;
  size_t home = 0;
  std::vector<Need> needs;
  size_t witness = 0; ///< whose it is; 0: anybody's
};

/// What must hold whenever control is at an instruction.
struct Goal {
  std::string rule, label;
  size_t instruction = 0;
  std::optional<size_t> block; ///< whose facts may be used; none: only `extra`
  std::vector<proofs::Hypothesis> extra;
  proofs::Poly goal;
  std::vector<proofs::Poly> splits = {}; ///< worth cases: a hint for the search
};

/// A goal that goals behind it may use, wherever it holds: the judge sees that
/// it was proved.
struct Lemma {
  size_t goal = 0, block = 0;
};

/// Bounds of a polynomial as far as they follow from those of its variables.
struct Bounds {
  std::optional<proofs::Int> low, high;
};

class Symbols {
public:
  explicit Symbols(const Expected &expected);

  proofs::Var add(Variable v);
  Variable &operator[](proofs::Var v) { return variables[v]; }
  const Variable &operator[](proofs::Var v) const { return variables[v]; }
  size_t count() const { return variables.size(); }
  const std::deque<Defined> &definitions() const { return defined; }
  const std::deque<Goal> &goals() const { return all; }
  const std::deque<Lemma> &lemmas() const { return allLemmas; }
  void lemma(std::string label, size_t instruction, size_t block,
             proofs::Poly goal);

  proofs::Var thread(size_t axis) const {
    return firstThread + proofs::Var(axis);
  }
  proofs::Var block(size_t axis) const { return expected.block(axis); }

  Bounds bounds(const proofs::Poly &p) const;
  /// The largest power of two that divides each coefficient, at most 2^62.
  static proofs::Int content(const proofs::Poly &p);
  /// Without the largest number that divides all coefficients.
  static proofs::Poly reduced(const proofs::Poly &p);

  size_t emit(Goal goal);
  void emit(std::string rule, std::string label, size_t instruction,
            size_t block, proofs::Poly goal);

  /// Quotient and remainder of a division by a positive divisor, rounded down;
  /// what that needs is emitted at the block.
  std::pair<proofs::Poly, proofs::Poly> divided(const proofs::Poly &a,
                                                const proofs::Poly &by,
                                                size_t instruction,
                                                size_t block);
  /// `a` where `condition` is at least 0, else `b`.
  proofs::Poly selected(const proofs::Poly &condition, const proofs::Poly &a,
                        const proofs::Poly &b, size_t block);
  /// The variable of another thread that stands where `v` does in this one's:
  /// what the launch, the block and its number give is common to both.
  proofs::Var other(proofs::Var v, const Renaming &renaming);
  proofs::Poly other(const proofs::Poly &p, const Renaming &renaming);
  proofs::Hypothesis other(const proofs::Hypothesis &h,
                           const Renaming &renaming);
  std::vector<std::string> names() const;

  /// While set, what divisions need is emitted under these facts alone, and
  /// what they define is used by nobody but the witness of that number.
  std::optional<std::vector<proofs::Hypothesis>> witness;
  size_t witnessNumber = 0;

  const Expected &expected;
  /// Which block dominates which, as the flow says it.
  std::function<bool(size_t, size_t)> dominates;

private:
  std::pair<proofs::Poly, proofs::Poly> quotient(const proofs::Poly &a,
                                                 const proofs::Poly &by,
                                                 size_t instruction,
                                                 size_t block);
  std::optional<std::pair<proofs::Poly, proofs::Poly>>
  throughAnother(const proofs::Poly &a, const proofs::Poly &by,
                 size_t instruction, size_t block);
  // What they hold stays where it is when more is added.
  std::deque<Variable> variables;
  std::deque<Defined> defined;
  std::deque<Goal> all;
  std::deque<Lemma> allLemmas;
  void boundLemmas(proofs::Var v, size_t instruction);
  proofs::Var firstThread = 0;
};

proofs::Hypothesis assumed(proofs::Fact fact, proofs::Origin::Kind origin);

} // namespace girih::ptx

#endif // GIRIH_LOWER_PTX_SYMBOLS_H
