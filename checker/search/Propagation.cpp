// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward propagation of definitions. A witness is a polynomial of digits, and
// the kernel decomposes it again: each quotient can be read off its dividend,
// each select equals a value defined before it. One definition at a time, from
// the facts about earlier ones alone, is a small problem; all of them at once,
// under all cases of all selects, is not.

#include "checker/search/Prover.h"

#include "checker/search/Candidates.h"

#include <algorithm>
#include <set>
#include <utility>

namespace girih::search {

/// The facts of s that speak only of what is defined before definition number
/// `limit`, without the negated goal.
static State earlierFacts(const State &s, const Shared &shared, size_t limit) {
  auto isEarlier = [&](PolyId p) {
    if (p == noPoly) {
      return false;
    }
    std::span<const Var> all = shared.ring.variablesOf(p);
    return std::all_of(all.begin(), all.end(), [&](Var v) {
      return v >= shared.definedBy.size() || shared.definedBy[v] <= limit;
    });
  };
  State out;
  out.decisions = s.decisions;
  for (const AtomFact &f : s.atoms) {
    if (f.id != shared.goal && isEarlier(f.poly)) {
      out.atoms.push_back(f);
    }
  }
  for (const Disjunction &d : s.disjunctions) {
    if (std::all_of(d.branches.begin(), d.branches.end(), [&](const auto &b) {
          return std::all_of(b.begin(), b.end(),
                             [&](const auto &a) { return isEarlier(a.poly); });
        })) {
      out.disjunctions.push_back(d);
    }
  }
  for (const Division &d : s.divisions) {
    if (d.definition < limit) {
      out.divisions.push_back(d);
    }
  }
  return out;
}

/// The facts of s that speak only of what p speaks of.
static State closedFacts(const State &s, const Ring &ring, PolyId p) {
  std::span<const Var> known = ring.variablesOf(p);
  State out;
  for (const AtomFact &f : s.atoms) {
    std::span<const Var> all;
    if (f.poly != noPoly) {
      all = ring.variablesOf(f.poly);
    }
    if (!all.empty() &&
        std::includes(known.begin(), known.end(), all.begin(), all.end())) {
      out.atoms.push_back(f);
    }
  }
  return out;
}

/// Runs `search` with at most so many steps and `focus` as the first fact that
/// may take larger products.
template <typename F>
static TreePtr limited(Shared &shared, uint64_t steps, FactId focus,
                       const F &search) {
  uint64_t before = shared.left, most = std::min(before / 2, steps);
  FactId outer = std::exchange(shared.focus, focus);
  shared.left = most;
  TreePtr t = search();
  shared.left += before - most;
  shared.focus = outer;
  return t;
}

/// Steps to show one value: there is one proof a definition.
static constexpr uint64_t maxShowSteps = 1000;

bool Prover::show(State &s, const State &earlier, PolyId p,
                  std::vector<Step> &steps) {
  if (p == noPoly || s.decisions + 2 >= maxDecisions) {
    return false;
  }
  if (ring.isConstant(p)) {
    return ring.constantTerm(p) >= 0;
  }
  AtomFact negated = fresh(false, belowFact(p), s.decisions);
  TreePtr proof = limited(shared, maxShowSteps, negated.id, [&] {
    TreePtr t = HandelmanSearch(closedFacts(earlier, ring, p), shared)
                    .findWith({negated}, 3);
    if (!t) {
      State from = earlier;
      from.decisions = s.decisions;
      t = prove(with(from, negated), shared.budget.depth / 2);
    }
    return t;
  });
  return state(s, p, negated.id, std::move(proof), steps);
}

bool Prover::state(State &s, PolyId p, FactId negated, TreePtr proof,
                   std::vector<Step> &steps) {
  if (!proof) {
    return false;
  }
  AtomFact stated = fresh(false, p, s.decisions);
  stated.aside = true;
  steps.push_back(
      haveStep(p, negated, stated.id, std::move(proof), s.decisions++));
  s.atoms.push_back(stated);
  return true;
}

bool Prover::equate(State &s, const State &few, PolyId p,
                    std::vector<Step> &steps) {
  if (s.decisions + 2 >= maxDecisions) {
    return false;
  }
  Branch less = branch(belowFact(p), s.decisions),
         more = branch(aboveFact(p), s.decisions);
  for (Branch *b : {&less, &more}) {
    b->tree = limited(shared, maxShowSteps, b->facts[0].id, [&] {
      State from = few;
      from.decisions = s.decisions;
      return prove(with(from, b->facts[0]), shared.budget.depth / 2);
    });
    if (!b->tree) {
      return false;
    }
  }
  AtomFact equal = fresh(true, p, s.decisions);
  equal.aside = true;
  Step step{std::make_unique<Tree>(), 1, s.decisions++};
  step.node->kind = proofs::Certificate::Kind::Split;
  step.node->poly = p;
  step.node->reasons = less.tree->reasons | more.tree->reasons;
  step.node->added = {{less.facts[0].id}, {equal.id}, {more.facts[0].id}};
  step.node->children.push_back(std::move(less.tree));
  step.node->children.push_back(nullptr);
  step.node->children.push_back(std::move(more.tree));
  steps.push_back(std::move(step));
  s.atoms.push_back(equal);
  return true;
}

/// Where the divisor is a select and the dividend speaks of another, they may
/// be the same by other words.
bool Prover::propagateDivisor(State &s, Division &d, std::vector<Step> &steps) {
  std::optional<Var> divisor = ring.asVariable(d.d);
  auto result = [&](const Disjunction &x) {
    return x.result == noPoly ? std::nullopt : ring.asVariable(x.result);
  };
  auto isResult = [&](const Disjunction &x) { return result(x) == divisor; };
  if (!divisor ||
      std::none_of(s.disjunctions.begin(), s.disjunctions.end(), isResult)) {
    return false;
  }
  State earlier = earlierFacts(s, shared, d.definition);
  for (const Disjunction &x : s.disjunctions) {
    std::optional<Var> other = result(x);
    if (other && other != divisor && ring.contains(d.a, *other) &&
        equate(s, earlier, ring.subtract(d.d, x.result), steps)) {
      d.propagated = false; // now there may be a quotient to read off
      return true;
    }
  }
  return false;
}

/// What is left of a beside t*d may have been divided by d before: a sum of two
/// bits of which the one of xor is known. That quotient counts as well.
static PolyId withRestDivided(const State &s, Ring &ring, const Division &d,
                              PolyId t) {
  PolyId rest = ring.subtract(d.a, ring.multiply(t, d.d));
  for (const Division &e : s.divisions) {
    if (rest != noPoly && e.definition < d.definition && e.d == d.d &&
        e.a == rest) {
      return ring.add(t, e.q);
    }
  }
  return t;
}

/// With a = t*d + rest and 0 <= rest < d the quotient is t.
bool Prover::propagateQuotient(State &s, Division &d,
                               std::vector<Step> &steps) {
  if (d.q == noPoly || d.a == noPoly || d.d == noPoly || ring.isConstant(d.q)) {
    return false;
  }
  PolyId t = ring.quotient(d.a, d.d);
  if (t == noPoly) {
    return propagateDivisor(s, d, steps);
  }
  t = withRestDivided(s, ring, d, t);
  PolyId gap = t == noPoly ? noPoly : ring.subtract(d.q, t);
  if (gap == noPoly || ring.isConstant(gap)) {
    return false;
  }
  PolyId rest = ring.subtract(d.a, ring.multiply(t, d.d));
  PolyId room = ring.addConstant(ring.subtract(d.d, rest), -1);
  State earlier = earlierFacts(s, shared, d.definition);
  if (!show(s, earlier, rest, steps)) {
    return false;
  }
  earlier.atoms.push_back(s.atoms.back());
  if (!show(s, earlier, room, steps)) {
    return false;
  }
  PolyId own = ring.subtract(d.a, ring.multiply(d.q, d.d));
  PolyId ownRoom = ring.addConstant(ring.subtract(d.d, own), -1);
  State few;
  for (const AtomFact &f : s.atoms) {
    if (!f.equality && (f.poly == rest || f.poly == room || f.poly == own ||
                        f.poly == ownRoom)) {
      few.atoms.push_back(f);
    }
  }
  return equate(s, few, gap, steps);
}

/// Two selects by one condition between the same are the same.
bool Prover::propagateSelect(State &s, std::vector<Step> &steps) {
  auto isSelect = [](const Disjunction &d) {
    return d.condition != noPoly && d.branches.size() == 2 &&
           d.branches[0].size() == 2 && d.branches[1].size() == 2;
  };
  for (size_t i = 0; i < s.disjunctions.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const Disjunction &d = s.disjunctions[i], &e = s.disjunctions[j];
      if (!isSelect(d) || !isSelect(e) || d.condition != e.condition) {
        continue;
      }
      PolyId gap = ring.subtract(d.branches[0][1].poly, e.branches[0][1].poly);
      if (gap == noPoly ||
          gap != ring.subtract(d.branches[1][1].poly, e.branches[1][1].poly)) {
        continue;
      }
      State few;
      few.disjunctions = {e, d};
      if (gap == zeroPoly || equate(s, few, gap, steps)) {
        s.disjunctions.erase(s.disjunctions.begin() + i);
        return true;
      }
    }
  }
  return false;
}

/// q < q' for quotients by the same divisor: what numbers of tiles and the
/// tiles of elements have to do with each other.
void Prover::compareQuotients(State &s, std::vector<Step> &steps) {
  std::set<PolyId> stated;
  for (const AtomFact &f : s.atoms) {
    stated.insert(f.poly);
  }
  HandelmanSearch handelman(s, shared);
  for (const Division &d : s.divisions) {
    for (const Division &e : s.divisions) {
      if (d.q == e.q || d.q == noPoly || e.q == noPoly || d.d != e.d ||
          d.d == noPoly || s.decisions + 2 >= maxDecisions) {
        continue;
      }
      PolyId p = ring.addConstant(ring.subtract(e.q, d.q), -1);
      if (p == noPoly || ring.isConstant(p) || !stated.insert(p).second) {
        continue;
      }
      AtomFact negated = fresh(false, belowFact(p), s.decisions);
      unsigned degree = ring.isConstant(d.d) ? 1 : 2;
      state(s, p, negated.id, handelman.findWith({negated}, degree), steps);
    }
  }
}

TreePtr Prover::eitherWay(const Disjunction &d, HandelmanSearch &handelman,
                          const AtomFact &negated, size_t decision) {
  auto node = std::make_unique<Tree>();
  node->kind = proofs::Certificate::Kind::Case;
  node->fact = d.id;
  for (size_t b = 0; b < d.branches.size(); ++b) {
    std::vector<AtomFact> facts = branchFacts(d, b, decision);
    auto &added = node->added.emplace_back();
    for (const AtomFact &f : facts) {
      added.push_back(f.id);
    }
    facts.push_back(negated);
    TreePtr t = handelman.findWith(facts, 1);
    if (!t) {
      return nullptr;
    }
    node->children.push_back(std::move(t));
  }
  return join(std::move(node), decision, d.reasons);
}

/// What may hold of a select because it holds of either choice: its sign, that
/// it is not more or not less than one of them, and what a fact says of one.
static std::vector<PolyId> boundsOf(const Disjunction &d, const State &s,
                                    Shared &shared) {
  constexpr size_t maxTerms = 4;
  Ring &ring = shared.ring;
  std::vector<PolyId> out = {ring.addConstant(d.result, -1), d.result};
  for (const auto &branch : d.branches) {
    PolyId gap = branch.back().poly; // the result less the choice
    if (gap == noPoly) {
      continue;
    }
    out.insert(out.end(), {gap, ring.negate(gap)});
    for (const AtomFact &f : s.atoms) {
      if (f.equality || f.poly == noPoly || f.id == shared.goal ||
          ring.isConstant(f.poly) || ring.terms(f.poly).size() > maxTerms ||
          ring.constantTerm(f.poly) >= hugeNumber) {
        continue;
      }
      for (PolyId p : {ring.add(f.poly, gap), ring.subtract(f.poly, gap)}) {
        if (p != noPoly && !ring.isConstant(p) &&
            ring.terms(p).size() <= ring.terms(f.poly).size()) {
          out.push_back(p);
        }
      }
    }
  }
  return out;
}

void Prover::boundSelects(State &s, std::vector<Step> &steps) {
  for (const Disjunction &d : std::vector<Disjunction>(s.disjunctions)) {
    if (d.result == noPoly || d.branches.size() != 2) {
      continue;
    }
    std::set<PolyId> done;
    HandelmanSearch handelman(s, shared);
    for (PolyId p : boundsOf(d, s, shared)) {
      if (p == noPoly || ring.isConstant(p) || !done.insert(p).second ||
          s.decisions + 3 >= maxDecisions) {
        continue;
      }
      AtomFact negated = fresh(false, belowFact(p), s.decisions);
      TreePtr proof = eitherWay(d, handelman, negated, s.decisions + 1);
      if (state(s, p, negated.id, std::move(proof), steps)) {
        done.insert(d.result); // positive: no need to ask for more
      }
    }
  }
}

/// x >= 1 for the factors by which a product of the goal falls short of one
/// that some fact speaks of.
void Prover::raiseFactors(State &s, std::vector<Step> &steps) {
  std::set<MonoId> goal, all;
  for (const AtomFact &f : s.atoms) {
    for (const RingTerm &t :
         f.poly == noPoly ? RingTerms() : ring.terms(f.poly)) {
      if (t.mono != unit && f.id == shared.goal) {
        goal.insert(t.mono);
      }
      if (ring.variables(t.mono).size() > 1) {
        all.insert(t.mono);
      }
    }
  }
  std::set<Var> wanted;
  const std::vector<MonoId> products(all.begin(), all.end());
  for (MonoId small : goal) {
    for (MonoId big : products) {
      if (!shared.look()) {
        return;
      }
      if (auto rest = ring.divideMonomials(big, small)) {
        wanted.insert(ring.variables(*rest).begin(),
                      ring.variables(*rest).end());
      }
    }
  }
  HandelmanSearch handelman(s, shared);
  for (PolyId p : positiveFactors(s, ring)) {
    if (wanted.count(ring.variablesOf(p)[0]) &&
        s.decisions + 2 < maxDecisions) {
      AtomFact negated = fresh(false, belowFact(p), s.decisions);
      TreePtr proof = handelman.findWith({negated}, 3);
      state(s, p, negated.id, std::move(proof), steps);
    }
  }
}

bool Prover::propagate(State &s, std::vector<Step> &steps) {
  if (!std::exchange(s.compared, true)) {
    if (shared.brief) {
      raiseFactors(s, steps);
    }
    compareQuotients(s, steps);
    boundSelects(s, steps);
  }
  if (propagateSelect(s, steps)) {
    return true;
  }
  for (Division &d : s.divisions) {
    if (!std::exchange(d.propagated, true) && propagateQuotient(s, d, steps)) {
      return true;
    }
  }
  return false;
}

} // namespace girih::search
