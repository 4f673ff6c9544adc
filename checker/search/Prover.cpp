// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Prover.h"

#include "checker/search/Candidates.h"
#include "checker/search/Elimination.h"
#include "checker/search/Tightening.h"

#include <algorithm>
#include <set>

namespace girih::search {

using Kind = proofs::Certificate::Kind;

TreePtr Prover::prove(State state, unsigned depth) {
  if (shared.left == 0 || depth > shared.budget.depth ||
      state.decisions + 2 >= maxDecisions) {
    return nullptr;
  }
  std::vector<Step> steps;
  bool fits = eliminate(state, ring, steps);
  while (fits && tightenFacts(state, shared, steps)) {
    fits = eliminate(state, ring, steps);
  }
  return below(std::move(steps), fits ? refute(state, depth) : nullptr);
}

TreePtr Prover::refute(State &state, unsigned depth) {
  HandelmanSearch handelman(state, shared);
  if (TreePtr t = handelman.find(1)) {
    return t;
  }
  if (state.propagates) {
    std::vector<Step> steps;
    state.propagates = propagate(state, steps) || !steps.empty();
    if (state.propagates) {
      return below(std::move(steps), prove(std::move(state), depth));
    }
    if (shared.brief) {
      return handelman.find(3);
    }
  }
  for (PolyId k : state.wraps) {
    // Most values never wrap, and then this shows at once.
    if (k == noPoly || ring.isConstant(k)) {
      continue;
    }
    Candidate c{k, branch(belowFact(k), state.decisions),
                branch(aboveFact(k), state.decisions)};
    tryBranch(handelman, c.below, 1);
    tryBranch(handelman, c.above, 1);
    if (c.below.tree && c.above.tree) {
      return split(state, std::move(c), depth);
    }
  }
  if (depth == 0 && !state.lemmasTried) {
    // Lemmas are facts, and facts cost: first without.
    state.lemmasTried = true;
    uint64_t before = shared.left, most = std::min<uint64_t>(before / 4, 2000);
    shared.left = most;
    shared.lastResort = false;
    TreePtr t = divide(state, handelman, depth);
    shared.lastResort = true;
    shared.left += before - most;
    return t ? std::move(t) : withLemmas(state, handelman);
  }
  return divide(state, handelman, depth);
}

TreePtr Prover::divide(const State &state, HandelmanSearch &handelman,
                       unsigned depth) {
  if (!state.disjunctions.empty()) {
    return caseSplit(state, handelman, depth);
  }
  return threeWay(state, handelman, depth);
}

TreePtr Prover::join(TreePtr node, size_t decision, const Reasons &own) {
  node->reasons = own;
  for (TreePtr &child : node->children) {
    if (!child->reasons[decision]) {
      return std::move(child);
    }
    node->reasons |= child->reasons;
  }
  node->reasons.reset(decision);
  return node;
}

AtomFact Prover::fresh(bool equality, PolyId p, size_t decision) {
  AtomFact f;
  f.id = shared.nextFact++;
  f.equality = equality;
  f.poly = p;
  f.reasons.set(decision);
  return f;
}

std::vector<AtomFact> Prover::branchFacts(const Disjunction &d, size_t branch,
                                          size_t decision) {
  std::vector<AtomFact> out;
  for (const Disjunction::Atom &a : d.branches[branch]) {
    out.push_back(fresh(a.equality, a.poly, decision));
    out.back().reasons |= d.reasons;
  }
  return out;
}

State Prover::inBranch(const State &s, size_t index,
                       const std::vector<AtomFact> &facts) {
  State out = s;
  out.disjunctions.erase(out.disjunctions.begin() + index);
  ++out.decisions;
  out.atoms.insert(out.atoms.end(), facts.begin(), facts.end());
  PolyId condition = s.disjunctions[index].condition;
  if (condition != noPoly) {
    out.boundaries.push_back(ring.addConstant(condition, 1));
  }
  return out;
}

TreePtr Prover::caseSplit(const State &s, HandelmanSearch &handelman,
                          unsigned depth) {
  size_t decision = s.decisions;
  // A disjunction of which at most one branch survives at once comes first.
  size_t chosen = 0;
  std::vector<Branch> branches;
  for (size_t i = 0; i < s.disjunctions.size(); ++i) {
    const Disjunction &d = s.disjunctions[i];
    std::vector<Branch> tried(d.branches.size());
    size_t open = 0;
    for (size_t b = 0; b < tried.size(); ++b) {
      tried[b].facts = branchFacts(d, b, decision);
      tried[b].tree = handelman.findWith(tried[b].facts, 1);
      open += !tried[b].tree;
    }
    if (open <= 1 || i == 0) {
      chosen = i;
      branches = std::move(tried);
    }
    if (open <= 1) {
      break;
    }
  }
  auto node = std::make_unique<Tree>();
  node->kind = Kind::Case;
  node->fact = s.disjunctions[chosen].id;
  for (Branch &b : branches) {
    if (!b.tree) {
      b.tree = prove(inBranch(s, chosen, b.facts), depth);
    }
    if (!b.tree || !b.tree->reasons[decision]) {
      return std::move(b.tree);
    }
    auto &added = node->added.emplace_back();
    for (const AtomFact &f : b.facts) {
      added.push_back(f.id);
    }
    node->children.push_back(std::move(b.tree));
  }
  return join(std::move(node), decision, s.disjunctions[chosen].reasons);
}

TreePtr Prover::withLemmas(State &s, HandelmanSearch &handelman) {
  std::vector<Step> lemmas;
  std::set<PolyId> stated;
  for (const AtomFact &f : s.atoms) {
    stated.insert(f.poly);
  }
  auto propose = [&](PolyId p, auto &&refute) {
    if (p == noPoly || ring.isConstant(p) || !stated.insert(p).second ||
        s.decisions + 2 >= maxDecisions) {
      return false;
    }
    AtomFact negated = fresh(false, belowFact(p), s.decisions);
    TreePtr tree = refute(negated);
    if (!tree) {
      return false;
    }
    AtomFact lemma = fresh(false, p, s.decisions);
    lemmas.push_back(
        haveStep(p, negated.id, lemma.id, std::move(tree), s.decisions++));
    s.atoms.push_back(lemma);
    return true;
  };
  for (PolyId p : openFactors(s, ring, shared.focus)) {
    propose(p, [&](const AtomFact &negated) {
      constexpr uint64_t maxLemmaSteps = 500; // there are many candidates
      uint64_t before = shared.left;
      uint64_t lent = std::min(before / 4, maxLemmaSteps);
      shared.left = lent;
      TreePtr t = prove(with(s, negated), shared.budget.depth / 2);
      shared.left += before - lent;
      return t;
    });
  }
  for (PolyId p : positiveFactors(s, ring)) {
    propose(p, [&](const AtomFact &negated) {
      return handelman.findWith({negated}, 2);
    });
  }
  // A bound of one quotient gives that of the next.
  for (bool more = true; more;) {
    more = false;
    for (const Bound &b : quotientBounds(s, ring)) {
      more |= propose(b.poly, [&](const AtomFact &negated) {
        return HandelmanSearch(b.known, shared).findWith({negated}, 2);
      });
    }
  }
  for (PolyId p : quotientComparisons(s, ring)) {
    propose(p, [&](const AtomFact &negated) {
      return handelman.findWith({negated}, 1);
    });
  }
  return below(std::move(lemmas), refute(s, 0));
}

State Prover::with(const State &s, const AtomFact &fact) {
  State out = s;
  ++out.decisions;
  out.atoms.push_back(fact);
  return out;
}

Prover::Branch Prover::branch(PolyId fact, size_t decision) {
  return {{fresh(false, fact, decision)}, nullptr};
}

void Prover::tryBranch(HandelmanSearch &handelman, Branch &b, unsigned degree) {
  if (!b.tree) {
    b.tree = handelman.findWith(b.facts, degree);
  }
}

TreePtr Prover::split(const State &s, Candidate c, unsigned depth) {
  size_t decision = s.decisions;
  State rest = s;
  std::erase(rest.hints, c.poly);
  std::erase(rest.boundaries, c.poly);
  for (Branch *b : {&c.below, &c.above}) {
    if (!b->tree) {
      b->tree = prove(with(rest, b->facts[0]), depth + 1);
    }
    if (!b->tree || !b->tree->reasons[decision]) {
      return std::move(b->tree);
    }
  }
  AtomFact equal = fresh(true, c.poly, decision);
  TreePtr middle = prove(with(s, equal), depth + 1);
  if (!middle) {
    return nullptr;
  }
  auto node = std::make_unique<Tree>();
  node->kind = Kind::Split;
  node->poly = c.poly;
  node->added = {{c.below.facts[0].id}, {equal.id}, {c.above.facts[0].id}};
  node->children.push_back(std::move(c.below.tree));
  node->children.push_back(std::move(middle));
  node->children.push_back(std::move(c.above.tree));
  return join(std::move(node), decision, Reasons());
}

TreePtr Prover::threeWay(const State &s, HandelmanSearch &handelman,
                         unsigned depth) {
  // What is known to be 0 and cannot be eliminated would be split for ever:
  // its outer branches die at once.
  std::set<PolyId> zero;
  for (const AtomFact &f : s.atoms) {
    if (f.equality && f.poly != noPoly) {
      zero.insert({f.poly, ring.negate(f.poly)});
    }
  }
  std::vector<Candidate> open;
  for (PolyId p : splitCandidates(s, ring)) {
    if (zero.count(p)) {
      continue;
    }
    open.push_back({p, branch(belowFact(p), s.decisions),
                    branch(aboveFact(p), s.decisions)});
  }
  // Few products first, for every candidate: most splits need no more.
  for (unsigned degree : {2, 3}) {
    if (TreePtr t = handelman.find(degree)) {
      return t;
    }
    for (Candidate &c : open) {
      tryBranch(handelman, c.below, degree);
      tryBranch(handelman, c.above, degree);
      if (shared.left == 0) {
        return nullptr;
      }
      if (c.below.tree && c.above.tree) {
        return split(s, std::move(c), depth); // forced: no way back
      }
    }
  }
  if (shared.budget.degree >= 3 && shared.lastResort) {
    if (TreePtr t = handelman.find(4)) {
      return t;
    }
  }
  std::vector<size_t> order;
  for (bool halfDead : {true, false}) {
    for (size_t i = 0; i < open.size(); ++i) {
      if ((open[i].below.tree || open[i].above.tree) == halfDead) {
        order.push_back(i);
      }
    }
  }
  constexpr size_t maxSplits = 3; // each is searched to its depth
  for (size_t i = 0; i < order.size() && i < maxSplits; ++i) {
    if (TreePtr t = split(s, std::move(open[order[i]]), depth)) {
      return t;
    }
  }
  return nullptr;
}

} // namespace girih::search
