// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a branch of the search knows.

#ifndef GIRIH_CHECKER_SEARCH_STATE_H
#define GIRIH_CHECKER_SEARCH_STATE_H

#include "checker/search/Tree.h"

namespace girih::search {

/// `poly >= 0`, or `poly = 0` when `equality`, and the decisions without which
/// it would not stand like this.
struct AtomFact {
  FactId id = 0;
  bool equality = false;
  PolyId poly = zeroPoly;
  Reasons reasons;
  bool aside = false; ///< a lemma that larger products are not made of
};

/// At least one branch holds whole.
struct Disjunction {
  struct Atom {
    bool equality;
    PolyId poly;
  };
  FactId id = 0;
  std::vector<std::vector<Atom>> branches;
  Reasons reasons;
  /// For a select, its condition c: c + 1 is a boundary worth a split.
  PolyId condition = noPoly;
  PolyId result = noPoly; ///< of a select
};

/// The quotient q of a by d.
struct Division {
  PolyId q, a, d;
  size_t definition;       ///< its number in the obligation
  bool propagated = false; ///< or nothing is left to try
};

struct State {
  std::vector<AtomFact> atoms;
  std::vector<Disjunction> disjunctions;
  std::vector<Division> divisions;
  std::vector<PolyId> wraps;      ///< how often each wrapped value wraps
  std::vector<PolyId> hints;      ///< the obligation's own splits
  std::vector<PolyId> boundaries; ///< c + 1 of selects that were cased on
  size_t decisions = 0;           ///< on the path so far
  bool lemmasTried = false;
  bool compared = false;   ///< quotients were compared
  bool propagates = false; ///< definitions in their order, one by one
};

/// The hypotheses and the negated goal, as the judge numbers them.
std::vector<proofs::Fact> factsOf(const proofs::Obligation &o);

/// By fact: whether goal, region or the difference of two blocks speak of every
/// definition in it, at one remove or more. An index that only an input's tile
/// depends on says nothing of an output's. With `byName` a name is not taken
/// for what it stands for, and proved equalities are spoken of as well.
std::vector<bool> relevantFacts(const proofs::Obligation &o,
                                bool byName = false);

/// Relevant facts that are neither of the contract nor proved. Which block has
/// which tile rests on definitions alone; strides, bounds of a machine's
/// integers and what keeps indices inside have no say.
std::vector<bool> structuralFacts(const proofs::Obligation &o);

/// Of these, those that do not speak of what the arguments of a map stand for,
/// as far as no definition does: the inverse leads back to their names.
std::vector<bool> withoutArguments(const proofs::Obligation &o);

/// What is known at first: those `facts` of the obligation that are to be used,
/// and its definitions.
State firstState(const proofs::Obligation &o,
                 const std::vector<proofs::Fact> &facts,
                 const std::vector<bool> &use, Ring &ring);

/// Beyond what sizes of tiles and the like have.
inline constexpr Int hugeNumber = Int(1) << 24;

/// Where a monomial occurs in a linear program.
struct MonomialUses {
  uint32_t count[2] = {0, 0}; ///< live columns, by sign
  uint32_t begin = 0, end = 0;
};

/// What all branches share.
struct Shared {
  Ring ring;
  Budget budget;
  Stats stats;
  uint64_t left = 0;      ///< steps of the budget
  FactId nextFact = 0;    ///< the next name that is free
  bool lastResort = true; ///< the largest products may be tried
  FactId goal = 0;        ///< the negated goal
  FactId focus = 0;       ///< facts from here on may take larger products
  /// By variable: 1 + the number of the definition that it is a result of, or
  /// 0.
  std::vector<size_t> definedBy;
  Int hugeFrom = hugeNumber;
  bool brief = false; ///< bounds of definitions, and then one leaf
  bool lean = false;  ///< leave factors out that seem to say nothing
  bool tight = true;  ///< tell large constants apart to the last digit
  uint64_t looks = 0; ///< see `look`

  /// Counts a look at a pair of facts or monomials, of which so many are a
  /// step; whether there are steps left.
  bool look() {
    constexpr uint64_t looksPerStep = 4096;
    if (++looks % looksPerStep == 0 && left > 0) {
      --left;
    }
    return left > 0;
  }

  // Room for Handelman.cpp, so that not every program asks for it anew.
  std::vector<MonomialUses> uses;
  std::vector<uint32_t> stamps;
  uint32_t stamp = 0;
};

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_STATE_H
