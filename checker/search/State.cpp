// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/State.h"

#include <algorithm>
#include <set>

namespace girih::search {

std::vector<proofs::Fact> factsOf(const proofs::Obligation &o) {
  std::vector<proofs::Fact> facts;
  for (const proofs::Hypothesis &h : o.hypotheses) {
    facts.push_back(h.fact);
  }
  facts.push_back(proofs::Fact::atLeastZero(proofs::negatedGoal(o)));
  return facts;
}

static void addVariables(std::set<Var> &to, const proofs::Poly &p) {
  for (const proofs::Term &t : p.terms()) {
    to.insert(t.vars.begin(), t.vars.end());
  }
}

static std::set<Var> variablesOf(const proofs::Fact &f) {
  std::set<Var> out;
  for (const auto &branch : f.branches) {
    for (const proofs::Atom &a : branch) {
      addVariables(out, a.poly);
    }
  }
  return out;
}

/// Proved equalities, each as two halves: what the inverse of a map says of its
/// arguments, by the names of its results.
static std::set<Var> equalityVariables(const proofs::Obligation &o) {
  std::vector<const proofs::Poly *> proved;
  for (const proofs::Hypothesis &h : o.hypotheses) {
    if (h.origin.kind == proofs::Origin::Kind::Proved && h.fact.atom()) {
      proved.push_back(&h.fact.atom()->poly);
    }
  }
  std::set<Var> to;
  for (const proofs::Poly *p : proved) {
    proofs::Poly other = -*p;
    if (!p->constant() &&
        std::any_of(proved.begin(), proved.end(),
                    [&](const proofs::Poly *q) { return *q == other; })) {
      addVariables(to, *p);
    }
  }
  return to;
}

std::vector<bool> relevantFacts(const proofs::Obligation &o, bool byName) {
  using Kind = proofs::Origin::Kind;
  std::set<Var> wanted, defined;
  addVariables(wanted, o.goal);
  if (byName) {
    wanted.merge(equalityVariables(o));
  }
  for (const proofs::Hypothesis &h : o.hypotheses) {
    if (h.origin.kind == Kind::Region || h.origin.kind == Kind::Distinct) {
      wanted.merge(variablesOf(h.fact));
    }
  }
  // A symbol may be required to be what is defined: gm == ceildiv(M, 64).
  for (const proofs::Hypothesis &h : o.hypotheses) {
    const proofs::Atom *a = h.fact.atom();
    if (a && a->equality && h.origin.kind == Kind::Contract) {
      std::set<Var> both = variablesOf(h.fact);
      if (both.size() == 2 && a->poly.degree() == 1 &&
          (wanted.count(*both.begin()) || wanted.count(*both.rbegin()))) {
        wanted.merge(both);
      }
    }
  }
  // Definitions come after those that their arguments speak of.
  for (size_t i = o.definitions.size(); i-- > 0;) {
    const proofs::Definition &d = o.definitions[i];
    defined.insert(d.results.begin(), d.results.end());
    if (std::any_of(d.results.begin(), d.results.end(),
                    [&](Var v) { return wanted.count(v); })) {
      wanted.insert(d.results.begin(), d.results.end());
      if (byName && d.kind == proofs::Definition::Kind::Name) {
        continue;
      }
      for (const proofs::Poly &p : d.arguments) {
        addVariables(wanted, p);
      }
    }
  }
  std::vector<bool> out;
  for (const proofs::Fact &f : factsOf(o)) {
    std::set<Var> all = variablesOf(f);
    out.push_back(std::all_of(all.begin(), all.end(), [&](Var v) {
      return wanted.count(v) || !defined.count(v);
    }));
  }
  return out;
}

std::vector<bool> structuralFacts(const proofs::Obligation &o) {
  using Kind = proofs::Origin::Kind;
  std::vector<bool> out = relevantFacts(o);
  for (size_t i = 0; i < o.hypotheses.size(); ++i) {
    Kind from = o.hypotheses[i].origin.kind;
    out[i] = out[i] && from != Kind::Contract && from != Kind::Proved;
  }
  return out;
}

std::vector<bool> withoutArguments(const proofs::Obligation &o) {
  using Kind = proofs::Definition::Kind;
  std::set<Var> defined, kept, left;
  addVariables(kept, o.goal);
  for (const proofs::Definition &d : o.definitions) {
    std::set<Var> of;
    for (const proofs::Poly &p : d.arguments) {
      addVariables(of, p);
    }
    bool isArgument = d.kind == Kind::Name &&
                      std::none_of(of.begin(), of.end(),
                                   [&](Var v) { return defined.count(v); });
    (isArgument ? left : kept).merge(of);
    defined.insert(d.results.begin(), d.results.end());
  }
  std::vector<bool> out = relevantFacts(o);
  std::vector<proofs::Fact> facts = factsOf(o);
  for (size_t i = 0; i < facts.size(); ++i) {
    std::set<Var> all = variablesOf(facts[i]);
    out[i] = out[i] && std::none_of(all.begin(), all.end(), [&](Var v) {
               return left.count(v) && !kept.count(v);
             });
  }
  return out;
}

State firstState(const proofs::Obligation &o,
                 const std::vector<proofs::Fact> &facts,
                 const std::vector<bool> &use, Ring &ring) {
  State s;
  for (FactId id = 0; id < facts.size(); ++id) {
    if (!use[id]) {
      continue;
    }
    if (const proofs::Atom *a = facts[id].atom()) {
      s.atoms.push_back({id,
                         a->equality,
                         ring.fromPoly(a->poly),
                         {},
                         id > o.hypotheses.size()});
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
        d.result = ring.variable(def.results[0]);
      }
    }
    s.disjunctions.push_back(std::move(d));
  }
  for (size_t i = 0; i < o.definitions.size(); ++i) {
    const proofs::Definition &d = o.definitions[i];
    if (d.arguments.size() != 2 || d.results.size() != 2) {
      continue;
    }
    if (d.kind == proofs::Definition::Kind::Quotient) {
      s.divisions.push_back({ring.variable(d.results[0]),
                             ring.fromPoly(d.arguments[0]),
                             ring.fromPoly(d.arguments[1]), i});
    } else if (d.kind == proofs::Definition::Kind::Wrap) {
      s.wraps.push_back(ring.variable(d.results[1]));
    }
  }
  for (const proofs::Poly &p : o.splits) {
    s.hints.push_back(ring.fromPoly(p));
  }
  return s;
}

} // namespace girih::search
