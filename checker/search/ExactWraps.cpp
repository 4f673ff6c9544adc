// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/ExactWraps.h"

#include "checker/search/State.h"
#include "spec/Rule.h"

#include <algorithm>
#include <map>

namespace girih::search {

using namespace proofs;

/// Each value has three facts: both bounds, and that it wraps 0 times.
static constexpr size_t factsEach = 3;

static Int halfOf(const Definition &wrap) {
  return Int(1) << (*wrap.arguments[1].constant() - 1);
}
static Poly lowGoal(const Definition &wrap) {
  return wrap.arguments[0] + Poly(halfOf(wrap));
}
static Poly highGoal(const Definition &wrap) {
  return Poly(halfOf(wrap) - 1) - wrap.arguments[0];
}
static Fact wrapsNever(const Definition &wrap) {
  return Fact::zero(Poly::variable(wrap.results[1]));
}

static bool isWrap(const Definition &d) {
  return d.kind == Definition::Kind::Wrap && !definitionFacts(d).empty();
}

/// The definitions that facts the goal hangs on belong to.
static std::vector<char> relevantDefinitions(const Obligation &o) {
  std::vector<char> out(o.definitions.size(), 0);
  std::vector<bool> relevant = relevantFacts(o), named = relevantFacts(o, true);
  for (size_t i = 0; i < o.hypotheses.size(); ++i) {
    const Origin &from = o.hypotheses[i].origin;
    if ((relevant[i] || named[i]) && from.kind == Origin::Kind::Definition) {
      out[from.index] = 1;
    }
  }
  return out;
}

std::vector<Fact> ExactWraps::facts() const {
  std::vector<Fact> out;
  for (const Exact &e : all) {
    const Definition &d = o.definitions[e.definition];
    out.insert(out.end(), {Fact::atLeastZero(lowGoal(d)),
                           Fact::atLeastZero(highGoal(d)), wrapsNever(d)});
  }
  return out;
}

namespace {
/// Which facts of an obligation may say something of a value: all that speak of
/// what is defined before, but of two blocks those of its own alone. Facts fall
/// into groups by what they speak of beside what the launch determines; a group
/// that has a block id on an axis where the value's own group has another one
/// is the other block's.
class Neighbourhood {
public:
  explicit Neighbourhood(const Obligation &o)
      : o(o), isLaunch(o.variables.size(), 0) {
    for (const Hypothesis &h : o.hypotheses) {
      if (h.origin.kind == Origin::Kind::Contract) {
        mark(h.fact, isLaunch);
      }
    }
    for (const Definition &d : o.definitions) {
      if (std::all_of(d.arguments.begin(), d.arguments.end(),
                      [&](const Poly &p) { return isWithin(p, isLaunch); })) {
        mark(d, isLaunch);
      }
    }
  }

  /// By hypothesis: whether to use it for definition number `limit`.
  std::vector<char> factsFor(size_t limit) const {
    std::vector<char> later(o.variables.size(), 0);
    for (size_t i = limit; i < o.definitions.size(); ++i) {
      mark(o.definitions[i], later);
    }
    size_t count = o.hypotheses.size();
    std::vector<char> open(count, 0), use(count, 0);
    for (size_t i = 0; i < count; ++i) {
      Origin::Kind kind = o.hypotheses[i].origin.kind;
      open[i] = kind != Origin::Kind::Region &&
                kind != Origin::Kind::Distinct && !touches(i, later);
      use[i] = open[i] && isWithin(o.hypotheses[i].fact, isLaunch);
      open[i] = open[i] && !use[i];
    }
    std::vector<char> own(o.variables.size(), 0);
    for (const Poly &p : o.definitions[limit].arguments) {
      mark(p, own);
    }
    std::vector<Poly> axes;
    admit(group(own, open), axes, use);
    for (size_t i = 0; i < count; ++i) {
      if (open[i]) {
        std::vector<char> near(o.variables.size(), 0);
        mark(o.hypotheses[i].fact, near);
        admit(group(near, open), axes, use);
      }
    }
    return use;
  }

private:
  const Obligation &o;
  std::vector<char> isLaunch; ///< by variable

  /// The open facts that hang together with these variables, which they are
  /// added to; they are open no more.
  std::vector<size_t> group(std::vector<char> near,
                            std::vector<char> &open) const {
    std::vector<size_t> out;
    for (bool more = true; more;) {
      more = false;
      for (size_t i = 0; i < open.size(); ++i) {
        if (open[i] && touches(i, near)) {
          open[i] = 0;
          more = true;
          mark(o.hypotheses[i].fact, near);
          out.push_back(i);
        }
      }
    }
    return out;
  }

  /// Of `g - b - 1 >= 0` for a block id b, what the launch determines.
  Poly axisOf(const Fact &f) const {
    std::vector<Term> all;
    for (const Term &t : f.atom()->poly.terms()) {
      if (std::all_of(t.vars.begin(), t.vars.end(),
                      [&](Var v) { return isLaunch[v] != 0; })) {
        all.push_back(t);
      }
    }
    return Poly::fromTerms(std::move(all));
  }

  void admit(const std::vector<size_t> &facts, std::vector<Poly> &axes,
             std::vector<char> &use) const {
    std::vector<Poly> found;
    for (size_t i : facts) {
      const Hypothesis &h = o.hypotheses[i];
      if (h.origin.kind == Origin::Kind::Launch && h.fact.atom()) {
        Poly axis = axisOf(h.fact);
        if (!axis.constant()) {
          found.push_back(std::move(axis));
        }
      }
    }
    if (std::any_of(found.begin(), found.end(), [&](const Poly &p) {
          return std::find(axes.begin(), axes.end(), p) != axes.end();
        })) {
      return;
    }
    axes.insert(axes.end(), found.begin(), found.end());
    for (size_t i : facts) {
      use[i] = 1;
    }
  }

  template <typename F> static bool allOf(const Poly &p, const F &f) {
    return std::all_of(p.terms().begin(), p.terms().end(), [&](const Term &t) {
      return std::all_of(t.vars.begin(), t.vars.end(), f);
    });
  }
  template <typename F> static bool allOf(const Fact &fact, const F &f) {
    return std::all_of(fact.branches.begin(), fact.branches.end(),
                       [&](const std::vector<Atom> &branch) {
                         return std::all_of(
                             branch.begin(), branch.end(),
                             [&](const Atom &a) { return allOf(a.poly, f); });
                       });
  }
  template <typename T>
  static bool isWithin(const T &x, const std::vector<char> &vars) {
    return allOf(x, [&](Var v) { return vars[v] != 0; });
  }
  template <typename T> static void mark(const T &x, std::vector<char> &vars) {
    allOf(x, [&](Var v) { return vars[v] = 1; });
  }
  static void mark(const Definition &d, std::vector<char> &vars) {
    for (Var v : d.results) {
      vars[v] = 1;
    }
  }

  /// Beside what the launch determines.
  bool touches(size_t i, const std::vector<char> &vars) const {
    return !allOf(o.hypotheses[i].fact,
                  [&](Var v) { return !vars[v] || isLaunch[v]; });
  }
};
} // namespace

namespace {
/// Makes an obligation of some facts of another one, and leads back.
class Excerpt {
public:
  Excerpt(const Obligation &o, Rule rule) : o(o), number(o.definitions.size()) {
    lemma.rule = ruleName(rule);
  }

  void add(uint32_t hypothesis) {
    Hypothesis h{renamed(o.hypotheses[hypothesis].fact), {}};
    const Origin &from = o.hypotheses[hypothesis].origin;
    h.origin.kind = from.kind;
    if (from.kind == Origin::Kind::Definition) {
      h.origin.index = define(from.index);
      h.origin.part = from.part;
    }
    add(std::move(h), hypothesis);
  }
  /// A fact that has another number.
  void add(const Fact &f, uint32_t as) { add(Hypothesis{renamed(f), {}}, as); }

  /// What `find` finds for the goal, below so many facts and the negated goal.
  std::optional<Certificate> find(const Poly &goal, uint32_t facts,
                                  const std::string &name,
                                  const LemmaSearch &find) {
    lemma.goal = renamed(goal);
    lemma.variables.resize(variables.size());
    Canonical form = canonical(lemma);
    auto c = find(form, name);
    if (!c) {
      return std::nullopt;
    }
    to.push_back(facts);
    return back(translate(std::move(*c), form), facts + 1);
  }

private:
  const Obligation &o;
  Obligation lemma;
  std::map<Var, Var> names;
  std::vector<Var> variables;                  ///< by number: its number in o
  std::vector<std::optional<uint32_t>> number; ///< by definition of o
  std::vector<uint32_t> to;                    ///< by fact: its number there

  void add(Hypothesis h, uint32_t as) {
    lemma.hypotheses.push_back(std::move(h));
    to.push_back(as);
  }

  Var renamed(Var v) {
    auto [it, isNew] = names.try_emplace(v, Var(variables.size()));
    if (isNew) {
      variables.push_back(v);
    }
    return it->second;
  }
  Poly renamed(const Poly &p) {
    return p.rename([&](Var v) { return renamed(v); });
  }
  Fact renamed(Fact f) {
    for (std::vector<Atom> &branch : f.branches) {
      for (Atom &a : branch) {
        a.poly = renamed(a.poly);
      }
    }
    return f;
  }

  uint32_t define(uint32_t definition) {
    if (!number[definition]) {
      Definition d = o.definitions[definition];
      for (Poly &p : d.arguments) {
        p = renamed(p);
      }
      for (Var &v : d.results) {
        v = renamed(v);
      }
      number[definition] = lemma.definitions.size();
      lemma.definitions.push_back(std::move(d));
    }
    return *number[definition];
  }

  /// With the numbers of o: what nodes add comes behind `facts`.
  Certificate back(Certificate c, size_t facts) const {
    auto fact = [&](uint32_t f) {
      return f < to.size() ? to[f]
                           : static_cast<uint32_t>(f - to.size() + facts);
    };
    auto variable = [&](Var v) { return variables[v]; };
    for (Product &p : c.products) {
      std::transform(p.facts.begin(), p.facts.end(), p.facts.begin(), fact);
      std::sort(p.facts.begin(), p.facts.end());
    }
    if (c.kind == Certificate::Kind::Solve) {
      c.variable = variable(c.variable);
    }
    if (c.kind == Certificate::Kind::Solve ||
        c.kind == Certificate::Kind::Case) {
      c.fact = fact(c.fact);
    }
    c.poly = c.poly.rename(variable);
    for (Certificate &child : c.children) {
      child = back(std::move(child), facts);
    }
    return c;
  }
};
} // namespace

bool ExactWraps::concerns(const Obligation &o) {
  return std::any_of(o.definitions.begin(), o.definitions.end(), isWrap);
}

/// Beyond so many facts of an obligation, or values, no more are looked at: who
/// goes with whom takes a look at each for each.
static constexpr size_t maxFacts = 1000, maxValues = 32;

void ExactWraps::prove(const LemmaSearch &find) {
  if (!concerns(o) || o.hypotheses.size() > maxFacts) {
    return;
  }
  size_t looked = 0;
  std::vector<char> relevant = relevantDefinitions(o);
  Neighbourhood near(o);
  for (size_t i = 0; i < o.definitions.size(); ++i) {
    const Definition &d = o.definitions[i];
    if (!relevant[i] || !isWrap(d) || looked++ >= maxValues) {
      continue;
    }
    size_t facts = o.hypotheses.size() + 1 + factsEach * all.size();
    std::vector<char> use = near.factsFor(i);
    if (auto low = bound(i, use, lowGoal(d), facts, find)) {
      if (auto high = bound(i, use, highGoal(d), facts + 1, find)) {
        all.push_back({i, std::move(*low), std::move(*high)});
      }
    }
  }
}

/// From what is known before the definition; the certificate is one for its
/// place below `facts` facts.
std::optional<Certificate> ExactWraps::bound(size_t definition,
                                             const std::vector<char> &use,
                                             const Poly &goal, size_t facts,
                                             const LemmaSearch &find) const {
  Excerpt lemma(o, Rule::IndexWidth);
  for (uint32_t i = 0; i < o.hypotheses.size(); ++i) {
    if (use[i]) {
      lemma.add(i);
    }
  }
  for (uint32_t i = 0; i < all.size(); ++i) {
    uint32_t equal = factOf(all[i].definition, 0);
    if (use[equal]) {
      lemma.add(wrapsNever(o.definitions[all[i].definition]),
                o.hypotheses.size() + 1 + factsEach * i + 2);
    }
  }
  return lemma.find(goal, facts,
                    o.variables[o.definitions[definition].results[0]], find);
}

uint32_t ExactWraps::factOf(size_t definition, uint32_t part) const {
  auto it = std::find_if(
      o.hypotheses.begin(), o.hypotheses.end(), [&](const Hypothesis &h) {
        return h.origin.kind == Origin::Kind::Definition &&
               h.origin.index == definition && h.origin.part == part;
      });
  return static_cast<uint32_t>(it - o.hypotheses.begin());
}

Certificate ExactWraps::over(Certificate inner) const {
  for (size_t i = all.size(); i-- > 0;) {
    const Definition &d = o.definitions[all[i].definition];
    uint32_t low = o.hypotheses.size() + 1 + factsEach * i, high = low + 1,
             side = high + 1; // what an outer branch of the split adds
    uint32_t equal = factOf(all[i].definition, 0),
             least = factOf(all[i].definition, 1),
             most = factOf(all[i].definition, 2);
    Int whole = 2 * halfOf(d);
    Certificate below, above, split, haveHigh, haveLow;
    below.products = {{-1, {equal}}, {1, {most}}, {1, {low}}, {whole, {side}}};
    above.products = {{1, {equal}}, {1, {least}}, {1, {high}}, {whole, {side}}};
    split.kind = Certificate::Kind::Split;
    split.poly = Poly::variable(d.results[1]);
    split.children = {std::move(below), std::move(inner), std::move(above)};
    haveHigh.kind = haveLow.kind = Certificate::Kind::Have;
    haveHigh.poly = highGoal(d);
    haveHigh.children = {all[i].high, std::move(split)};
    haveLow.poly = lowGoal(d);
    haveLow.children = {all[i].low, std::move(haveHigh)};
    inner = std::move(haveLow);
  }
  return inner;
}

} // namespace girih::search
