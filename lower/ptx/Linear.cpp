// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Linear.h"

namespace girih::ptx {

using namespace proofs;

static constexpr unsigned maxSteps = 16;

namespace {
/// A fact times a weight, of those that sum to the goal less a constant.
struct Use {
  Int weight;
  size_t fact;
};

class Elimination {
public:
  explicit Elimination(const Obligation &o) : o(o), rest(o.goal) {}
  std::optional<Certificate> run();

private:
  bool finished();
  bool step();
  bool use(size_t fact, Int weight);
  std::optional<Use> bound(Var v, Int coefficient) const;
  std::optional<Use> equality(Var v, Int coefficient) const;

  const Obligation &o;
  Poly rest;
  std::vector<Use> uses;
};
} // namespace

bool Elimination::use(size_t fact, Int weight) {
  rest = rest - Poly(weight) * o.hypotheses[fact].fact.atom()->poly;
  uses.push_back({weight, fact});
  return true;
}

/// Only a constant is left, or one fact and a constant.
bool Elimination::finished() {
  auto c = rest.constant();
  for (size_t i = 0; !c && i < o.hypotheses.size(); ++i) {
    const Atom *a = o.hypotheses[i].fact.atom();
    bool alike = a && !a->poly.terms().empty() &&
                 a->poly.terms().back() == rest.terms().back();
    auto d = alike ? (rest - a->poly).constant() : std::nullopt;
    if (d && *d >= 0) {
      use(i, 1);
      c = d;
    }
  }
  return c && *c >= 0;
}

/// A fact that says of the variable alone that it is at least, or at most,
/// something.
std::optional<Use> Elimination::bound(Var v, Int coefficient) const {
  for (size_t i = 0; i < o.hypotheses.size(); ++i) {
    const Atom *a = o.hypotheses[i].fact.atom();
    if (!a || a->equality || a->poly.terms().empty()) {
      continue;
    }
    const std::vector<Term> &terms = a->poly.terms();
    const Term &last = terms.back();
    bool alone =
        last.vars == Monomial{v} &&
        (terms.size() == 1 || (terms.size() == 2 && terms[0].vars.empty()));
    if (alone && last.coeff == (coefficient > 0 ? 1 : -1)) {
      return Use{coefficient > 0 ? coefficient : -coefficient, i};
    }
  }
  return std::nullopt;
}

std::optional<Use> Elimination::equality(Var v, Int coefficient) const {
  for (size_t i = 0; i < o.hypotheses.size(); ++i) {
    const Atom *a = o.hypotheses[i].fact.atom();
    Int has = a && a->equality ? a->poly.coefficient({v}) : 0;
    if (has != 0 && coefficient % has == 0) {
      return Use{coefficient / has, i};
    }
  }
  return std::nullopt;
}

bool Elimination::step() {
  for (size_t k = rest.terms().size(); k-- > 0;) {
    const Term t = rest.terms()[k];
    if (t.vars.size() != 1) {
      continue;
    }
    auto by = bound(t.vars[0], t.coeff);
    by = by ? by : equality(t.vars[0], t.coeff);
    if (by) {
      return use(by->fact, by->weight);
    }
  }
  return false;
}

std::optional<Certificate> Elimination::run() {
  for (unsigned n = 0; !finished(); ++n) {
    if (n == maxSteps || !step()) {
      return std::nullopt;
    }
  }
  Certificate leaf;
  leaf.products.push_back({1, {uint32_t(o.hypotheses.size())}});
  for (const Use &u : uses) {
    leaf.products.push_back({u.weight, {uint32_t(u.fact)}});
  }
  return leaf;
}

std::optional<Certificate> linearCertificate(const Obligation &o) {
  return Elimination(o).run();
}

} // namespace girih::ptx
