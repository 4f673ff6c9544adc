// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Witness.h"

#include "checker/generate/Contents.h"

using namespace girih::proofs;

namespace girih::checker {

std::vector<std::string> variableNames(const FactBase &base) {
  std::vector<std::string> names;
  for (size_t v = 0; v < base.variableCount(); ++v) {
    names.push_back(base.variable(v).name);
  }
  return names;
}

WitnessSynthesis::WitnessSynthesis(KernelFacts &k, const Write &w,
                                   const std::set<Var> &constants)
    : k(k), constants(constants), lookups(w.lookups) {
  for (Var b : k.blockIds) {
    unknown.insert(b);
  }
  for (auto &[op, trip] : w.trips) {
    unknown.insert(trip);
  }
  unknown.insert(w.site->lanes.begin(), w.site->lanes.end());
  for (size_t i = k.launchFacts; i < w.facts.size(); ++i) {
    const ScopedFact &f = w.facts[i];
    if (f.definition && f.part == 0 &&
        !constants.count(f.definition->results[0])) {
      unknown.insert(f.definition->results.begin(),
                     f.definition->results.end());
      definitions.push_back(*f.definition);
    }
  }
  all = definitions;
  // Equalities that are proved at the store, each as two halves: what the
  // inverse of a map says of its arguments. They come first.
  for (size_t i = k.launchFacts; i + 1 < w.facts.size(); ++i) {
    const ScopedFact &f = w.facts[i], &g = w.facts[i + 1];
    using K = Origin::Kind;
    if (f.origin == K::Proved && g.origin == K::Proved &&
        f.fact.atom()->poly == -g.fact.atom()->poly) {
      equations.push_back(f.fact.atom()->poly);
    }
  }
  byInverse = !equations.empty();
  for (size_t i = k.launchFacts; i < w.facts.size(); ++i) {
    const Atom *a = w.facts[i].fact.atom();
    if (w.facts[i].origin == Origin::Kind::Path && a) {
      (a->equality ? equalities : bounds).push_back(a->poly);
    }
  }
  for (const Lookup &l : lookups) {
    if (!l.isOwn && l.padded.empty() && llvm::all_of(l.at, [&](const Poly &p) {
          return speaksOnlyOf(Fact::zero(p), constants);
        })) {
      fixed.insert(l.value);
    }
  }
  wanted.assign(k.blockIds.begin(), k.blockIds.end());
  for (auto &[op, trip] : w.trips) {
    wanted.push_back(trip);
  }
  llvm::append_range(wanted, w.site->lanes);
}

bool WitnessSynthesis::takeWrapsForExact(const Write &w) {
  for (size_t i = w.facts.size(); i-- > k.launchFacts;) {
    const ScopedFact &f = w.facts[i];
    if (f.definition && f.part == 0 &&
        f.definition->kind == Definition::Kind::Wrap) {
      exact.emplace_back(f.definition->results[0], f.definition->arguments[0]);
    }
  }
  guessed = exact.empty() ? "" : "values that may wrap";
  return !exact.empty();
}

Poly WitnessSynthesis::insert(Poly p) const {
  for (auto &[v, value] : exact) {
    p = p.substitute(v, value);
  }
  for (auto &[v, value] : known) {
    p = p.substitute(v, value);
  }
  return p;
}

bool WitnessSynthesis::speaksOfMemory(const Poly &p) const {
  return llvm::any_of(p.terms(), [&](const Term &t) {
    return llvm::any_of(t.vars, [&](Var v) { return isFromMemory(v); });
  });
}

std::pair<Poly, Poly> WitnessSynthesis::parts(const Poly &p) const {
  std::vector<Term> closed, open;
  for (const Term &t : p.terms()) {
    (isOpen(Poly::fromTerms({t})) ? open : closed).push_back(t);
  }
  return {Poly::fromTerms(closed), Poly::fromTerms(open)};
}

bool WitnessSynthesis::step() {
  auto all = [&](bool (WitnessSynthesis::*use)(const Poly &)) {
    return any(equations,
               [&](const Poly &p) { return (this->*use)(insert(p)); });
  };
  auto define = [&](bool (WitnessSynthesis::*use)(const Definition &)) {
    return any(definitions,
               [&](const Definition &d) { return (this->*use)(d); });
  };
  using W = WitnessSynthesis;
  return all(&W::solveOne) || define(&W::invert) ||
         (byInverse && define(&W::evaluate)) || all(&W::solveTwo) ||
         all(&W::solveLargest) || all(&W::invertContents) ||
         llvm::any_of(equations,
                      [&](const Poly &p) { return findSegment(insert(p)); }) ||
         solveBranch() || define(&W::invertRotation) || evaluateNext();
}

bool WitnessSynthesis::solve() {
  while (step()) {
  }
  bool guesses = guessInvolution();
  return guesses || equations.empty() ||
         (byInverse &&
          llvm::all_of(wanted, [&](Var v) { return known.count(v); }));
}

Poly WitnessSynthesis::value(Var v) const {
  auto it = known.find(v);
  return it == known.end() ? Poly(0) : it->second;
}

std::optional<std::pair<Poly, Poly>> WitnessSynthesis::linear(const Poly &p,
                                                              Var v) {
  std::vector<Term> with, without;
  for (Term t : p.terms()) {
    auto n = std::count(t.vars.begin(), t.vars.end(), v);
    if (n > 1) {
      return std::nullopt;
    }
    if (n == 1) {
      t.vars.erase(std::find(t.vars.begin(), t.vars.end(), v));
    }
    (n == 1 ? with : without).push_back(t);
  }
  return std::pair(Poly::fromTerms(with), Poly::fromTerms(without));
}

std::vector<Var> WitnessSynthesis::unknowns(const Poly &p) const {
  std::vector<Var> out;
  for (const Term &t : p.terms()) {
    for (Var v : t.vars) {
      if (unknown.count(v) && !llvm::is_contained(out, v)) {
        out.push_back(v);
      }
    }
  }
  return out;
}

bool WitnessSynthesis::isFromMemory(Var v) const {
  bool isLoaded = v >= k.launchVariables && v < k.bodyVariables &&
                  !constants.count(v) && !unknown.count(v);
  if (isLoaded && fixed.count(v)) {
    guessed = "an element that all blocks load";
    return false;
  }
  return isLoaded;
}

std::optional<Poly> WitnessSynthesis::solution(const Poly &p, Var v) {
  auto split = linear(p, v);
  auto c = split ? split->first.constant() : std::nullopt;
  if (!c || (*c != 1 && *c != -1)) {
    return std::nullopt;
  }
  return *c == 1 ? -split->second : split->second;
}

bool WitnessSynthesis::solveOne(const Poly &p) {
  std::vector<Var> vs = unknowns(p);
  if (vs.empty()) {
    // Nothing to solve for, unless contents tell: the final goals decide.
    auto loaded = loadedIn(p);
    return !loaded || !holdsEachNumber(k, loaded->first->tensor);
  }
  auto x =
      vs.size() == 1 && !speaksOfMemory(p) ? solution(p, vs[0]) : std::nullopt;
  if (x) {
    known[vs[0]] = *x;
  }
  return x.has_value();
}

bool WitnessSynthesis::solveBranch() {
  auto solve = [&](const Poly &condition, bool isBound) {
    Poly p = insert(condition);
    std::vector<Var> vs = unknowns(p);
    if (vs.size() != 1) {
      return false;
    }
    auto split = isBound ? linear(p, vs[0]) : std::nullopt;
    bool isLeast = split && split->first == Poly(1);
    return (isLeast || !isBound) && solveOne(p);
  };
  bool solved =
      any(equalities, [&](const Poly &p) { return solve(p, false); }) ||
      any(bounds, [&](const Poly &p) { return solve(p, true); });
  if (solved) {
    guessed = "the condition of a branch";
  }
  return solved;
}

bool WitnessSynthesis::solveTwo(const Poly &p) {
  std::vector<Var> vs = unknowns(p);
  return vs.size() == 2 && !speaksOfMemory(p) &&
         (digits(p, vs[0], vs[1]) || digits(p, vs[1], vs[0]));
}

bool WitnessSynthesis::invert(const Definition &d) {
  for (size_t i = 0; i < d.results.size(); ++i) {
    // How often a value wraps is not asked: a witness does not wrap.
    bool needed = i == 0 || d.kind == Definition::Kind::Quotient;
    if (needed && !known.count(d.results[i])) {
      return false;
    }
  }
  Poly value = known[d.results[0]];
  switch (d.kind) {
  case Definition::Kind::Quotient:
    equate(d.arguments[0],
           composed(value, d.arguments[1], known[d.results[1]]));
    return true;
  case Definition::Kind::Wrap:
  case Definition::Kind::Name:
    equate(d.arguments[0], value);
    return true;
  case Definition::Kind::Select:
    return invertSelect(d, value);
  }
  return false;
}

/// The limit of a number of three digits and more is a product that the search
/// would have to guess; digit by digit it is a product of two.
Poly WitnessSynthesis::composed(const Poly &quotient, const Poly &divisor,
                                const Poly &remainder) {
  Poly number = quotient * divisor + remainder;
  auto it = llvm::find_if(limits,
                          [&](const Limit &l) { return l.number == quotient; });
  if (it != limits.end() && !isOpen(divisor)) {
    if (it->isComposed) {
      k.base.emit(Rule::OutCovered, "digits", it->limit - 1 - quotient, nullptr,
                  true);
      guessed = "the digits of a number of lanes";
    }
    limits.push_back({number, it->limit * divisor, true});
  }
  return number;
}

bool WitnessSynthesis::evaluate(const Definition &d) {
  std::vector<Poly> a;
  for (const Poly &p : d.arguments) {
    a.push_back(insert(p));
    if (!unknowns(a.back()).empty() || speaksOfMemory(a.back())) {
      return false;
    }
  }
  if (known.count(d.results[0])) {
    return false;
  }
  FactBase &base = k.base;
  std::string name = "witness of " + base.variable(d.results[0]).name;
  switch (d.kind) {
  case Definition::Kind::Quotient: {
    base.emit(Rule::OutCovered, "witness divisor", a[1] - 1, nullptr, true);
    base.emit(Rule::OutCovered, "witness dividend", a[0], nullptr, true);
    auto [q, r] = base.divide(a[0], a[1], name);
    known[d.results[0]] = q;
    known[d.results[1]] = r;
    return true;
  }
  case Definition::Kind::Select:
    known[d.results[0]] = base.select(a[0], a[1], a[2], name);
    return true;
  case Definition::Kind::Name:
    known[d.results[0]] = a[0];
    return true;
  case Definition::Kind::Wrap:
    return false; // maps are on indices, which don't wrap
  }
  return false;
}

bool WitnessSynthesis::invertSelect(const Definition &d, const Poly &value) {
  Poly a = insert(d.arguments[1] - value), b = insert(d.arguments[2] - value);
  std::vector<Var> inA = unknowns(a), inB = unknowns(b);
  if (inA.size() != 1 || inA != inB) {
    return false;
  }
  Var x = inA[0];
  auto fromA = solution(a, x), fromB = solution(b, x);
  if (!fromA || !fromB) {
    return false;
  }
  Poly condition = insert(d.arguments[0]).substitute(x, *fromA);
  if (!unknowns(condition).empty() || speaksOfMemory(condition) ||
      speaksOfMemory(a) || speaksOfMemory(b)) {
    return false;
  }
  std::string name = "inverse of " + k.base.variable(d.results[0]).name;
  Poly inner = k.base.select(condition, *fromA, *fromB, name);
  known[x] = k.base.select(*fromA, inner, *fromB, name);
  return true;
}

std::pair<Poly, Poly> WitnessSynthesis::divided(const Poly &number,
                                                const Poly &scale) {
  FactBase &base = k.base;
  base.emit(Rule::OutCovered, "witness divisor", scale - 1, nullptr, true);
  base.emit(Rule::OutCovered, "witness dividend", number, nullptr, true);
  std::vector<std::string> names = variableNames(base);
  std::string of =
      "(" + print(number, &names) + ", " + print(scale, &names) + ")";
  return base.divide(number, scale, "div" + of, "mod" + of);
}

bool WitnessSynthesis::solveLargest(const Poly &p) {
  std::vector<Var> vs = unknowns(p);
  if (vs.size() < 3 || speaksOfMemory(p)) {
    return false;
  }
  std::optional<Var> largest;
  Poly scale;
  for (Var v : vs) {
    auto split = linear(p, v);
    if (!split || !unknowns(split->first).empty()) {
      return false;
    }
    if (!split->first.constant()) {
      if (largest) {
        return false;
      }
      largest = v;
      scale = split->first;
    }
  }
  if (!largest) {
    return false;
  }
  Poly below = linear(p, *largest)->second;
  auto [closed, open] = parts(below);
  bool isNegative =
      llvm::all_of(scale.terms(), [](const Term &t) { return t.coeff < 0; });
  scale = isNegative ? -scale : scale;
  open = isNegative ? -open : open;
  Poly number = isNegative ? closed : -closed;
  auto [q, r] = divided(number, scale);
  known[*largest] = q;
  equations.push_back(open - r);
  guessed = "a number of several digits";
  return true;
}

bool WitnessSynthesis::invertRotation(const Definition &d) {
  if (d.kind != Definition::Kind::Quotient || !known.count(d.results[1]) ||
      known.count(d.results[0])) {
    return false;
  }
  Poly sum = insert(d.arguments[0]), n = insert(d.arguments[1]);
  std::vector<Var> vs = unknowns(sum);
  auto split = vs.size() == 1 ? linear(sum, vs[0]) : std::nullopt;
  if (!split || !(split->first == Poly(1)) || isOpen(n) ||
      speaksOfMemory(sum) || speaksOfMemory(n)) {
    return false;
  }
  Poly steps = divided(split->second, n).second;
  Poly back = known[d.results[1]] + n - steps;
  known[vs[0]] = divided(back, n).second;
  guessed = "a rotation";
  return true;
}

bool WitnessSynthesis::evaluateNext() {
  bool waits = llvm::any_of(definitions, [&](const Definition &d) {
    auto isKnown = [&](Var v) { return known.count(v) != 0; };
    return llvm::any_of(d.results, isKnown) &&
           llvm::any_of(unknowns(insert(d.arguments[0])),
                        [&](Var v) { return llvm::is_contained(wanted, v); });
  });
  bool next = waits && any(definitions,
                           [&](const Definition &d) { return evaluate(d); });
  if (next) {
    guessed = "a definition that is followed forwards";
  }
  return next;
}

std::optional<std::pair<const Lookup *, Poly>>
WitnessSynthesis::loadedIn(const Poly &p) const {
  std::set<Var> loaded;
  for (const Term &t : p.terms()) {
    llvm::copy_if(t.vars, std::inserter(loaded, loaded.end()),
                  [&](Var v) { return isFromMemory(v); });
  }
  auto solved =
      loaded.size() == 1 ? solution(p, *loaded.begin()) : std::optional<Poly>();
  auto l = llvm::find_if(lookups, [&](const Lookup &l) {
    return solved && !l.isOwn && l.value == *loaded.begin();
  });
  // An element at a place that all blocks know is none of one block.
  if (!solved || l == lookups.end() ||
      !llvm::any_of(l->at, [&](const Poly &x) { return isOpen(insert(x)); })) {
    return std::nullopt;
  }
  return std::pair(&*l, *solved);
}

bool WitnessSynthesis::invertContents(const Poly &p) {
  auto loaded = loadedIn(p);
  if (!loaded || isOpen(loaded->second) ||
      !holdsEachNumber(k, loaded->first->tensor)) {
    return false;
  }
  auto [l, number] = *loaded;
  Lookup there = placeOf(k, l->tensor, number);
  for (auto [at, place] : llvm::zip_equal(l->at, there.at)) {
    equate(at, place);
  }
  known[l->value] = Poly::variable(there.value);
  contents.push_back(std::move(there));
  guessed = "contents";
  return true;
}

bool WitnessSynthesis::findSegment(const Poly &p) {
  auto loaded = loadedIn(p);
  return loaded && findSegment(*loaded->first, parts(loaded->second).first);
}

bool WitnessSynthesis::findSegment(const Lookup &l, const Poly &limit) {
  auto beside = [&](int step) {
    auto it = llvm::find_if(lookups, [&](const Lookup &other) {
      return other.tensor == l.tensor && other.at.size() == 1 &&
             other.at[0] - l.at[0] == Poly(step);
    });
    return it == lookups.end() ? nullptr : &*it;
  };
  // Where a block loads one end of a segment alone it is the first. What counts
  // down from the second begins below it.
  const Lookup *next = beside(1), *before = beside(-1);
  bool isEnd = !next && before;
  auto segment = segmentOf(k, l.tensor, isEnd ? limit - 1 : limit);
  if (!segment) {
    return false;
  }
  const Lookup &first = isEnd ? *before : l;
  equate(first.at[0], segment->first.at[0]);
  known[first.value] = Poly::variable(segment->first.value);
  if (const Lookup *end = isEnd ? &l : next) {
    known[end->value] = Poly::variable(segment->second.value);
  }
  contents.push_back(std::move(segment->first));
  contents.push_back(std::move(segment->second));
  guessed = "contents";
  return true;
}

/// What might be given of a tensor of which an element decides who writes.
static std::string missingGivens(const KernelFacts &k, int tensor) {
  tile::KernelOp kernel = k.kernel;
  std::string name = "%" + kernel.getArgName(unsigned(tensor)).str();
  auto has = [&](tile::GivenKind kind) {
    return llvm::any_of(k.givens, [&](const Precondition &g) {
      return g.tensor == tensor && g.kind == kind;
    });
  };
  std::string both =
      has(tile::GivenKind::Within) ? "" : "within(" + name + ", first, end)";
  if (!has(tile::GivenKind::Distinct)) {
    both += (both.empty() ? "" : " and ") + ("distinct(" + name + ")");
  }
  return both.empty()
             ? ""
             : "give " + both +
                   " if each number of a range is there once, or splits(" +
                   name + ", end) if its numbers split an axis";
}

Obstacle WitnessSynthesis::obstacle() const {
  for (const Poly &equation : equations) {
    Poly p = insert(equation);
    for (const Term &t : p.terms()) {
      for (Var v : t.vars) {
        if (!isFromMemory(v)) {
          continue;
        }
        const Variable &x = k.base.variable(v);
        auto l = llvm::find_if(
            lookups, [&](const Lookup &l) { return l.value == v && !l.isOwn; });
        std::string remedy =
            l == lookups.end() ? "" : missingGivens(k, l->tensor);
        return {nullptr,
                "what it writes hangs on %" + x.name +
                    (x.kind == Variable::Kind::Value && l != lookups.end()
                         ? ", which is loaded"
                         : ", of which only its type is known"),
                remedy};
      }
    }
  }
  std::string open;
  for (const Poly &equation : equations) {
    for (Var v : unknowns(insert(equation))) {
      if (llvm::is_contained(wanted, v)) {
        open += (open.empty() ? "%" : ", %") + k.base.variable(v).name;
      }
    }
  }
  return {nullptr, open.empty() ? "" : "its indices are not solved for " + open,
          ""};
}

void WitnessSynthesis::countFromSegment(const Poly &coordinate) {
  findSegment(insert(coordinate));
}

bool WitnessSynthesis::dependsOn(const Poly &p, Var v) const {
  std::set<Var> seen;
  std::vector<Var> todo = unknowns(p);
  while (!todo.empty()) {
    Var u = todo.back();
    todo.pop_back();
    if (!seen.insert(u).second) {
      continue;
    }
    for (const Definition &d : all) {
      if (llvm::is_contained(d.results, u)) {
        for (const Poly &argument : d.arguments) {
          llvm::append_range(todo, unknowns(argument));
        }
      }
    }
  }
  return seen.count(v) != 0;
}

bool WitnessSynthesis::guessInvolution() {
  std::vector<Var> open;
  std::map<Var, Poly> given;
  for (Var v : wanted) {
    auto it = known.find(v);
    if (it == known.end()) {
      open.push_back(v);
    } else {
      given.insert(*it);
    }
  }
  size_t vcsBefore = k.base.vcs.size(), mark = k.base.mark();
  std::map<Var, Poly> found = std::exchange(known, std::move(given));
  std::vector<const std::pair<Poly, Poly> *> asked;
  for (const auto &side : sides) {
    if (open.size() == 1 && dependsOn(side.first, open[0])) {
      asked.push_back(&side);
    }
  }
  if (asked.size() == 1 && !isOpen(asked[0]->second) &&
      !speaksOfMemory(asked[0]->second)) {
    known[open[0]] = asked[0]->second;
    std::vector<Definition> rest = all;
    while (any(rest, [&](const Definition &d) { return evaluate(d); })) {
    }
    Poly there = insert(asked[0]->first);
    if (!isOpen(there) && !speaksOfMemory(there)) {
      known = std::move(found);
      known[open[0]] = there;
      guessed = "an order that undoes itself";
      return true;
    }
  }
  k.base.vcs.resize(vcsBefore);
  k.base.release(mark);
  known = std::move(found);
  return false;
}

bool WitnessSynthesis::digits(const Poly &p, Var x, Var y) {
  auto low = solution(p, x);
  auto high = low ? linear(-*low, y) : std::nullopt;
  if (!high || !unknowns(high->first).empty()) {
    return false;
  }
  Poly scale = high->first, number = -high->second;
  if (llvm::all_of(scale.terms(), [](const Term &t) { return t.coeff < 0; })) {
    return false; // no digits: a difference
  }
  auto [q, r] = divided(number, scale);
  known[x] = r;
  known[y] = q;
  return true;
}

} // namespace girih::checker
