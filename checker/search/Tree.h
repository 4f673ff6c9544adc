// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A certificate while it is being built. Facts have names that do not depend on
// the path, and every part says which decisions it rests on: a decision that
// the proof below it does not need is dropped.

#ifndef GIRIH_CHECKER_SEARCH_TREE_H
#define GIRIH_CHECKER_SEARCH_TREE_H

#include "checker/search/Ring.h"
#include "checker/search/Search.h"

#include <bitset>
#include <memory>

namespace girih::search {

/// Decisions on the way down, by their number: cases, splits, substitutions,
/// lemmas. A search that would need more gives up.
inline constexpr size_t maxDecisions = 512;
using Reasons = std::bitset<maxDecisions>;

/// A fact's name for the whole search. Hypotheses have their number.
using FactId = uint32_t;

struct TreeProduct {
  Int weight;
  std::vector<FactId> facts;
};

struct Tree;
using TreePtr = std::unique_ptr<Tree>;

struct Tree {
  proofs::Certificate::Kind kind = proofs::Certificate::Kind::Leaf;
  Reasons reasons;
  std::vector<TreeProduct> products; ///< Leaf
  FactId fact = 0;                   ///< Solve, Case
  Var variable = 0;                  ///< Solve
  PolyId poly = zeroPoly;            ///< Split, Have
  /// The facts that each child gets, in order.
  std::vector<std::vector<FactId>> added;
  std::vector<TreePtr> children;
};

/// A node of which one child is still to be found, and what it decides.
struct Step {
  TreePtr node;
  size_t hole = 0; ///< place of that child
  size_t decision = 0;
};

/// From now on p >= 0, the fact `stated`: `proof` refutes its negation, the
/// fact `negated`. `stated` rests on the decision.
Step haveStep(PolyId p, FactId negated, FactId stated, TreePtr proof,
              size_t decision);

/// `tree` below the steps, in order; those whose decision it does not need are
/// left out. Null stays null.
TreePtr below(std::vector<Step> steps, TreePtr tree);

/// The certificate for facts 0 .. facts-1, and its measures.
proofs::Certificate toCertificate(const Tree &tree, const Ring &ring,
                                  size_t facts, Stats &stats);

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_TREE_H
