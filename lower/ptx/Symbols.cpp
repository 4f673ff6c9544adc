// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Symbols.h"

#include <algorithm>
#include <numeric>

namespace girih::ptx {

using namespace proofs;

Hypothesis assumed(Fact fact, Origin::Kind origin) {
  Hypothesis h{std::move(fact), {}};
  h.origin.kind = origin;
  return h;
}

Symbols::Symbols(const Expected &expected) : expected(expected) {
  for (const std::string &name : expected.variables) {
    add({name, {}, 0, {}, {}, false, {}, {}});
  }
  for (size_t axis = 0; axis < 3; ++axis) {
    Var v = block(axis);
    Poly x = Poly::variable(v);
    variables[v].facts = {
        assumed(Fact::atLeastZero(x), Origin::Kind::Launch),
        assumed(Fact::atLeastZero(expected.grid[axis] - Poly(1) - x),
                Origin::Kind::Launch)};
    variables[v].low = 0;
  }
  for (const Hypothesis &h : expected.given) {
    // A bound of one symbol, plain to see.
    const Atom *a = h.fact.atom();
    if (!a || a->equality || a->poly.degree() != 1) {
      continue;
    }
    const std::vector<Term> &terms = a->poly.terms();
    const Term &last = terms.back();
    if (terms.size() > 2 || (terms.size() == 2 && !terms[0].vars.empty())) {
      continue;
    }
    Int constant = terms.size() == 2 ? terms[0].coeff : 0;
    Variable &v = variables[last.vars[0]];
    if (last.coeff == 1) {
      v.low = std::max(v.low.value_or(-constant), -constant);
    } else if (last.coeff == -1) {
      v.high = std::min(v.high.value_or(constant), constant);
    }
  }
  for (size_t axis = 0; axis < 3; ++axis) {
    if (auto most = bounds(expected.grid[axis]).high) {
      variables[block(axis)].high = *most - 1;
    }
  }
  for (const Definition &d : expected.definitions) {
    Defined of{d, 0, {}};
    for (const auto &[label, goal] :
         {std::pair("divisor", d.arguments[1] - Poly(1)),
          std::pair("dividend", d.arguments[0])}) {
      of.needs.push_back(
          {emit(Goal{"ptx.division", label, 0, 0, {}, goal}), {}});
    }
    defined.push_back(std::move(of));
    for (Var v : d.results) {
      variables[v].definition = defined.size() - 1;
      variables[v].low = 0;
    }
  }
  firstThread = Var(variables.size());
  constexpr const char *names[] = {"tx", "ty", "tz"};
  for (size_t axis = 0; axis < 3; ++axis) {
    Variable v;
    v.name = names[axis];
    v.perThread = true;
    v.low = 0;
    v.high = Int(expected.threads[axis]) - 1;
    Poly x = Poly::variable(Var(variables.size()));
    v.facts = {
        assumed(Fact::atLeastZero(x), Origin::Kind::Launch),
        assumed(Fact::atLeastZero(Poly(*v.high) - x), Origin::Kind::Launch)};
    add(std::move(v));
  }
}

Var Symbols::add(Variable v) {
  variables.push_back(std::move(v));
  return Var(variables.size() - 1);
}

std::vector<std::string> Symbols::names() const {
  std::vector<std::string> out;
  for (const Variable &v : variables) {
    out.push_back(v.name);
  }
  return out;
}

// Far below the ends of 128 bits, so that no sum of products overflows.
static constexpr Int maxBound = Int(1) << 100;

static std::optional<Int> times(std::optional<Int> a, std::optional<Int> b) {
  Int out = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &out) || out > maxBound ||
      out < -maxBound) {
    return std::nullopt;
  }
  return out;
}

Bounds Symbols::bounds(const Poly &p) const {
  Bounds sum{0, 0};
  for (const Term &t : p.terms()) {
    Bounds term{t.coeff, t.coeff};
    for (Var v : t.vars) {
      const Variable &x = variables[v];
      // Of products only those of numbers that are not negative.
      if (!x.low || *x.low < 0) {
        term = {};
      } else if (t.coeff > 0) {
        term = {times(term.low, x.low), times(term.high, x.high)};
      } else {
        term = {times(term.low, x.high), times(term.high, x.low)};
      }
    }
    auto plus = [](std::optional<Int> a, std::optional<Int> b) {
      return a && b && *a + *b < maxBound && *a + *b > -maxBound
                 ? std::optional(*a + *b)
                 : std::nullopt;
    };
    sum = {plus(sum.low, term.low), plus(sum.high, term.high)};
  }
  return sum;
}

Int Symbols::content(const Poly &p) {
  Int power = Int(1) << 62;
  for (const Term &t : p.terms()) {
    while (t.coeff % power != 0) {
      power /= 2;
    }
  }
  return power;
}

size_t Symbols::emit(Goal goal) {
  all.push_back(std::move(goal));
  return all.size() - 1;
}

void Symbols::emit(std::string rule, std::string label, size_t instruction,
                   size_t block, Poly goal) {
  if (auto c = goal.constant(); c && *c >= 0) {
    return;
  }
  Goal g{std::move(rule), std::move(label), instruction, block, {},
         std::move(goal)};
  if (witness) {
    g.block.reset();
    g.extra = *witness;
  }
  emit(std::move(g));
}

/// The largest number that divides each coefficient and `common`; 0 is divided
/// by all.
static Int divisorOf(const Poly &p, Int common) {
  for (const Term &t : p.terms()) {
    Int x = t.coeff < 0 ? -t.coeff : t.coeff;
    while (x != 0) {
      std::swap(x, common);
      x %= common;
    }
  }
  return common;
}

static Poly quotientOf(const Poly &p, Int by) {
  std::vector<Term> terms = p.terms();
  for (Term &t : terms) {
    t.coeff /= by;
  }
  return Poly::fromTerms(std::move(terms));
}

Poly Symbols::reduced(const Poly &p) {
  Int common = divisorOf(p, 0);
  return common > 1 ? quotientOf(p, common) : p;
}

void Symbols::lemma(std::string label, size_t instruction, size_t block,
                    Poly goal) {
  size_t number = emit(Goal{
      "ptx.lemma", std::move(label), instruction, block, {}, std::move(goal)});
  allLemmas.push_back({number, block});
}

/// What is plain to see of a variable, for those who need it.
void Symbols::boundLemmas(Var v, size_t instruction) {
  const Variable of = variables[v];
  Poly x = Poly::variable(v);
  if (of.low) {
    lemma("least " + of.name, instruction, of.home, x - Poly(*of.low));
  }
  if (of.high) {
    lemma("most " + of.name, instruction, of.home, Poly(*of.high) - x);
  }
}

static Int floorDiv(Int a, Int b) { return a / b - (a % b < 0); }

std::pair<Poly, Poly> Symbols::divided(const Poly &a, const Poly &by,
                                       size_t instruction, size_t block) {
  std::optional<Int> d = by.constant();
  if (!d && by.terms().size() == 1 && by.terms()[0].vars.size() == 1 &&
      by.terms()[0].coeff == 1) {
    // Multiples of a divisor that is a variable move out as well.
    Var v = by.terms()[0].vars[0];
    std::vector<Term> whole, rest;
    for (const Term &t : a.terms()) {
      auto it = std::find(t.vars.begin(), t.vars.end(), v);
      (it == t.vars.end() ? rest : whole).push_back(t);
      if (it != t.vars.end()) {
        Monomial &m = whole.back().vars;
        m.erase(std::find(m.begin(), m.end(), v));
      }
    }
    Poly left = Poly::fromTerms(std::move(rest));
    if (Bounds of = bounds(left); of.low && *of.low >= 0) {
      auto [q, r] = quotient(left, by, instruction, block);
      return {q + Poly::fromTerms(std::move(whole)), r};
    }
  }
  if (!d || *d <= 0) {
    return quotient(a, by, instruction, block);
  }
  // a = d*whole + rest: the terms that d divides move out of the division.
  std::vector<Term> whole, rest;
  for (const Term &t : a.terms()) {
    if (t.coeff % *d == 0) {
      whole.push_back({t.vars, t.coeff / *d});
    } else if (t.vars.empty()) {
      Int q = floorDiv(t.coeff, *d);
      whole.push_back({{}, q});
      rest.push_back({{}, t.coeff - q * *d});
    } else {
      rest.push_back(t);
    }
  }
  Poly w = Poly::fromTerms(std::move(whole)), r = Poly::fromTerms(rest);
  if (auto c = r.constant()) {
    return {w, *c};
  }
  // A common divisor of the rest and of d moves out as well.
  Int common = divisorOf(r, *d);
  if (common > 1) {
    auto [q, s] =
        divided(quotientOf(r, common), *d / common, instruction, block);
    return {w + q, Poly(common) * s};
  }
  Bounds b = bounds(r);
  if (b.low && b.high && *b.low >= 0 && *b.high < *d) {
    emit("ptx.division", "not negative", instruction, block, r);
    emit("ptx.division", "below the divisor", instruction, block,
         Poly(*d - 1) - r);
    return {w, r};
  }
  auto [q, s] = quotient(r, by, instruction, block);
  return {w + q, s};
}

/// A division of what another division has taken apart already: by a multiple
/// of its divisor, or by a part of it. So all divisions of the number of a
/// thread speak of the same digits.
std::optional<std::pair<Poly, Poly>> Symbols::throughAnother(const Poly &a,
                                                             const Poly &by,
                                                             size_t instruction,
                                                             size_t block) {
  std::optional<Int> d = by.constant();
  for (size_t k = 0; d && *d > 0 && k < defined.size(); ++k) {
    const Definition of = defined[k].definition;
    if (of.kind != Definition::Kind::Quotient || of.arguments[0] != a ||
        defined[k].witness != 0 || !dominates(defined[k].home, block)) {
      continue;
    }
    std::optional<Int> known = of.arguments[1].constant();
    Poly q = Poly::variable(of.results[0]), r = Poly::variable(of.results[1]);
    if (known && *d > *known && *d % *known == 0) {
      auto [above, digit] = divided(q, *d / *known, instruction, block);
      return std::pair(above, Poly(*known) * digit + r);
    }
    if (known && *known > *d && *known % *d == 0) {
      return divided(Poly(*known) * q + r, by, instruction, block);
    }
  }
  return std::nullopt;
}

std::pair<Poly, Poly> Symbols::quotient(const Poly &a, const Poly &by,
                                        size_t instruction, size_t block) {
  for (const Defined &d : defined) {
    const Definition &of = d.definition;
    if (of.kind == Definition::Kind::Quotient && of.arguments[0] == a &&
        of.arguments[1] == by &&
        (d.witness == 0 ? dominates(d.home, block)
                        : witness && d.witness == witnessNumber)) {
      return {Poly::variable(of.results[0]), Poly::variable(of.results[1])};
    }
  }
  if (auto parts = throughAnother(a, by, instruction, block)) {
    return *parts;
  }
  Defined d;
  Bounds b = bounds(a);
  // Where it is plain that nothing is negative, it is so everywhere.
  bool anywhere = b.low && *b.low >= 0 && by.constant();
  for (const Term &t : a.terms()) {
    for (Var v : t.vars) {
      anywhere = anywhere && variables[v].home == 0;
    }
  }
  d.home = anywhere || witness ? 0 : block;
  d.witness = !anywhere && witness ? witnessNumber : 0;
  for (const auto &[label, goal] :
       {std::pair("divisor", by - Poly(1)), std::pair("dividend", a)}) {
    Goal g{"ptx.division", label, instruction, d.home, {}, goal};
    if (d.witness != 0) {
      g.block.reset();
      g.extra = *witness;
    }
    d.needs.push_back({emit(std::move(g)), {}});
  }
  std::string number = std::to_string(defined.size());
  Variable q, r;
  q.name = "q" + number;
  r.name = "r" + number;
  q.home = r.home = d.home;
  q.definition = r.definition = defined.size();
  q.low = r.low = 0;
  if (auto c = by.constant(); c && *c > 0) {
    r.high = *c - 1;
    if (b.high) {
      q.high = floorDiv(*b.high, *c);
    }
  } else if (Bounds d = bounds(by); d.low && *d.low > 0) {
    q.high = b.high;
    r.high = d.high ? std::optional(*d.high - 1) : std::nullopt;
  }
  d.definition.kind = Definition::Kind::Quotient;
  d.definition.arguments = {a, by};
  d.definition.results = {add(std::move(q)), 0};
  d.definition.results[1] = add(std::move(r));
  defined.push_back(d);
  if (d.witness == 0 && variables[d.definition.results[0]].high) {
    Var v = d.definition.results[0];
    lemma("most " + variables[v].name, instruction, d.home,
          Poly(*variables[v].high) - Poly::variable(v));
  }
  return {Poly::variable(d.definition.results[0]),
          Poly::variable(d.definition.results[1])};
}

Poly Symbols::selected(const Poly &condition, const Poly &a, const Poly &b,
                       size_t block) {
  if (auto c = condition.constant()) {
    return *c >= 0 ? a : b;
  }
  // What divides both moves out, so that addresses keep what they are
  // multiples of.
  Int common = divisorOf(b, divisorOf(a, 0));
  if (common > 1) {
    bool isOrder = condition == a - b || condition == b - a;
    return Poly(common) *
           selected(isOrder ? quotientOf(condition, common) : condition,
                    quotientOf(a, common), quotientOf(b, common), block);
  }
  for (const Defined &d : defined) {
    if (d.definition.kind == Definition::Kind::Select &&
        d.definition.arguments == std::vector<Poly>{condition, a, b} &&
        dominates(d.home, block)) {
      return Poly::variable(d.definition.results[0]);
    }
  }
  Variable m;
  m.name = "m" + std::to_string(defined.size());
  for (const Poly *p : {&condition, &a, &b}) {
    for (const Term &t : p->terms()) {
      for (Var v : t.vars) {
        if (dominates(m.home, variables[v].home)) {
          m.home = variables[v].home;
        }
      }
    }
  }
  Bounds x = bounds(a), y = bounds(b);
  if (condition == a - b) { // the larger one
    m.low = std::max(x.low, y.low);
  } else if (x.low && y.low) {
    m.low = std::min(*x.low, *y.low);
  }
  if (condition == b - a && (x.high || y.high)) { // the smaller one
    m.high = !x.high ? y.high : !y.high ? x.high : std::min(x.high, y.high);
  } else if (x.high && y.high) {
    m.high = std::max(*x.high, *y.high);
  }
  m.definition = defined.size();
  Defined d;
  d.home = m.home;
  d.definition.kind = Definition::Kind::Select;
  d.definition.arguments = {condition, a, b};
  d.definition.results = {add(std::move(m))};
  defined.push_back(d);
  if (!witness) {
    boundLemmas(d.definition.results[0], 0);
    Poly chosen = Poly::variable(d.definition.results[0]);
    const std::string &name = variables[d.definition.results[0]].name;
    for (const Poly *p : {&a, &b}) {
      if (condition == a - b) {
        lemma(name + " is the larger one", 0, d.home, chosen - *p);
      } else if (condition == b - a) {
        lemma(name + " is the smaller one", 0, d.home, *p - chosen);
      }
    }
    if (b.isZero() && x.low && *x.low >= 0 && condition != a) {
      lemma(name + " or nothing", 0, d.home, a - chosen);
    }
    Var q = a.terms().empty() || a.terms()[0].vars.empty()
                ? d.definition.results[0]
                : a.terms()[0].vars[0];
    const auto of = variables[q].definition;
    const Definition by = of ? defined[*of].definition : Definition{};
    if (of && b.isZero() && a == Poly::variable(q) &&
        by.kind == Definition::Kind::Quotient && q == by.results[0] &&
        !by.arguments[1].constant()) {
      // Where it is no quotient it is 0.
      lemma("product of " + variables[d.definition.results[0]].name, 0, d.home,
            by.arguments[0] -
                by.arguments[1] * Poly::variable(d.definition.results[0]));
    }
  }
  return Poly::variable(d.definition.results[0]);
}

Poly Symbols::other(const Poly &p, const Renaming &renaming) {
  return p.rename([&](Var v) { return other(v, renaming); });
}

Hypothesis Symbols::other(const Hypothesis &h, const Renaming &renaming) {
  Hypothesis out = h;
  for (std::vector<Atom> &branch : out.fact.branches) {
    for (Atom &a : branch) {
      a.poly = other(a.poly, renaming);
    }
  }
  return out;
}

Var Symbols::other(Var v, const Renaming &renaming) {
  if (auto it = renaming->find(v); it != renaming->end()) {
    return it->second;
  }
  const Variable of = variables[v];
  if (!of.definition) {
    if (!of.perThread && !of.trips) {
      return (*renaming)[v] = v;
    }
    Variable copy = of;
    copy.name += "'";
    copy.facts.clear();
    Var number = (*renaming)[v] = add(std::move(copy));
    for (const Hypothesis &h : of.facts) {
      Hypothesis theirs = other(h, renaming);
      variables[number].facts.push_back(std::move(theirs));
    }
    return number;
  }
  Defined d = defined[*of.definition];
  bool common = true;
  for (Poly &argument : d.definition.arguments) {
    Poly theirs = other(argument, renaming);
    common = common && theirs == argument;
    argument = theirs;
  }
  if (common) {
    for (Var result : d.definition.results) {
      (*renaming)[result] = result;
    }
    return v;
  }
  for (Need &n : d.needs) {
    n.renaming = renaming;
  }
  for (Var &result : d.definition.results) {
    Variable copy = variables[result];
    copy.name += "'";
    copy.definition = defined.size();
    Var number = add(std::move(copy));
    (*renaming)[result] = number;
    result = number;
  }
  defined.push_back(std::move(d));
  return renaming->at(v);
}

} // namespace girih::ptx
