// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Lemmas.h"

#include "checker/search/Strategy.h"
#include "proofs/Judge.h"

#include <algorithm>
#include <functional>

namespace girih::search {

using namespace proofs;

/// a / d when d divides a, by leading terms.
static std::optional<Poly> divideExactly(Poly a, const Poly &d) {
  Poly quotient;
  if (d.terms().empty()) {
    return std::nullopt;
  }
  const Term &lead = d.terms().back();
  while (!a.terms().empty()) {
    const Term &t = a.terms().back();
    if (t.coeff % lead.coeff != 0 ||
        !std::includes(t.vars.begin(), t.vars.end(), lead.vars.begin(),
                       lead.vars.end())) {
      return std::nullopt;
    }
    Monomial rest;
    std::set_difference(t.vars.begin(), t.vars.end(), lead.vars.begin(),
                        lead.vars.end(), std::back_inserter(rest));
    Poly step = Poly::fromTerms({{rest, t.coeff / lead.coeff}});
    quotient = quotient + step;
    a = a - step * d;
  }
  return quotient;
}

/// Polynomials that may well be at least 0: from a < B * d that a div d < B,
/// and how the quotients of two divisions by the same divisor compare.
static std::vector<Poly> candidates(const Obligation &o) {
  constexpr size_t most = 16;
  std::vector<Poly> out;
  auto add = [&](Poly p) {
    if (out.size() < most && !p.constant() &&
        std::find(out.begin(), out.end(), p) == out.end()) {
      out.push_back(std::move(p));
    }
  };
  std::vector<const Definition *> divisions;
  for (const Definition &d : o.definitions) {
    if (d.kind != Definition::Kind::Quotient) {
      continue;
    }
    Poly q = Poly::variable(d.results[0]);
    for (const Hypothesis &h : o.hypotheses) {
      const Atom *a = h.fact.atom();
      if (!a || a->equality) {
        continue;
      }
      auto bound = divideExactly(a->poly + d.arguments[0] + 1, d.arguments[1]);
      if (bound && !bound->constant() && !bound->contains(d.results[0])) {
        add(*bound - 1 - q);
      }
    }
    for (const Definition *other : divisions) {
      if (other->arguments[1] == d.arguments[1]) {
        Poly p = Poly::variable(other->results[0]);
        add(p - 1 - q);
        add(q - 1 - p);
      }
    }
    divisions.push_back(&d);
  }
  return out;
}

static void renumber(Certificate &c,
                     const std::function<uint32_t(uint32_t)> &to) {
  c.fact = to(c.fact);
  for (Product &p : c.products) {
    for (uint32_t &f : p.facts) {
      f = to(f);
    }
  }
  for (Certificate &child : c.children) {
    renumber(child, to);
  }
}

static bool mentions(const Certificate &c, uint32_t fact) {
  bool uses = (c.kind == Certificate::Kind::Solve ||
               c.kind == Certificate::Kind::Case) &&
              c.fact == fact;
  for (const Product &p : c.products) {
    uses |= std::find(p.facts.begin(), p.facts.end(), fact) != p.facts.end();
  }
  return uses || std::any_of(c.children.begin(), c.children.end(),
                             [&](auto &child) { return mentions(child, fact); });
}

namespace {
/// A cut: below n = number of hypotheses, the negated goal is fact n and the
/// lemmas follow from n + 1 on.
struct Lemma {
  Poly poly;
  Certificate proof;
};
} // namespace

/// Cuts nobody uses go, from the last to the first.
static void dropUnused(std::vector<Lemma> &lemmas, Certificate &main,
                       uint32_t n) {
  for (size_t i = lemmas.size(); i-- > 0;) {
    auto fact = static_cast<uint32_t>(n + 1 + i);
    bool used = mentions(main, fact);
    for (size_t j = i + 1; j < lemmas.size(); ++j) {
      used |= mentions(lemmas[j].proof, fact);
    }
    if (used) {
      continue;
    }
    auto close = [&](uint32_t f) { return f > fact ? f - 1 : f; };
    renumber(main, close);
    for (size_t j = i + 1; j < lemmas.size(); ++j) {
      renumber(lemmas[j].proof, close);
    }
    lemmas.erase(lemmas.begin() + i);
  }
}

static void addStats(Stats &sum, const Stats &s) {
  sum.pivots += s.pivots;
  sum.programs += s.programs;
  sum.leaves += s.leaves;
  sum.terms += s.terms;
  sum.splits += s.splits;
  sum.cases += s.cases;
  sum.degree = std::max(sum.degree, s.degree);
  sum.columns = std::max(sum.columns, s.columns);
  sum.rows = std::max(sum.rows, s.rows);
}

std::optional<Certificate> findWithLemmas(const Obligation &o,
                                          const Budget &budget, Stats *stats) {
  constexpr uint64_t quick = 2000;
  Stats sum, part;
  auto search = [&](const Obligation &what, uint64_t pivots) {
    Budget b = budget;
    b.pivots = std::min(pivots, budget.pivots - std::min(budget.pivots,
                                                         sum.pivots));
    auto c = findCertificate(what, b, &part);
    addStats(sum, part);
    return c;
  };
  auto done = [&](std::optional<Certificate> c) {
    if (stats) {
      *stats = sum;
    }
    return c;
  };
  if (auto c = search(o, quick)) {
    return done(c);
  }
  auto n = static_cast<uint32_t>(o.hypotheses.size());
  Obligation with = o;
  std::vector<Lemma> lemmas;
  for (const Poly &p : candidates(o)) {
    Obligation lemma = with;
    lemma.goal = p;
    auto c = search(lemma, quick);
    if (!c) {
      continue;
    }
    // The negated goal of the whole comes in at n.
    renumber(*c, [&](uint32_t f) { return f < n ? f : f + 1; });
    lemmas.push_back({p, std::move(*c)});
    Hypothesis h;
    h.fact = Fact::atLeastZero(p);
    with.hypotheses.push_back(std::move(h));
  }
  auto k = static_cast<uint32_t>(lemmas.size());
  std::optional<Certificate> main =
      k ? search(with, budget.pivots / 2) : std::nullopt;
  if (!main) {
    return done(search(o, budget.pivots));
  }
  renumber(*main, [&](uint32_t f) {
    return f < n || f > n + k ? f : f == n + k ? n : f + 1;
  });
  dropUnused(lemmas, *main, n);
  for (size_t i = lemmas.size(); i-- > 0;) {
    Certificate have;
    have.kind = Certificate::Kind::Have;
    have.poly = lemmas[i].poly;
    have.children.push_back(std::move(lemmas[i].proof));
    have.children.push_back(std::move(*main));
    main = std::move(have);
  }
  std::vector<Fact> facts;
  for (const Hypothesis &h : o.hypotheses) {
    facts.push_back(h.fact);
  }
  facts.push_back(Fact::atLeastZero(negatedGoal(o)));
  if (!refutes(std::move(facts), *main).accepted) {
    main.reset();
  }
  return done(main);
}

} // namespace girih::search
