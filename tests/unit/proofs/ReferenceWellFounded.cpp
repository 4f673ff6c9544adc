// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference.h"
#include "Sums.h"

#include <algorithm>
#include <set>

namespace girih::proofs::test {

static Claims atom(bool equality, const Sum &s) { return {{{equality, s}}}; }

static Sum minus(const Sum &a, const Sum &b) { return plus(a, b, -1); }

/// The table of definitions; empty for an instance that it does not have.
static std::vector<Claims> table(const Definition &d) {
  std::vector<Sum> a, r;
  for (const Poly &p : d.arguments) {
    a.push_back(sumOf(p));
  }
  for (Var v : d.results) {
    r.push_back(variable(v));
  }
  Sum one = number(1);
  auto shape = [&](size_t arguments, size_t results) {
    return a.size() == arguments && r.size() == results;
  };
  if (d.kind == Definition::Kind::Quotient && shape(2, 2)) {
    return {atom(true, minus(a[0], plus(times(r[0], a[1]), r[1], 1))),
            atom(false, r[1]), atom(false, minus(minus(a[1], one), r[1])),
            atom(false, r[0])};
  }
  if (d.kind == Definition::Kind::Select && shape(3, 1)) {
    return {
        {{{false, a[0]}, {true, minus(r[0], a[1])}},
         {{false, minus(minus({}, a[0]), one)}, {true, minus(r[0], a[2])}}}};
  }
  if (d.kind == Definition::Kind::Wrap && shape(2, 2)) {
    for (unsigned w = 2; w <= 64; ++w) {
      if (same(a[1], number(w))) {
        Sum half = number(Big(1) << (w - 1)), whole = number(Big(1) << w);
        return {atom(true, minus(a[0], plus(times(r[1], whole), r[0], 1))),
                atom(false, plus(r[0], half, 1)),
                atom(false, minus(minus(half, one), r[0]))};
      }
    }
  }
  if (d.kind == Definition::Kind::Name && shape(1, 1)) {
    return {atom(true, minus(r[0], a[0]))};
  }
  return {};
}

static void collect(const Poly &p, std::set<Var> &out) {
  for (const Term &t : p.terms()) {
    out.insert(t.vars.begin(), t.vars.end());
  }
}

static std::set<Var> variablesOf(const Fact &f) {
  std::set<Var> out;
  for (const auto &branch : f.branches) {
    for (const Atom &a : branch) {
      collect(a.poly, out);
    }
  }
  return out;
}

/// Whether the fact is among the first `count` hypotheses.
static bool stands(const Obligation &o, size_t count, const Claims &fact) {
  return std::any_of(
      o.hypotheses.begin(), o.hypotheses.begin() + long(count),
      [&](const Hypothesis &h) { return same(claimsOf(h.fact), fact); });
}

/// The first hypothesis that cites a definition; their number if none does.
static size_t introduction(const Obligation &o, size_t definition) {
  for (size_t i = 0; i < o.hypotheses.size(); ++i) {
    if (o.hypotheses[i].origin.kind == Origin::Kind::Definition &&
        o.hypotheses[i].origin.index == definition) {
      return i;
    }
  }
  return o.hypotheses.size();
}

static bool needsStand(const Obligation &o, const Definition &d,
                       size_t before) {
  if (d.kind != Definition::Kind::Quotient) {
    return true;
  }
  for (const Sum &need :
       {minus(sumOf(d.arguments[1]), number(1)), sumOf(d.arguments[0])}) {
    Sum rest = need;
    Big constant = rest[{}];
    rest.erase(Powers());
    if (!(same(rest, {}) && constant >= 0) &&
        !stands(o, before, atom(false, need))) {
      return false;
    }
  }
  return true;
}

static bool definitionsAreFresh(const Obligation &o) {
  std::set<Var> results;
  for (size_t d = 0; d < o.definitions.size(); ++d) {
    size_t here = introduction(o, d);
    if (here == o.hypotheses.size()) {
      continue;
    }
    for (Var v : o.definitions[d].results) {
      if (!results.insert(v).second) {
        return false;
      }
      for (size_t i = 0; i < here; ++i) {
        if (variablesOf(o.hypotheses[i].fact).count(v)) {
          return false;
        }
      }
    }
    std::set<Var> spokenOf;
    for (const Poly &p : o.definitions[d].arguments) {
      collect(p, spokenOf);
    }
    for (size_t e = 0; e < o.definitions.size(); ++e) {
      size_t there = introduction(o, e);
      for (Var v : o.definitions[e].results) {
        if (there < o.hypotheses.size() && there >= here && spokenOf.count(v)) {
          return false;
        }
      }
    }
  }
  return true;
}

static bool isDefinition(const Obligation &o, const Hypothesis &h) {
  if (h.origin.index >= o.definitions.size()) {
    return false;
  }
  const Definition &d = o.definitions[h.origin.index];
  std::vector<Claims> facts = table(d);
  return h.origin.part < facts.size() &&
         same(claimsOf(h.fact), facts[h.origin.part]) &&
         needsStand(o, d, introduction(o, h.origin.index));
}

/// Every variable at once, so that swaps are swaps.
static Sum renamed(const Poly &p, const std::map<Var, Var> &names) {
  Sum out;
  for (const Term &t : p.terms()) {
    Sum term = number(big(t.coeff));
    for (Var v : t.vars) {
      term = times(term, variable(names.count(v) ? names.at(v) : v));
    }
    out = plus(out, term, 1);
  }
  return out;
}

static bool isProved(const std::vector<Obligation> &all, size_t index,
                     size_t number) {
  const Hypothesis &h = all[index].hypotheses[number];
  if (h.origin.index >= index) {
    return false;
  }
  const Obligation &earlier = all[h.origin.index];
  std::map<Var, Var> names;
  for (auto [from, to] : h.origin.renaming) {
    if (!names.emplace(from, to).second) {
      return false;
    }
  }
  if (!same(claimsOf(h.fact), atom(false, renamed(earlier.goal, names)))) {
    return false;
  }
  for (const Hypothesis &premise : earlier.hypotheses) {
    Claims fact;
    for (const auto &branch : premise.fact.branches) {
      fact.emplace_back();
      for (const Atom &a : branch) {
        fact.back().push_back({a.equality, renamed(a.poly, names)});
      }
    }
    if (!stands(all[index], number, fact)) {
      return false;
    }
  }
  return true;
}

bool referenceWellFounded(const std::vector<Obligation> &all, size_t index) {
  const Obligation &o = all[index];
  for (size_t i = 0; i < o.hypotheses.size(); ++i) {
    Origin::Kind kind = o.hypotheses[i].origin.kind;
    if (kind == Origin::Kind::Definition && !isDefinition(o, o.hypotheses[i])) {
      return false;
    }
    if (kind == Origin::Kind::Proved && !isProved(all, index, i)) {
      return false;
    }
  }
  return definitionsAreFresh(o);
}

} // namespace girih::proofs::test
