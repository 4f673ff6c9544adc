// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is true of quotients where their dividends are bounded, proved once for
// all goals that may need it. None of it is trusted: each is a goal.

#include "lower/ptx/Access.h"

#include <algorithm>

namespace girih::ptx {

using namespace proofs;

/// k and c where p is d*k + c with a variable d and a number c.
static std::optional<std::pair<Poly, Int>> multipleOf(const Poly &p, Var d) {
  std::vector<Term> factor;
  Int constant = 0;
  for (Term t : p.terms()) {
    auto it = std::find(t.vars.begin(), t.vars.end(), d);
    if (it != t.vars.end()) {
      t.vars.erase(it);
      factor.push_back(std::move(t));
    } else if (t.vars.empty()) {
      constant = t.coeff;
    } else {
      return std::nullopt;
    }
  }
  return std::pair(Poly::fromTerms(std::move(factor)), constant);
}

/// Where a < d*k, a div d is at most k - 1. The dividend may itself be such a
/// quotient.
void findQuotientLemmas(Evaluator &e) {
  Symbols &s = e.symbols;
  size_t count = s.definitions().size();
  std::vector<std::pair<size_t, Poly>> found; ///< by block
  for (size_t i = 0; i < count; ++i) {
    const Defined &of = s.definitions()[i];
    const Definition d = of.definition;
    if (d.kind != Definition::Kind::Quotient || of.witness != 0 ||
        d.arguments[1].constant() || d.arguments[1].terms().size() != 1 ||
        d.arguments[1].degree() != 1) {
      continue;
    }
    size_t home = of.home;
    for (size_t b = 1; b < e.flow.blocks().size(); ++b) {
      if (!e.flow.dominates(home, b)) {
        continue;
      }
      std::vector<Poly> least0;
      std::vector<Hypothesis> facts = e.facts(b);
      size_t known = e.facts(e.flow.blocks()[b].dominator).size();
      for (size_t f = b == home ? 0 : known; f < facts.size(); ++f) {
        const Atom *a = facts[f].fact.atom();
        if (a && !a->equality) {
          least0.push_back(a->poly);
        }
      }
      for (const auto &[block, p] : found) {
        if (block == b || (b == home && e.flow.dominates(block, b))) {
          least0.push_back(p);
        }
      }
      for (const Poly &p : least0) {
        auto bound =
            multipleOf(p + d.arguments[0], d.arguments[1].terms()[0].vars[0]);
        if (bound && bound->second <= -1 && !bound->first.isZero()) {
          Poly goal = bound->first - Poly(1) - Poly::variable(d.results[0]);
          s.lemma("quotient below its bound", e.flow.blocks()[b].first, b,
                  goal);
          found.push_back({b, std::move(goal)});
        }
      }
    }
  }
}

} // namespace girih::ptx
