// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Emit.h"
#include "lower/ptx/Linear.h"

#include <algorithm>

namespace girih::ptx {

using namespace proofs;

/// More than any kernel has obligations; a text cannot make the validation
/// endless.
static constexpr size_t maxGoals = 5000;

struct Emitter::Draft {
  Obligation o;
  std::map<Var, Var> number;
  std::vector<Hypothesis> plain;
  std::vector<size_t> lemmas; ///< goals that it rests on beside definitions
  std::set<std::pair<size_t, Renaming>> known; ///< needs that it has
};

template <typename F> static void eachPoly(const Fact &f, F visit) {
  for (const std::vector<Atom> &branch : f.branches) {
    for (const Atom &a : branch) {
      visit(a.poly);
    }
  }
}

template <typename F> static void eachVar(const Poly &p, F visit) {
  for (const Term &t : p.terms()) {
    for (Var v : t.vars) {
      visit(v);
    }
  }
}

std::variant<Obligations, Error> Emitter::run() {
  for (const Defined &d : symbols.definitions()) {
    for (const Need &n : d.needs) {
      needed.insert(n.goal);
    }
  }
  for (const Lemma &l : symbols.lemmas()) {
    needed.insert(l.goal);
    isLemma.insert(l.goal);
  }
  // Facts of blocks may emit more goals.
  for (size_t g = 0; g < symbols.goals().size(); ++g) {
    if (g > maxGoals) {
      return Error{e.flow.entry().line, "too many obligations"};
    }
    const Goal &goal = symbols.goals()[g];
    if (auto c = goal.goal.constant(); (c && *c >= 0) || isLemma.contains(g)) {
      continue;
    }
    if (!emit(g)) {
      const Instruction &i = e.flow.entry().instructions[goal.instruction];
      return at(i, "rests on itself");
    }
  }
  return std::move(out);
}

bool Emitter::usable(const Poly &p) const {
  if (open.empty()) {
    return true; // it is definitions under way alone that are not
  }
  bool good = true;
  eachVar(p, [&](Var v) {
    if (std::optional<size_t> d = symbols[v].definition) {
      good = good && !open.contains(*d);
      for (const Poly &argument :
           symbols.definitions()[*d].definition.arguments) {
        good = good && usable(argument);
      }
    } else {
      for (const Hypothesis &h : symbols[v].facts) {
        // Its own variable stands in a fact of a variable.
        eachPoly(h.fact, [&](const Poly &q) {
          eachVar(q, [&](Var w) {
            if (w != v) {
              good = good && usable(Poly::variable(w));
            }
          });
        });
      }
    }
  });
  return good;
}

bool Emitter::usable(const Fact &f) const {
  bool good = true;
  eachPoly(f, [&](const Poly &p) { good = good && usable(p); });
  return good;
}

void Emitter::reach(const Poly &p, std::set<Var> &reached) const {
  eachVar(p, [&](Var v) {
    if (!reached.insert(v).second) {
      return;
    }
    if (std::optional<size_t> d = symbols[v].definition) {
      const Definition &of = symbols.definitions()[*d].definition;
      for (const Poly &argument : of.arguments) {
        reach(argument, reached);
      }
      reached.insert(of.results.begin(), of.results.end());
    }
    for (const Hypothesis &h : symbols[v].facts) {
      reach(h.fact, reached);
    }
  });
}

void Emitter::reach(const Fact &f, std::set<Var> &reached) const {
  eachPoly(f, [&](const Poly &p) { reach(p, reached); });
}

bool Emitter::touches(const Fact &f, const std::set<Var> &reached) const {
  bool any = false;
  eachPoly(f, [&](const Poly &p) {
    eachVar(p, [&](Var v) { any = any || reached.contains(v); });
  });
  return any;
}

/// Whether the fact speaks of a choice that is made by what was reached.
bool Emitter::chosenBy(const Fact &f, const std::set<Var> &reached) const {
  bool any = false;
  eachPoly(f, [&](const Poly &p) {
    eachVar(p, [&](Var v) {
      std::optional<size_t> d = symbols[v].definition;
      if (!d || symbols.definitions()[*d].definition.kind !=
                    Definition::Kind::Select) {
        return;
      }
      bool all = true;
      eachVar(symbols.definitions()[*d].definition.arguments[0],
              [&](Var w) { all = all && reached.contains(w); });
      any = any || all;
    });
  });
  return any;
}

const std::vector<Hypothesis> &Emitter::factsOf(size_t block) {
  auto [it, isNew] = blockFacts.try_emplace(block);
  if (isNew) {
    it->second = e.facts(block);
  }
  return it->second;
}

/// What the goal may use and speaks of what it speaks of, at any remove.
std::vector<const Hypothesis *> Emitter::relevant(const Goal &goal,
                                                  std::set<Var> &reached) {
  std::vector<const Hypothesis *> all;
  auto add = [&](const std::vector<Hypothesis> &more) {
    for (const Hypothesis &h : more) {
      all.push_back(&h);
    }
  };
  add(symbols.expected.given);
  add(goal.extra);
  if (goal.block) {
    add(factsOf(*goal.block));
  }
  reach(goal.goal, reached);
  for (size_t i = 0; goal.goal.constant() && i < goal.extra.size(); ++i) {
    reach(goal.extra[i].fact, reached); // a contradiction among these
  }
  std::vector<bool> taken(all.size());
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < all.size(); ++i) {
      if (!taken[i] &&
          (touches(all[i]->fact, reached) || chosenBy(all[i]->fact, reached)) &&
          usable(all[i]->fact)) {
        taken[i] = more = true;
        reach(all[i]->fact, reached);
      }
    }
  }
  std::vector<const Hypothesis *> out;
  for (size_t i = 0; i < all.size(); ++i) {
    if (taken[i]) {
      out.push_back(all[i]);
    }
  }
  return out;
}

/// Lemmas that stand before the goal and speak of nothing but what it speaks
/// of.
void Emitter::lemmas(Draft &d, size_t number, const std::set<Var> &reached) {
  const Goal &goal = symbols.goals()[number];
  for (const Lemma &l : symbols.lemmas()) {
    const Poly &p = symbols.goals()[l.goal].goal;
    // Those behind it may rest on it.
    if ((l.goal >= number && needed.contains(number)) || !goal.block ||
        !symbols.dominates(l.block, *goal.block) || !usable(p)) {
      continue;
    }
    bool speaks = true;
    eachVar(p, [&](Var v) { speaks = speaks && reached.contains(v); });
    if (speaks) {
      d.lemmas.push_back(l.goal);
      need(d, {l.goal, {}});
    }
  }
}

std::optional<size_t> Emitter::emit(size_t number) {
  if (auto it = emitted.find(number); it != emitted.end()) {
    return it->second;
  }
  const Goal &goal = symbols.goals()[number];
  if (unproved.contains(number) || !usable(goal.goal) ||
      !emitting.insert(number).second) {
    return std::nullopt;
  }
  const Instruction &i = e.flow.entry().instructions[goal.instruction];
  Draft d;
  d.o.rule = goal.rule;
  std::set<Var> reached;
  for (const Hypothesis *h : relevant(goal, reached)) {
    hypothesis(d, *h);
  }
  lemmas(d, number, reached);
  d.o.goal = goal.goal.rename([&](Var v) { return local(d, v); });
  for (const Poly &p : goal.splits) {
    d.o.splits.push_back(p.rename([&](Var v) { return local(d, v); }));
  }
  std::optional<Certificate> certificate;
  if (isLemma.contains(number)) {
    // Nobody has to have it.
    certificate = linearCertificate(d.o);
    if (!certificate) {
      unproved.insert(number);
      emitting.erase(number);
      return std::nullopt;
    }
  }
  // Equal ones are one: origins and definitions too, not only the facts.
  auto [it, isNew] = byText.try_emplace(print(d.o), out.all.size());
  if (isNew) {
    d.o.label = goal.label;
    d.o.location = "line " + std::to_string(i.line);
    out.all.push_back(std::move(d.o));
    out.instruction.push_back(goal.instruction);
    out.certificates.push_back(std::move(certificate));
    numbering.push_back(std::move(d.number));
    plain.push_back(std::move(d.plain));
    lemmasOf.push_back(std::move(d.lemmas));
  }
  emitted[number] = it->second;
  emitting.erase(number);
  return it->second;
}

void Emitter::hypothesis(Draft &d, const Hypothesis &h) {
  for (const Hypothesis &known : d.plain) {
    if (known.fact == h.fact) {
      return;
    }
  }
  eachPoly(h.fact,
           [&](const Poly &p) { eachVar(p, [&](Var v) { local(d, v); }); });
  // Its variables may have brought it along.
  for (const Hypothesis &known : d.plain) {
    if (known.fact == h.fact) {
      return;
    }
  }
  d.plain.push_back(h);
  Hypothesis here = h;
  for (std::vector<Atom> &branch : here.fact.branches) {
    for (Atom &a : branch) {
      a.poly = a.poly.rename([&](Var v) { return d.number.at(v); });
    }
  }
  d.o.hypotheses.push_back(std::move(here));
}

Var Emitter::local(Draft &d, Var v) {
  if (auto it = d.number.find(v); it != d.number.end()) {
    return it->second;
  }
  if (std::optional<size_t> definition = symbols[v].definition) {
    define(d, *definition);
    return d.number.at(v);
  }
  Var number = Var(d.o.variables.size());
  d.number[v] = number;
  d.o.variables.push_back(symbols[v].name);
  for (const Hypothesis &h : symbols[v].facts) {
    hypothesis(d, h);
  }
  return number;
}

void Emitter::define(Draft &d, size_t index) {
  const Defined &of = symbols.definitions()[index];
  Definition here = of.definition;
  for (Poly &argument : here.arguments) {
    argument = argument.rename([&](Var v) { return local(d, v); });
  }
  open.insert(index);
  for (const Need &n : of.needs) {
    need(d, n);
  }
  open.erase(index);
  for (Var &result : here.results) {
    Var number = Var(d.o.variables.size());
    d.o.variables.push_back(symbols[result].name);
    d.number[result] = number;
    result = number;
  }
  std::vector<Fact> facts = definitionFacts(here);
  for (size_t part = 0; part < facts.size(); ++part) {
    Hypothesis h{std::move(facts[part]), {}};
    h.origin.kind = Origin::Kind::Definition;
    h.origin.index = uint32_t(d.o.definitions.size());
    h.origin.part = uint32_t(part);
    d.o.hypotheses.push_back(std::move(h));
  }
  d.o.definitions.push_back(std::move(here));
}

/// A fact that a definition needs, and all on which its own proof rests.
void Emitter::need(Draft &d, const Need &n) {
  const Goal &goal = symbols.goals()[n.goal];
  if (goal.goal.constant() || d.known.contains({n.goal, n.renaming})) {
    return;
  }
  auto theirs = [&](Var v) {
    return local(d, n.renaming ? symbols.other(v, n.renaming) : v);
  };
  Fact fact = Fact::atLeastZero(goal.goal.rename(theirs));
  for (const Hypothesis &h : d.o.hypotheses) {
    if (h.fact == fact) {
      d.known.insert({n.goal, n.renaming});
      return;
    }
  }
  std::optional<size_t> proof = emit(n.goal);
  if (!proof) {
    return; // the judge will miss it
  }
  // By number: more of them may be made on the way.
  for (size_t i = 0; i < plain[*proof].size(); ++i) {
    hypothesis(d, n.renaming ? symbols.other(plain[*proof][i], n.renaming)
                             : Hypothesis(plain[*proof][i]));
  }
  for (size_t i = 0; i < lemmasOf[*proof].size(); ++i) {
    need(d, {lemmasOf[*proof][i], n.renaming});
  }
  Hypothesis h{std::move(fact), {}};
  h.origin.kind = Origin::Kind::Proved;
  h.origin.index = uint32_t(*proof);
  const std::map<Var, Var> numbers = numbering[*proof];
  for (const auto &[global, number] : numbers) {
    h.origin.renaming.push_back({number, theirs(global)});
  }
  std::sort(h.origin.renaming.begin(), h.origin.renaming.end());
  d.o.hypotheses.push_back(std::move(h));
  d.known.insert({n.goal, n.renaming});
}

} // namespace girih::ptx
