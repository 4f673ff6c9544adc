// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Elimination.h"

#include <algorithm>

namespace girih::search {

static void substitute(State &s, Ring &ring, Var x, PolyId value,
                       const Reasons &why) {
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
    apply(d.result);
  }
  for (Division &d : s.divisions) {
    apply(d.q), apply(d.a), apply(d.d);
  }
  for (auto *list : {&s.wraps, &s.hints, &s.boundaries}) {
    std::for_each(list->begin(), list->end(), apply);
  }
}

/// Variables that occur in p alone, linearly, with coefficient 1 or -1.
static std::vector<Var> solvable(const Ring &ring, PolyId p) {
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
    RingTerms all = ring.terms(p);
    if (std::count_if(all.begin(), all.end(), holds) == 1) {
      out.push_back(m[0]);
    }
  }
  return out;
}

/// x when p = 0 says x = q*d + r for a division of x by d.
static std::optional<Var> dividend(Ring &ring, PolyId p,
                                   const std::vector<Var> &candidates,
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

bool eliminate(State &s, Ring &ring, std::vector<Step> &steps) {
  for (size_t i = 0; i < s.atoms.size();) {
    const AtomFact f = s.atoms[i];
    std::vector<Var> candidates;
    if (f.equality && f.poly != noPoly) {
      candidates = solvable(ring, f.poly);
    }
    if (candidates.empty()) {
      ++i;
      continue;
    }
    if (s.decisions + 2 >= maxDecisions) {
      return false;
    }
    Var x =
        dividend(ring, f.poly, candidates, s)
            .value_or(*std::max_element(candidates.begin(), candidates.end()));
    Int c = ring.coefficient(f.poly, ring.monomial({x}));
    PolyId value = ring.subtract(ring.variable(x), ring.scale(f.poly, c));
    Step step{std::make_unique<Tree>(), 0, s.decisions++};
    step.node->kind = proofs::Certificate::Kind::Solve;
    step.node->fact = f.id;
    step.node->variable = x;
    step.node->reasons = f.reasons;
    step.node->added.resize(1);
    step.node->children.resize(1);
    Reasons why = f.reasons;
    why.set(step.decision);
    substitute(s, ring, x, value, why);
    steps.push_back(std::move(step));
    i = 0; // an equality before this one may have become solvable
  }
  return true;
}

} // namespace girih::search
