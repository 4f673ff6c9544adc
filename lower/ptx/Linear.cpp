// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Linear.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace girih::ptx {

using namespace proofs;

/// What an attempt may cost; easy ones are made first.
struct Limits {
  unsigned turns, factors, cases, effort;
};
static constexpr Limits attempts[] = {{1, 1, 1, 150}, {5, 5, 1, 500}};
static constexpr unsigned maxTries = 250, maxSteps = 26;

namespace {
/// Facts by their number in a certificate; those of more than one atom, and the
/// negated goal, have none here.
using Facts = std::vector<const Atom *>;

/// A product of facts times a weight.
struct Use {
  Int weight;
  std::vector<uint32_t> factors;
};

/// What has to be a positive constant, less what was used so far.
class Elimination {
public:
  Elimination(const Facts &facts, Poly rest, Limits &left)
      : facts(facts), rest(std::move(rest)), left(left) {}
  Elimination &operator=(const Elimination &) = delete;
  Elimination(const Elimination &) = default;
  void use(Use u);
  /// Whether facts and products of two of them take all but a positive
  /// constant.
  /// The first way that offers itself is mostly the one: so those are gone
  /// first that turn away from it least.
  bool run();
  void addTo(Certificate &c) const;

private:
  bool run(unsigned turns, unsigned depth, unsigned &tries);
  bool finished();
  std::vector<Use> candidates(const Term &t) const;
  void single(const Term &t, std::vector<Use> &out) const;
  void products(const Term &t, std::vector<Use> &out) const;
  void quotients(const Term &t, std::vector<Use> &out) const;

  const Facts &facts;
  Poly rest;
  Limits &left; ///< that is left for the obligation
  std::vector<Use> uses;
};
} // namespace

void Elimination::use(Use u) {
  Poly product(u.weight);
  for (uint32_t i : u.factors) {
    product = product * facts[i]->poly;
  }
  rest = rest - product;
  uses.push_back(std::move(u));
}

/// Only a constant is left, or one fact and a constant.
bool Elimination::finished() {
  auto c = rest.constant();
  for (size_t i = 0; !c && i < facts.size(); ++i) {
    const Atom *a = facts[i];
    bool alike = a && !a->poly.terms().empty() &&
                 a->poly.terms().back() == rest.terms().back();
    auto d = alike ? (rest - a->poly).constant() : std::nullopt;
    if (d && *d >= 1) {
      use({1, {uint32_t(i)}});
      c = d;
    }
  }
  return c && *c >= 1;
}

/// A fact that says of a variable alone that it is at least, or at most,
/// something: the coefficient is 1 or -1.
static Int boundOf(const Atom *a, Var v) {
  if (!a || a->equality || a->poly.terms().empty() ||
      a->poly.terms().size() > 2) {
    return 0;
  }
  const Term &last = a->poly.terms().back();
  bool alone = last.vars.size() == 1 && last.vars[0] == v &&
               (a->poly.terms().size() == 1 || a->poly.terms()[0].vars.empty());
  return alone && (last.coeff == 1 || last.coeff == -1) ? last.coeff : 0;
}

static bool isLarge(const Atom *a) {
  constexpr Int large = 1 << 24;
  const Term &first = a->poly.terms()[0];
  return first.vars.empty() && (first.coeff > large || first.coeff < -large);
}

/// How often a fact is used so that it takes a term; 0: it cannot.
static Int weightFor(const Atom *a, const Term &t) {
  Int has = a ? a->poly.coefficient(t.vars) : 0;
  if (has == 0 || t.coeff % has != 0) {
    return 0;
  }
  Int w = t.coeff / has;
  return w > 0 || a->equality ? w : 0;
}

static void append(std::array<std::vector<Use>, 4> &kinds,
                   std::vector<Use> &out) {
  for (std::vector<Use> &kind : kinds) {
    std::move(kind.begin(), kind.end(), std::back_inserter(out));
  }
}

void Elimination::single(const Term &t, std::vector<Use> &out) const {
  // What another variable is at most or at least first, then bounds, then
  // equalities, then what speaks of several variables.
  std::array<std::vector<Use>, 4> kinds;
  for (size_t i = 0; i < facts.size(); ++i) {
    const Atom *a = facts[i];
    Int w = weightFor(a, t);
    if (w == 0) {
      continue;
    }
    bool bound = t.vars.size() == 1 && boundOf(a, t.vars[0]) != 0;
    bool order = !a->equality && a->poly.terms().size() == 2 &&
                 a->poly.degree() == 1 && !a->poly.terms()[0].vars.empty();
    kinds[order         ? 0
          : bound       ? 1
          : a->equality ? 2
                        : 3]
        .push_back({w, {uint32_t(i)}});
  }
  append(kinds, out);
}

/// A term of two variables, by a fact about one of them times a bound of the
/// other.
void Elimination::products(const Term &t, std::vector<Use> &out) const {
  if (t.vars.size() != 2) {
    return;
  }
  // Bounds that are small numbers first, those of a machine type last.
  std::array<std::vector<Use>, 4> kinds;
  for (int turn = 0; turn < 2; ++turn) {
    Var x = t.vars[turn], y = t.vars[1 - turn];
    std::vector<std::pair<uint32_t, Int>> ofY;
    const Monomial alone = {y};
    for (size_t i = 0; i < facts.size(); ++i) {
      const Atom *a = facts[i];
      bool isShort = a && a->poly.degree() == 1 && a->poly.terms().size() <= 4;
      if (Int has = isShort ? a->poly.coefficient(alone) : 0) {
        ofY.push_back({uint32_t(i), has});
      }
    }
    for (size_t b = 0; b < facts.size(); ++b) {
      Int of = boundOf(facts[b], x);
      if (of == 0) {
        continue;
      }
      for (auto [i, coefficient] : ofY) {
        const Atom *a = facts[i];
        Int has = coefficient * of;
        Int w = t.coeff % has == 0 ? t.coeff / has : 0;
        if (w > 0 || (w != 0 && a->equality)) {
          int kind = isLarge(facts[b]) || isLarge(a) ? 3
                     : boundOf(a, y) != 0            ? 0
                     : a->equality                   ? 1
                                                     : 2;
          kinds[kind].push_back({w, {uint32_t(b), i}});
        }
      }
    }
  }
  append(kinds, out);
}

/// An upper bound of a quotient q of a by d is one of a: (d - 1)*q is at least
/// 0.
void Elimination::quotients(const Term &t, std::vector<Use> &out) const {
  if (t.vars.size() != 1 || t.coeff > 0) {
    return;
  }
  Var q = t.vars[0];
  for (const Atom *e : facts) {
    if (!e || !e->equality) {
      continue;
    }
    for (const Term &in : e->poly.terms()) {
      if (in.vars.size() != 2 || in.vars[0] == in.vars[1] ||
          (in.vars[0] != q && in.vars[1] != q)) {
        continue;
      }
      Var d = in.vars[0] == q ? in.vars[1] : in.vars[0];
      for (size_t i = 0; i < facts.size(); ++i) {
        bool isOne = boundOf(facts[i], d) == 1 &&
                     facts[i]->poly.terms()[0].vars.empty() &&
                     facts[i]->poly.terms()[0].coeff == -1;
        for (size_t k = 0; isOne && k < facts.size(); ++k) {
          if (boundOf(facts[k], q) == 1 && facts[k]->poly.terms().size() == 1) {
            out.push_back({-t.coeff, {uint32_t(i), uint32_t(k)}});
            return;
          }
        }
      }
    }
  }
}

std::vector<Use> Elimination::candidates(const Term &t) const {
  std::vector<Use> out;
  single(t, out);
  products(t, out);
  quotients(t, out);
  // What was used to take another term would bring it back.
  std::erase_if(out, [&](const Use &u) {
    return std::any_of(uses.begin(), uses.end(), [&](const Use &before) {
      return before.factors == u.factors;
    });
  });
  constexpr size_t most = 6;
  if (out.size() > most) {
    out.resize(most);
  }
  return out;
}

bool Elimination::run() {
  unsigned tries = 0;
  for (unsigned turns = 0; turns <= left.turns && tries <= maxTries; ++turns) {
    if (run(turns, 0, tries)) {
      return true;
    }
  }
  return false;
}

bool Elimination::run(unsigned turns, unsigned depth, unsigned &tries) {
  if (finished()) {
    return true;
  }
  if (rest.constant() || rest.overflowed() || depth == maxSteps) {
    return false;
  }
  std::vector<Use> all = candidates(rest.terms().back());
  for (size_t i = 0; i < all.size() && i <= turns; ++i) {
    if (++tries > maxTries || left.effort == 0) {
      return false;
    }
    --left.effort;
    Elimination next = *this;
    next.use(std::move(all[i]));
    if (next.run(turns - unsigned(i), depth + 1, tries)) {
      uses = std::move(next.uses);
      return true;
    }
  }
  return false;
}

void Elimination::addTo(Certificate &c) const {
  for (const Use &u : uses) {
    c.products.push_back({u.weight, u.factors});
  }
}

namespace {
/// What the negated goal is multiplied with.
struct Factor {
  Int weight = 1;
  std::optional<uint32_t> bound; ///< and, besides once: a variable less 1
  Poly poly{1};
};
} // namespace

/// Multiples of the goal that divisions in the facts ask for.
static std::vector<Factor> factorsOf(const Facts &facts, const Poly &goal,
                                     size_t most) {
  std::vector<Factor> out = {Factor()};
  for (const Atom *e : facts) {
    if (out.size() >= most) {
      break;
    }
    if (!e || !e->equality) {
      continue;
    }
    for (const Term &in : e->poly.terms()) {
      bool speaks = false;
      for (const Term &t : goal.terms()) {
        speaks = speaks ||
                 (t.vars.size() == 1 && !in.vars.empty() &&
                  (in.vars[0] == t.vars[0] || in.vars.back() == t.vars[0]));
      }
      if (!speaks) {
        continue;
      }
      Int size = in.coeff < 0 ? -in.coeff : in.coeff;
      if (in.vars.size() == 1 && size > 1) {
        out.push_back({size, {}, Poly(size)});
      }
      for (size_t k = 0; in.vars.size() == 2 && k < 2; ++k) {
        for (size_t i = 0; i < facts.size(); ++i) {
          if (boundOf(facts[i], in.vars[k]) == 1 &&
              facts[i]->poly == Poly::variable(in.vars[k]) - Poly(1) &&
              goal.coefficient({in.vars[1 - k]}) != 0) {
            out.push_back({1, uint32_t(i), Poly::variable(in.vars[k])});
            break;
          }
        }
      }
    }
  }
  if (out.size() > most) {
    out.resize(most);
  }
  return out;
}

/// A leaf that needs the negated goal, or what is wrong without it.
static std::optional<Certificate> leafOf(const Facts &facts, const Poly &goal,
                                         size_t negatedGoal, size_t added,
                                         Limits &left) {
  // A contradiction of what a case added.
  for (size_t i = added; i < facts.size(); ++i) {
    const Atom *a = facts[i];
    if (!a || a->poly.terms().empty() || a->poly.terms().size() > 2) {
      continue;
    }
    for (size_t k = 0; k < facts.size(); ++k) {
      if (!facts[k] || facts[k]->poly.degree() != 1 ||
          facts[k]->poly.terms().size() > 3 || k == i ||
          facts[k]->poly.coefficient(a->poly.terms().back().vars) == 0) {
        continue;
      }
      Elimination e(facts, Poly(), left);
      e.use({1, {uint32_t(k)}});
      if (e.run()) {
        Certificate c;
        e.addTo(c);
        return c;
      }
    }
  }
  for (const Factor &f : factorsOf(facts, goal, left.factors)) {
    Elimination e(facts, f.poly * (goal + Poly(1)), left);
    if (e.run()) {
      Certificate c;
      c.products.push_back({f.weight, {uint32_t(negatedGoal)}});
      if (f.bound) {
        c.products.push_back({1, {uint32_t(negatedGoal), *f.bound}});
      }
      e.addTo(c);
      return c;
    }
  }
  return std::nullopt;
}

/// Whether a fact speaks of a variable of the goal.
static bool speaks(const Fact &f, const Poly &goal) {
  for (const std::vector<Atom> &branch : f.branches) {
    for (const Atom &a : branch) {
      for (const Term &t : a.poly.terms()) {
        for (Var v : t.vars) {
          if (goal.contains(v)) {
            return true;
          }
        }
      }
    }
  }
  return false;
}

static std::optional<Certificate> treeOf(const Obligation &o, Facts &facts,
                                         std::vector<bool> &used, size_t added,
                                         unsigned depth, Limits &left) {
  size_t negatedGoal = o.hypotheses.size();
  if (auto leaf = leafOf(facts, o.goal, negatedGoal, added, left)) {
    return leaf;
  }
  // From the last one: it speaks of what the goal speaks of.
  for (size_t i = negatedGoal; depth < left.cases && i-- > 0;) {
    const Fact &any = o.hypotheses[i].fact;
    if (any.atom() || used[i] || any.branches.empty() ||
        (depth == 0 && !speaks(any, o.goal))) {
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
      auto child = treeOf(o, facts, used, size, depth + 1, left);
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

/// Three ways for a polynomial that is worth it, then for the next one.
static std::optional<Certificate> splitOf(const Obligation &o, Facts &facts,
                                          size_t next, Limits &left) {
  size_t negatedGoal = o.hypotheses.size();
  if (auto leaf = leafOf(facts, o.goal, negatedGoal, facts.size(), left)) {
    return leaf;
  }
  if (next == o.splits.size()) {
    return std::nullopt;
  }
  Certificate node;
  node.kind = Certificate::Kind::Split;
  node.poly = o.splits[next];
  const Atom ways[] = {{false, -node.poly - Poly(1)},
                       {true, node.poly},
                       {false, node.poly - Poly(1)}};
  for (const Atom &way : ways) {
    facts.push_back(&way);
    auto child = splitOf(o, facts, next + 1, left);
    facts.pop_back();
    if (!child) {
      return std::nullopt;
    }
    node.children.push_back(std::move(*child));
  }
  return node;
}

std::optional<Certificate> linearCertificate(const Obligation &o) {
  Facts facts;
  for (const Hypothesis &h : o.hypotheses) {
    facts.push_back(h.fact.atom());
  }
  facts.push_back(nullptr); // the negated goal
  std::vector<bool> used(o.hypotheses.size());
  for (Limits left : attempts) {
    if (auto tree = treeOf(o, facts, used, facts.size(), 0, left)) {
      return tree;
    }
    if (auto tree =
            o.splits.empty() ? std::nullopt : splitOf(o, facts, 0, left)) {
      return tree;
    }
  }
  return std::nullopt;
}

} // namespace girih::ptx
