// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for a certificate once its facts are chosen: Handelman
// certificates at the leaves, cases, lemmas and splits above them. A case whose
// decision a proof does not use is dropped (conflict-driven backjumping; J.
// Marques-Silva and K. Sakallah, IEEE Trans. Comput. 48, 1999). Prover.cpp goes
// from the root to the leaves; Propagation.cpp takes definitions in their
// order.

#ifndef GIRIH_CHECKER_SEARCH_PROVER_H
#define GIRIH_CHECKER_SEARCH_PROVER_H

#include "checker/search/Handelman.h"

namespace girih::search {

/// Searches for one tree of a certificate, from a state on.
class Prover {
public:
  explicit Prover(Shared &shared) : shared(shared), ring(shared.ring) {}

  /// A proof that the facts of the state contradict each other, `depth` splits
  /// below the root; null when none was found.
  TreePtr prove(State state, unsigned depth);

private:
  Shared &shared;
  Ring &ring;

  TreePtr refute(State &state, unsigned depth);

  /// What no leaf refutes: cases, products, splits.
  TreePtr divide(const State &state, HandelmanSearch &handelman,
                 unsigned depth);

  //===------------------------------------------------------------------===//
  // Cases
  //===------------------------------------------------------------------===//

  /// The node over `children`, or the one child that does not need it.
  TreePtr join(TreePtr node, size_t decision, const Reasons &own);

  AtomFact fresh(bool equality, PolyId p, size_t decision);

  /// The facts of a branch.
  std::vector<AtomFact> branchFacts(const Disjunction &d, size_t branch,
                                    size_t decision);

  /// The state in a branch of the disjunction at `index`, which leaves it.
  State inBranch(const State &s, size_t index,
                 const std::vector<AtomFact> &facts);

  /// One branch of a case: its facts, and the proof once there is one.
  struct Branch {
    std::vector<AtomFact> facts;
    TreePtr tree;
  };

  TreePtr caseSplit(const State &s, HandelmanSearch &handelman, unsigned depth);

  //===------------------------------------------------------------------===//
  // Lemmas
  //===------------------------------------------------------------------===//

  /// What no linear combination knows because it holds for integers only: that
  /// a factor is not negative or not 0, and bounds of quotients, q < B where a
  /// < B*d, and q < q' between quotients by the same divisor or by constants.
  TreePtr withLemmas(State &s, HandelmanSearch &handelman);

  //===------------------------------------------------------------------===//
  // Three-way splits
  //===------------------------------------------------------------------===//

  /// A polynomial to split on, with what is known of its outer branches.
  struct Candidate {
    PolyId poly;
    Branch below, above;
  };

  State with(const State &s, const AtomFact &fact);

  PolyId belowFact(PolyId p) { return ring.addConstant(ring.negate(p), -1); }
  PolyId aboveFact(PolyId p) { return ring.addConstant(p, -1); }

  Branch branch(PolyId fact, size_t decision);

  /// Proves the branch if a leaf of this degree does.
  static void tryBranch(HandelmanSearch &handelman, Branch &b, unsigned degree);

  /// The three-way split on c.poly; proves what is still open.
  TreePtr split(const State &s, Candidate c, unsigned depth);

  TreePtr threeWay(const State &s, HandelmanSearch &handelman, unsigned depth);

  //===------------------------------------------------------------------===//
  // Forward propagation
  //===------------------------------------------------------------------===//

  /// States as an equality the value of the next definition that the earlier
  /// ones determine. False when there is none.
  bool propagate(State &s, std::vector<Step> &steps);
  bool propagateSelect(State &s, std::vector<Step> &steps);
  bool propagateQuotient(State &s, Division &d, std::vector<Step> &steps);
  bool propagateDivisor(State &s, Division &d, std::vector<Step> &steps);

  /// Lemmas that propagation starts with; each is stated if it has a short
  /// proof.
  void raiseFactors(State &s, std::vector<Step> &steps);
  void compareQuotients(State &s, std::vector<Step> &steps);
  void boundSelects(State &s, std::vector<Step> &steps);

  /// Whether the facts and either branch of d contradict each other at once.
  TreePtr eitherWay(const Disjunction &d, HandelmanSearch &handelman,
                    const AtomFact &negated, size_t decision);
  /// States p >= 0 by this proof; false when there is none.
  bool state(State &s, PolyId p, FactId negated, TreePtr proof,
             std::vector<Step> &steps);
  /// States p >= 0 if the state, of earlier facts, has a short proof of it.
  bool show(State &s, const State &earlier, PolyId p, std::vector<Step> &steps);
  /// States p = 0 if `few` facts have short proofs that it is not less and not
  /// more.
  bool equate(State &s, const State &few, PolyId p, std::vector<Step> &steps);
};

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_PROVER_H
