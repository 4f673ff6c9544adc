// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Candidates.h"

#include <set>

namespace girih::search {

std::vector<PolyId> splitCandidates(const State &s, Ring &ring) {
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
  // An equality that cannot be eliminated says already where it splits.
  std::set<PolyId> seen;
  for (const AtomFact &f : s.atoms) {
    if (f.equality) {
      seen.insert(f.poly);
    }
  }
  std::vector<PolyId> out;
  for (PolyId p : all) {
    if (p != noPoly && !ring.isConstant(p) && !seen.count(p) &&
        !seen.count(ring.negate(p))) {
      seen.insert(p);
      out.push_back(p);
    }
  }
  return out;
}

/// Variables of nonlinear monomials of facts from `from` on.
static std::set<Var> factorsOf(const State &s, const Ring &ring, FactId from) {
  std::set<Var> out;
  for (const AtomFact &f : s.atoms) {
    if (f.id < from || f.poly == noPoly) {
      continue;
    }
    for (const RingTerm &t : ring.terms(f.poly)) {
      const proofs::Monomial &vars = ring.variables(t.mono);
      if (vars.size() > 1) {
        out.insert(vars.begin(), vars.end());
      }
    }
  }
  return out;
}

/// x where f says x >= c.
static std::optional<Var> boundedBelow(const AtomFact &f, Ring &ring) {
  if (f.equality || f.poly == noPoly) {
    return std::nullopt;
  }
  return ring.asVariable(ring.addConstant(f.poly, -ring.constantTerm(f.poly)));
}

std::vector<PolyId> openFactors(const State &s, Ring &ring, FactId focus) {
  std::set<Var> factors = factorsOf(s, ring, focus);
  for (const AtomFact &f : s.atoms) {
    if (std::optional<Var> x = boundedBelow(f, ring)) {
      factors.erase(*x);
    }
  }
  std::vector<PolyId> out;
  for (Var x : factors) {
    out.push_back(ring.variable(x));
  }
  return out;
}

std::vector<PolyId> positiveFactors(const State &s, Ring &ring) {
  std::set<Var> factors = factorsOf(s, ring, 0);
  std::vector<PolyId> out;
  for (const AtomFact &f : s.atoms) {
    std::optional<Var> x = boundedBelow(f, ring);
    if (x && factors.count(*x) && ring.constantTerm(f.poly) == 0) {
      out.push_back(ring.addConstant(f.poly, -1));
    }
  }
  return out;
}

/// The facts from which `known`, a < B*d, makes q < B.
static State boundFacts(const State &s, Ring &ring, const Division &d,
                        const AtomFact &known) {
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
  return few;
}

std::vector<Bound> quotientBounds(const State &s, Ring &ring) {
  std::vector<Bound> out;
  for (const Division &d : s.divisions) {
    if (d.q == noPoly || d.a == noPoly || d.d == noPoly) {
      continue;
    }
    for (const AtomFact &known : s.atoms) {
      if (known.equality || known.poly == noPoly) {
        continue;
      }
      PolyId upper = ring.addConstant(ring.add(known.poly, d.a), 1);
      PolyId bound = upper == noPoly ? noPoly : ring.quotient(upper, d.d);
      if (bound != noPoly && ring.multiply(bound, d.d) == upper) {
        out.push_back({ring.addConstant(ring.subtract(bound, d.q), -1),
                       boundFacts(s, ring, d, known)});
      }
    }
  }
  return out;
}

std::vector<PolyId> quotientComparisons(const State &s, Ring &ring) {
  std::vector<PolyId> out;
  for (const Division &d : s.divisions) {
    for (const Division &e : s.divisions) {
      bool comparable =
          d.d == e.d || (ring.isConstant(d.d) && ring.isConstant(e.d));
      if (comparable && d.q != e.q) {
        out.push_back(ring.addConstant(ring.subtract(e.q, d.q), -1));
      }
    }
  }
  return out;
}

} // namespace girih::search
