// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Strategy.h"

#include "checker/search/Candidates.h"
#include "checker/search/Elimination.h"
#include "checker/search/Products.h"
#include "checker/search/Rounding.h"
#include "checker/search/Tiles.h"
#include "proofs/Judge.h"

#include <algorithm>
#include <set>

namespace girih::search {

using proofs::Certificate;
using Kind = proofs::Certificate::Kind;

namespace {
class Prover {
public:
  explicit Prover(Shared &shared) : shared(shared), ring(shared.ring) {}

  TreePtr prove(State state, unsigned depth) {
    if (shared.left == 0 || depth > shared.budget.depth ||
        state.decisions + 2 >= maxDecisions) {
      return nullptr;
    }
    std::vector<Step> steps;
    bool fits = eliminate(state, ring, steps);
    while (fits && roundFacts(state, shared, steps)) {
      fits = eliminate(state, ring, steps);
    }
    return below(std::move(steps), fits ? refute(state, depth) : nullptr);
  }

private:
  Shared &shared;
  Ring &ring;

  TreePtr refute(State &state, unsigned depth) {
    Leaves leaves(state, shared);
    if (TreePtr t = leaves.find(1)) {
      return t;
    }
    for (PolyId k : state.wraps) {
      // Most values never wrap, and then this shows at once.
      if (k == noPoly || ring.isConstant(k)) {
        continue;
      }
      Candidate c{k, branch(belowFact(k), state.decisions),
                  branch(aboveFact(k), state.decisions)};
      tryBranch(leaves, c.below, 1);
      tryBranch(leaves, c.above, 1);
      if (c.below.tree && c.above.tree) {
        return split(state, std::move(c), depth);
      }
    }
    if (depth == 0 && !state.lemmasTried) {
      // Lemmas are facts, and facts cost: first without.
      state.lemmasTried = true;
      uint64_t before = shared.left,
               most = std::min<uint64_t>(before / 4, 2000);
      shared.left = most;
      shared.lastResort = false;
      TreePtr t = divide(state, leaves, depth);
      shared.lastResort = true;
      shared.left += before - most;
      return t ? std::move(t) : withLemmas(state, leaves);
    }
    return divide(state, leaves, depth);
  }

  /// What no leaf refutes: cases, products, splits.
  TreePtr divide(const State &state, Leaves &leaves, unsigned depth) {
    if (!state.disjunctions.empty()) {
      return caseSplit(state, leaves, depth);
    }
    return threeWay(state, leaves, depth);
  }

  //===------------------------------------------------------------------===//
  // Cases
  //===------------------------------------------------------------------===//

  /// The node over `children`, or the one child that does not need it.
  TreePtr join(TreePtr node, size_t decision, const Reasons &own) {
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

  AtomFact fresh(bool equality, PolyId p, size_t decision) {
    AtomFact f;
    f.id = shared.nextFact++;
    f.equality = equality;
    f.poly = p;
    f.reasons.set(decision);
    return f;
  }

  /// The facts of a branch.
  std::vector<AtomFact> branchFacts(const Disjunction &d, size_t branch,
                                    size_t decision) {
    std::vector<AtomFact> out;
    for (const Disjunction::Atom &a : d.branches[branch]) {
      out.push_back(fresh(a.equality, a.poly, decision));
      out.back().reasons |= d.reasons;
    }
    return out;
  }

  /// The state in a branch of the disjunction at `index`, which leaves it.
  State inBranch(const State &s, size_t index,
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

  /// One branch of a case: its facts, and the proof once there is one.
  struct Branch {
    std::vector<AtomFact> facts;
    TreePtr tree;
  };

  TreePtr caseSplit(const State &s, Leaves &leaves, unsigned depth) {
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
        tried[b].tree = leaves.findWith(tried[b].facts, 1);
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

  //===------------------------------------------------------------------===//
  // Lemmas
  //===------------------------------------------------------------------===//

  /// What no linear combination knows because it holds for integers only: that
  /// a factor is not negative or not 0, and bounds of quotients, q < B where a
  /// < B*d, and q < q' between quotients by the same divisor or by constants.
  TreePtr withLemmas(State &s, Leaves &leaves) {
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
        constexpr uint64_t little = 500;
        uint64_t before = shared.left;
        shared.left = std::min(before / 4, little);
        uint64_t most = shared.left;
        TreePtr t = prove(with(s, negated), shared.budget.depth / 2);
        shared.left += before - most;
        return t;
      });
    }
    for (PolyId p : positiveFactors(s, ring)) {
      propose(p, [&](const AtomFact &negated) {
        return leaves.findWith({negated}, 2);
      });
    }
    // A bound of one quotient gives that of the next.
    for (bool more = true; more;) {
      more = false;
      for (const Bound &b : quotientBounds(s, ring)) {
        more |= propose(b.poly, [&](const AtomFact &negated) {
          return Leaves(b.known, shared).findWith({negated}, 2);
        });
      }
    }
    for (PolyId p : quotientComparisons(s, ring)) {
      propose(p, [&](const AtomFact &negated) {
        return leaves.findWith({negated}, 1);
      });
    }
    return below(std::move(lemmas), refute(s, 0));
  }

  //===------------------------------------------------------------------===//
  // Three-way splits
  //===------------------------------------------------------------------===//

  /// A polynomial to split on, with what is known of its outer branches.
  struct Candidate {
    PolyId poly;
    Branch below, above;
  };

  State with(const State &s, const AtomFact &fact) {
    State out = s;
    ++out.decisions;
    out.atoms.push_back(fact);
    return out;
  }

  PolyId belowFact(PolyId p) { return ring.addConstant(ring.negate(p), -1); }
  PolyId aboveFact(PolyId p) { return ring.addConstant(p, -1); }

  Branch branch(PolyId fact, size_t decision) {
    return {{fresh(false, fact, decision)}, nullptr};
  }

  /// Proves the branch if a leaf of this degree does.
  static void tryBranch(Leaves &leaves, Branch &b, unsigned degree) {
    if (!b.tree) {
      b.tree = leaves.findWith(b.facts, degree);
    }
  }

  /// The three-way split on c.poly; proves what is still open.
  TreePtr split(const State &s, Candidate c, unsigned depth) {
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

  TreePtr threeWay(const State &s, Leaves &leaves, unsigned depth) {
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
      if (TreePtr t = leaves.find(degree)) {
        return t;
      }
      for (Candidate &c : open) {
        tryBranch(leaves, c.below, degree);
        tryBranch(leaves, c.above, degree);
        if (shared.left == 0) {
          return nullptr;
        }
        if (c.below.tree && c.above.tree) {
          return split(s, std::move(c), depth); // forced: no way back
        }
      }
    }
    if (shared.budget.degree >= 3 && shared.lastResort) {
      if (TreePtr t = leaves.find(4)) {
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
    constexpr size_t most = 3;
    for (size_t i = 0; i < order.size() && i < most; ++i) {
      if (TreePtr t = split(s, std::move(open[order[i]]), depth)) {
        return t;
      }
    }
    return nullptr;
  }
};
/// One way to go about an obligation.
struct Attempt {
  std::vector<bool> use; ///< by fact
  Int hugeFrom;
  bool tight;
  bool open = true; ///< more steps could make a difference
};
} // namespace

static std::optional<Certificate>
attempt(const proofs::Obligation &o, const std::vector<proofs::Fact> &facts,
        const Attempt &how, const Budget &budget, Stats &stats) {
  Shared shared;
  shared.budget = budget;
  shared.left = budget.pivots;
  shared.nextFact = FactId(facts.size());
  shared.focus = FactId(facts.size() - 1);
  shared.hugeFrom = how.hugeFrom;
  shared.tight = how.tight;
  State state = firstState(o, facts, how.use, shared.ring);
  TreePtr tree = Leaves(state, shared).find(1);
  if (!tree) {
    tree = Prover(shared).prove(std::move(state), 0);
  }
  shared.stats.pivots = budget.pivots - shared.left;
  std::optional<Certificate> result;
  if (tree) {
    result = toCertificate(*tree, shared.ring, facts.size(), shared.stats);
    if (!proofs::refutes(facts, *result).accepted) {
      result.reset();
    }
  }
  stats = shared.stats;
  return result;
}

/// With little and with all. Bounds are multiplied only where the goal is a
/// huge one, of a machine's integers: their square may be what keeps it.
static std::vector<Attempt> attempts(const proofs::Obligation &o,
                                     size_t facts) {
  const Int huge = hugeNumber, address = Int(1) << 48;
  std::vector<bool> relevant = relevantFacts(o), all(facts, true);
  std::vector<Attempt> out;
  // Of a map's results their names are mostly enough. A witness has names as
  // well, but there what they stand for is the question.
  bool isNamed = std::any_of(
      o.definitions.begin(), o.definitions.end(),
      [](const auto &d) { return d.kind == proofs::Definition::Kind::Name; });
  if (isNamed && o.rule != "out.covered") {
    out.push_back({relevantFacts(o, true), huge, false});
  }
  if (relevant != all) {
    out.push_back({relevant, huge, false});
  }
  const std::vector<proofs::Term> &goal = o.goal.terms();
  bool isHuge = std::any_of(goal.begin(), goal.end(), [&](const auto &t) {
    return t.coeff >= huge || t.coeff <= -huge;
  });
  out.push_back({all, huge, false});
  if (isHuge) {
    out.push_back({all, huge, true});
    out.push_back({relevant, address, true});
  }
  return out;
}

/// By tiles first, with half of the steps.
static std::optional<Certificate>
byTiles(const proofs::Obligation &o, const std::vector<proofs::Fact> &facts,
        const Budget &budget, uint64_t &left, Stats &last) {
  uint64_t share = left / 2;
  auto result = findByTiles(o, [&](const proofs::Obligation &lemma,
                                   const std::vector<bool> &use) {
    Budget part = budget;
    part.pivots = share;
    auto c =
        attempt(lemma, factsOf(lemma), {use, hugeNumber, false}, part, last);
    share -= last.pivots;
    left -= last.pivots;
    return c;
  });
  if (result && !proofs::refutes(facts, *result).accepted) {
    result.reset();
  }
  return result;
}

/// Every attempt with few steps, then with more: which of them is good shows
/// soon, and one that is not may never end.
std::optional<Certificate> findCertificate(const proofs::Obligation &o,
                                           const Budget &budget, Stats *stats) {
  constexpr uint64_t first = 2000, growth = 4;
  std::vector<proofs::Fact> facts = factsOf(o);
  std::vector<Attempt> all = attempts(o, facts.size());
  std::optional<Certificate> result;
  Stats last;
  uint64_t left = budget.pivots;
  if (o.rule == "out.covered" && hasEqualities(o)) {
    result = byTiles(o, facts, budget, left, last);
  }
  auto isOpen = [](const Attempt &how) { return how.open; };
  for (uint64_t share = first;
       !result && left > 0 && std::any_of(all.begin(), all.end(), isOpen);
       share *= growth) {
    for (Attempt &how : all) {
      if (result || !how.open || left == 0) {
        continue;
      }
      Budget part = budget;
      part.pivots = std::min(left, share);
      result = attempt(o, facts, how, part, last);
      how.open = last.pivots == part.pivots;
      left -= last.pivots;
    }
  }
  if (stats) {
    *stats = last;
    stats->pivots = budget.pivots - left;
  }
  return result;
}

} // namespace girih::search
