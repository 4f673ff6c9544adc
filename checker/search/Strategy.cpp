// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Strategy.h"

#include "checker/search/Products.h"
#include "proofs/Judge.h"

#include <algorithm>
#include <set>

namespace girih::search {

using proofs::Certificate;
using Kind = proofs::Certificate::Kind;

namespace {
/// An equality to eliminate by, and for which variable.
struct Elimination {
  FactId fact;
  Var variable;
  size_t decision;
  Reasons reasons; ///< of the equality
};

class Prover {
public:
  explicit Prover(Shared &shared) : shared(shared), ring(shared.ring) {}

  TreePtr prove(State state, unsigned depth) {
    if (shared.left == 0 || depth > shared.budget.depth ||
        state.decisions + 2 >= maxDecisions) {
      return nullptr;
    }
    std::vector<Elimination> steps;
    bool fits = eliminate(state, steps);
    TreePtr tree = fits ? refute(state, depth) : nullptr;
    for (size_t i = steps.size(); tree && i-- > 0;) {
      const Elimination &s = steps[i];
      if (!tree->reasons[s.decision]) {
        continue; // nothing below was touched by it
      }
      auto node = std::make_unique<Tree>();
      node->kind = Kind::Solve;
      node->fact = s.fact;
      node->variable = s.variable;
      node->reasons = tree->reasons | s.reasons;
      node->reasons.reset(s.decision);
      node->added.resize(1);
      node->children.push_back(std::move(tree));
      tree = std::move(node);
    }
    return tree;
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
      Candidate c{k, tryBranch(leaves, belowFact(k), state.decisions, 1),
                  tryBranch(leaves, aboveFact(k), state.decisions, 1)};
      if (c.below.tree && c.above.tree) {
        return split(state, std::move(c), depth);
      }
    }
    if (depth == 0 && !state.lemmasTried) {
      return withLemmas(state, leaves);
    }
    if (!state.disjunctions.empty()) {
      return caseSplit(state, leaves, depth);
    }
    if (TreePtr t = leaves.find(3)) {
      return t;
    }
    return threeWay(state, leaves, depth);
  }

  //===------------------------------------------------------------------===//
  // Elimination
  //===------------------------------------------------------------------===//

  void substitute(State &s, Var x, PolyId value, const Reasons &why) {
    auto apply = [&](PolyId &p) {
      p = p == noPoly ? noPoly : ring.substitute(p, x, value);
    };
    for (AtomFact &f : s.atoms) {
      if (f.poly != noPoly && ring.contains(f.poly, x)) {
        apply(f.poly);
        f.reasons |= why;
      }
    }
    for (Disjunction &d : s.disjunctions) {
      bool touched = false;
      for (auto &branch : d.branches) {
        for (Disjunction::Atom &a : branch) {
          touched |= a.poly != noPoly && ring.contains(a.poly, x);
          apply(a.poly);
        }
      }
      d.reasons |= touched ? why : Reasons();
      apply(d.condition);
    }
    for (Division &d : s.divisions) {
      apply(d.q), apply(d.a), apply(d.d);
    }
    for (auto *list : {&s.wraps, &s.hints, &s.boundaries}) {
      std::for_each(list->begin(), list->end(), apply);
    }
  }

  /// Variables that occur in p alone, linearly, with coefficient 1 or -1.
  std::vector<Var> solvable(PolyId p) const {
    std::vector<Var> out;
    for (const RingTerm &t : ring.terms(p)) {
      const proofs::Monomial &m = ring.variables(t.mono);
      if (m.size() != 1 || (t.coeff != 1 && t.coeff != -1)) {
        continue;
      }
      auto holds = [&](const RingTerm &other) {
        const proofs::Monomial &n = ring.variables(other.mono);
        return std::binary_search(n.begin(), n.end(), m[0]);
      };
      const RingTerms &all = ring.terms(p);
      if (std::count_if(all.begin(), all.end(), holds) == 1) {
        out.push_back(m[0]);
      }
    }
    return out;
  }

  /// x when p = 0 says x = q*d + r for a division of x by d.
  std::optional<Var> dividend(PolyId p, const std::vector<Var> &candidates,
                              const State &s) {
    for (const Division &d : s.divisions) {
      if (d.a == noPoly || d.q == noPoly || d.d == noPoly) {
        continue;
      }
      std::optional<Var> x = ring.asVariable(d.a);
      if (!x || std::find(candidates.begin(), candidates.end(), *x) ==
                    candidates.end()) {
        continue;
      }
      Int sign = ring.coefficient(p, ring.monomial({*x}));
      PolyId rest = ring.subtract(ring.subtract(d.a, ring.multiply(d.q, d.d)),
                                  ring.scale(p, sign));
      if (rest != noPoly && ring.asVariable(rest)) {
        return x;
      }
    }
    return std::nullopt;
  }

  /// Substitutes by every equality that can be solved for a variable: for x in
  /// x = q*d + r, else for the youngest, which is a remainder or a digit of the
  /// second block.
  bool eliminate(State &s, std::vector<Elimination> &steps) {
    for (size_t i = 0; i < s.atoms.size();) {
      const AtomFact f = s.atoms[i];
      std::vector<Var> candidates;
      if (f.equality && f.poly != noPoly) {
        candidates = solvable(f.poly);
      }
      if (candidates.empty()) {
        ++i;
        continue;
      }
      if (s.decisions + 2 >= maxDecisions) {
        return false;
      }
      Var x = dividend(f.poly, candidates, s)
                  .value_or(
                      *std::max_element(candidates.begin(), candidates.end()));
      Int c = ring.coefficient(f.poly, ring.monomial({x}));
      PolyId value = ring.subtract(ring.variable(x), ring.scale(f.poly, c));
      size_t decision = s.decisions++;
      Reasons why = f.reasons;
      why.set(decision);
      substitute(s, x, value, why);
      steps.push_back({f.id, x, decision, f.reasons});
      i = 0; // an equality before this one may have become solvable
    }
    return true;
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

  /// q < B where a < B*d is known exactly, from the facts that this takes.
  TreePtr boundByProduct(const State &s, const Division &d, PolyId bound,
                         const AtomFact &known, const AtomFact &negated) {
    State few;
    few.atoms.push_back(known);
    PolyId rest = ring.subtract(d.a, ring.multiply(d.q, d.d));
    PolyId positive = ring.addConstant(d.d, -1);
    for (const AtomFact &f : s.atoms) {
      if (!f.equality && f.poly != noPoly &&
          (f.poly == rest || f.poly == positive)) {
        few.atoms.push_back(f);
      }
    }
    return bound == noPoly ? nullptr
                           : Leaves(few, shared).findWith({negated}, 2);
  }

  struct Lemma {
    PolyId poly;
    size_t decision;
    FactId negated, stated;
    TreePtr tree;
  };

  /// Bounds of quotients, which no linear combination knows because they hold
  /// for integers only: q < B where a < B*d, and q < q' between quotients by
  /// the same divisor or by constants.
  TreePtr withLemmas(State &s, Leaves &leaves) {
    std::vector<Lemma> lemmas;
    size_t facts = s.atoms.size();
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
      lemmas.push_back({p, s.decisions, negated.id, lemma.id, std::move(tree)});
      ++s.decisions;
      s.atoms.push_back(lemma);
      return true;
    };
    for (const Division &d : s.divisions) {
      if (d.q == noPoly || d.a == noPoly || d.d == noPoly) {
        continue;
      }
      for (size_t i = 0; i < facts; ++i) {
        AtomFact known = s.atoms[i];
        if (known.equality || known.poly == noPoly) {
          continue;
        }
        PolyId upper = ring.addConstant(ring.add(known.poly, d.a), 1);
        PolyId bound = upper == noPoly ? noPoly : ring.quotient(upper, d.d);
        if (bound != noPoly && ring.multiply(bound, d.d) == upper) {
          propose(ring.addConstant(ring.subtract(bound, d.q), -1),
                  [&](const AtomFact &negated) {
                    return boundByProduct(s, d, bound, known, negated);
                  });
        }
      }
    }
    for (const Division &d : s.divisions) {
      for (const Division &e : s.divisions) {
        bool comparable = d.d == e.d || (d.d != noPoly && e.d != noPoly &&
                                         ring.isConstant(d.d) &&
                                         ring.isConstant(e.d));
        if (!comparable || d.q == e.q) {
          continue;
        }
        PolyId gap = ring.subtract(e.q, d.q);
        auto refute = [&](const AtomFact &negated) {
          return leaves.findWith({negated}, 1);
        };
        propose(gap == noPoly ? noPoly : ring.addConstant(gap, -1), refute);
      }
    }
    s.lemmasTried = true;
    TreePtr tree = refute(s, 0);
    while (tree && !lemmas.empty()) {
      Lemma lemma = std::move(lemmas.back());
      lemmas.pop_back();
      if (!tree->reasons[lemma.decision]) {
        continue;
      }
      auto node = std::make_unique<Tree>();
      node->kind = Kind::Have;
      node->poly = lemma.poly;
      node->added = {{lemma.negated}, {lemma.stated}};
      node->children.push_back(std::move(lemma.tree));
      node->children.push_back(std::move(tree));
      tree = join(std::move(node), lemma.decision, Reasons());
    }
    return tree;
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

  /// The branch with this fact, and the proof if it is a leaf.
  Branch tryBranch(Leaves &leaves, PolyId fact, size_t decision,
                   unsigned degree) {
    Branch b{{fresh(false, fact, decision)}, nullptr};
    for (unsigned d = 1; d <= degree && !b.tree; ++d) {
      b.tree = leaves.findWith(b.facts, d);
    }
    return b;
  }

  std::vector<PolyId> candidates(const State &s) {
    std::vector<PolyId> all;
    for (PolyId k : s.wraps) {
      all.push_back(k);
    }
    auto same = [&](const Division &a, const Division &b) {
      return a.a == b.a && a.d == b.d && a.a != noPoly && a.d != noPoly;
    };
    for (size_t i = 0; i < s.divisions.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (same(s.divisions[i], s.divisions[j])) {
          all.push_back(ring.subtract(s.divisions[j].q, s.divisions[i].q));
        }
      }
    }
    all.insert(all.end(), s.hints.begin(), s.hints.end());
    all.insert(all.end(), s.boundaries.begin(), s.boundaries.end());
    for (const Division &d : s.divisions) {
      PolyId t = ring.quotient(d.a, d.d);
      if (t != noPoly) {
        PolyId gap = ring.subtract(d.q, t);
        all.push_back(gap);
        all.push_back(gap == noPoly ? noPoly : ring.addConstant(gap, 1));
      }
    }
    std::vector<PolyId> out;
    std::set<PolyId> seen;
    for (PolyId p : all) {
      if (p != noPoly && !ring.isConstant(p) && !seen.count(p) &&
          !seen.count(ring.negate(p))) {
        seen.insert(p);
        out.push_back(p);
      }
    }
    return out;
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
    std::vector<Candidate> open;
    for (PolyId p : candidates(s)) {
      if (shared.left == 0) {
        return nullptr;
      }
      Candidate c{p, tryBranch(leaves, belowFact(p), s.decisions, 3),
                  tryBranch(leaves, aboveFact(p), s.decisions, 3)};
      if (c.below.tree && c.above.tree) {
        return split(s, std::move(c), depth); // forced: no way back
      }
      open.push_back(std::move(c));
    }
    if (shared.budget.degree >= 3) {
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
} // namespace

/// The hypotheses and the negated goal, as the judge numbers them.
static std::vector<proofs::Fact> factsOf(const proofs::Obligation &o) {
  std::vector<proofs::Fact> facts;
  for (const proofs::Hypothesis &h : o.hypotheses) {
    facts.push_back(h.fact);
  }
  facts.push_back(proofs::Fact::atLeastZero(proofs::negatedGoal(o)));
  return facts;
}

static State firstState(const proofs::Obligation &o,
                        const std::vector<proofs::Fact> &facts, Ring &ring) {
  State s;
  for (FactId id = 0; id < facts.size(); ++id) {
    if (const proofs::Atom *a = facts[id].atom()) {
      s.atoms.push_back({id, a->equality, ring.fromPoly(a->poly), {}});
      continue;
    }
    Disjunction d;
    d.id = id;
    for (const std::vector<proofs::Atom> &branch : facts[id].branches) {
      auto &out = d.branches.emplace_back();
      for (const proofs::Atom &a : branch) {
        out.push_back({a.equality, ring.fromPoly(a.poly)});
      }
    }
    if (id < o.hypotheses.size() &&
        o.hypotheses[id].origin.kind == proofs::Origin::Kind::Definition &&
        o.hypotheses[id].origin.index < o.definitions.size()) {
      const proofs::Definition &def =
          o.definitions[o.hypotheses[id].origin.index];
      if (def.kind == proofs::Definition::Kind::Select &&
          def.arguments.size() == 3) {
        d.condition = ring.fromPoly(def.arguments[0]);
      }
    }
    s.disjunctions.push_back(std::move(d));
  }
  for (const proofs::Definition &d : o.definitions) {
    if (d.arguments.size() != 2 || d.results.size() != 2) {
      continue;
    }
    if (d.kind == proofs::Definition::Kind::Quotient) {
      s.divisions.push_back({ring.variable(d.results[0]),
                             ring.fromPoly(d.arguments[0]),
                             ring.fromPoly(d.arguments[1])});
    } else if (d.kind == proofs::Definition::Kind::Wrap) {
      s.wraps.push_back(ring.variable(d.results[1]));
    }
  }
  for (const proofs::Poly &p : o.splits) {
    s.hints.push_back(ring.fromPoly(p));
  }
  return s;
}

std::optional<Certificate> findCertificate(const proofs::Obligation &o,
                                           const Budget &budget, Stats *stats) {
  Shared shared;
  shared.budget = budget;
  shared.left = budget.pivots;
  std::vector<proofs::Fact> facts = factsOf(o);
  shared.nextFact = FactId(facts.size());
  shared.focus = FactId(facts.size() - 1);
  State state = firstState(o, facts, shared.ring);
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
  if (stats) {
    *stats = shared.stats;
  }
  return result;
}

} // namespace girih::search
