// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Linear.h"

namespace girih::ptx {

using namespace proofs;

static constexpr unsigned maxSteps = 12, maxCases = 2;

namespace {
/// Facts by their number in a certificate; those of more than one atom, and the
/// negated goal, have none here.
using Facts = std::vector<const Atom *>;

/// A fact times a weight, of those that sum to the goal less a constant.
struct Use {
  Int weight;
  size_t fact;
};

/// The goal, less the facts that were used so far.
class Elimination {
public:
  Elimination(const Facts &facts, const Poly &goal)
      : facts(facts), rest(goal) {}
  void use(size_t fact, Int weight);
  /// Whether bounds of single variables and equalities do the rest.
  bool run();
  Certificate leaf(size_t negatedGoal) const;

private:
  bool finished();
  bool step();
  std::optional<Use> bound(Var v, Int coefficient) const;
  std::optional<Use> equality(Var v, Int coefficient) const;

  const Facts &facts;
  Poly rest;
  std::vector<Use> uses;
};
} // namespace

void Elimination::use(size_t fact, Int weight) {
  rest = rest - Poly(weight) * facts[fact]->poly;
  uses.push_back({weight, fact});
}

/// Only a constant is left, or one fact and a constant.
bool Elimination::finished() {
  auto c = rest.constant();
  for (size_t i = 0; !c && i < facts.size(); ++i) {
    const Atom *a = facts[i];
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
  for (size_t i = 0; i < facts.size(); ++i) {
    const Atom *a = facts[i];
    if (!a || a->equality || a->poly.terms().empty()) {
      continue;
    }
    const std::vector<Term> &terms = a->poly.terms();
    const Term &last = terms.back();
    bool alone =
        last.vars.size() == 1 && last.vars[0] == v &&
        (terms.size() == 1 || (terms.size() == 2 && terms[0].vars.empty()));
    if (alone && last.coeff == (coefficient > 0 ? 1 : -1)) {
      return Use{coefficient > 0 ? coefficient : -coefficient, i};
    }
  }
  return std::nullopt;
}

std::optional<Use> Elimination::equality(Var v, Int coefficient) const {
  for (size_t i = 0; i < facts.size(); ++i) {
    const Atom *a = facts[i];
    Int has = a && a->equality ? a->poly.coefficient({v}) : 0;
    if (has != 0 && coefficient % has == 0) {
      return Use{coefficient / has, i};
    }
  }
  return std::nullopt;
}

bool Elimination::step() {
  for (size_t k = rest.terms().size(); k-- > 0;) {
    const Term &t = rest.terms()[k];
    if (t.vars.size() != 1) {
      continue;
    }
    auto by = bound(t.vars[0], t.coeff);
    by = by ? by : equality(t.vars[0], t.coeff);
    if (by) {
      use(by->fact, by->weight);
      return true;
    }
  }
  return false;
}

bool Elimination::run() {
  for (unsigned n = 0; !finished(); ++n) {
    if (n == maxSteps || !step()) {
      return false;
    }
  }
  return true;
}

Certificate Elimination::leaf(size_t negatedGoal) const {
  Certificate c;
  c.products.push_back({1, {uint32_t(negatedGoal)}});
  for (const Use &u : uses) {
    c.products.push_back({u.weight, {uint32_t(u.fact)}});
  }
  return c;
}

/// A leaf from bounds, or from one inequality of several variables and bounds.
static std::optional<Certificate> leafOf(const Facts &facts, const Poly &goal,
                                         size_t negatedGoal) {
  Elimination plain(facts, goal);
  if (plain.run()) {
    return plain.leaf(negatedGoal);
  }
  for (size_t i = 0; i < facts.size(); ++i) {
    const Atom *a = facts[i];
    if (!a || a->equality || a->poly.terms().size() < 3) {
      continue;
    }
    for (const Term &t : goal.terms()) {
      Int has = t.vars.empty() ? 0 : a->poly.coefficient(t.vars);
      if (has == 0 || t.coeff % has != 0 || t.coeff / has <= 0) {
        continue;
      }
      Elimination with(facts, goal);
      with.use(i, t.coeff / has);
      if (with.run()) {
        return with.leaf(negatedGoal);
      }
      break; // the other variables mostly have the same ratio
    }
  }
  return std::nullopt;
}

static std::optional<Certificate> treeOf(const Obligation &o, Facts &facts,
                                         std::vector<bool> &used,
                                         unsigned depth) {
  size_t negatedGoal = o.hypotheses.size();
  if (auto leaf = leafOf(facts, o.goal, negatedGoal)) {
    return leaf;
  }
  for (size_t i = 0; depth < maxCases && i < negatedGoal; ++i) {
    const Fact &any = o.hypotheses[i].fact;
    if (any.atom() || used[i] || any.branches.empty()) {
      continue;
    }
    used[i] = true;
    Certificate node;
    node.kind = Certificate::Kind::Case;
    node.fact = uint32_t(i);
    size_t size = facts.size();
    for (const std::vector<Atom> &branch : any.branches) {
      for (const Atom &a : branch) {
        facts.push_back(&a);
      }
      auto child = treeOf(o, facts, used, depth + 1);
      facts.resize(size);
      if (!child) {
        break;
      }
      node.children.push_back(std::move(*child));
    }
    used[i] = false;
    if (node.children.size() == any.branches.size()) {
      return node;
    }
  }
  return std::nullopt;
}

std::optional<Certificate> linearCertificate(const Obligation &o) {
  Facts facts;
  for (const Hypothesis &h : o.hypotheses) {
    facts.push_back(h.fact.atom());
  }
  facts.push_back(nullptr); // the negated goal
  std::vector<bool> used(o.hypotheses.size());
  return treeOf(o, facts, used, 0);
}

} // namespace girih::ptx
