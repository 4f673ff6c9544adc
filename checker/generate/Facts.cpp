// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/generate/Facts.h"
#include "ir/types/Diagnose.h"

using namespace girih::proofs;

namespace girih::checker {

Var renamed(const Renaming &r, Var v) {
  auto it = r.find(v);
  return it == r.end() ? v : it->second;
}

template <typename F>
static void renameIn(std::vector<std::vector<Atom>> &branches, const F &f) {
  for (std::vector<Atom> &branch : branches) {
    for (Atom &a : branch) {
      a.poly = a.poly.rename(f);
    }
  }
}

static Fact renameFact(Fact f, const Renaming &r) {
  renameIn(f.branches, [&](Var v) { return renamed(r, v); });
  return f;
}

/// First `via`, then `r`: what via maps moves on, what it leaves alone may move
/// for the first time.
static std::shared_ptr<const Renaming>
composed(const std::shared_ptr<const Renaming> &via,
         const std::shared_ptr<const Renaming> &r) {
  if (!via) {
    return r;
  }
  auto out = std::make_shared<Renaming>(*r);
  for (auto &[from, to] : *via) {
    (*out)[from] = renamed(*r, to);
  }
  return out;
}

ScopedFact rename(const ScopedFact &f,
                  const std::shared_ptr<const Renaming> &to) {
  const Renaming &r = *to;
  ScopedFact out = f;
  out.fact = renameFact(f.fact, r);
  if (out.definition) {
    for (Poly &p : out.definition->arguments) {
      p = p.rename([&](Var v) { return renamed(r, v); });
    }
    for (Var &v : out.definition->results) {
      v = renamed(r, v);
    }
  }
  if (f.origin == Origin::Kind::Proved) {
    out.via = composed(f.via, to);
  }
  return out;
}

Lookup rename(const Lookup &l, const Renaming &r) {
  Lookup out = l;
  for (Poly &p : out.at) {
    p = p.rename([&](Var v) { return renamed(r, v); });
  }
  out.value = renamed(r, l.value);
  if (out.stored) {
    out.stored = out.stored->rename([&](Var v) { return renamed(r, v); });
  }
  renameIn(out.padded, [&](Var v) { return renamed(r, v); });
  return out;
}

bool Vc::speaksOfContents() const {
  return llvm::any_of(lookups, [](const Lookup &l) { return !l.isOwn; });
}

void FactBase::addLookup(Lookup l, size_t mark) {
  l.mark = mark;
  found.push_back(std::move(l));
}

void FactBase::release(size_t mark) {
  facts.resize(mark);
  while (!found.empty() && found.back().mark >= mark) {
    found.pop_back();
  }
}

/// Its terms and letters, and what holds them together.
static size_t sizeOf(const Fact &f) {
  size_t sum = 0;
  for (const std::vector<Atom> &branch : f.branches) {
    for (const Atom &a : branch) {
      sum += 2 + a.poly.size();
    }
  }
  return sum;
}

/// Of text that is kept as often as a fact.
static size_t sizeOf(llvm::StringRef text) { return text.size() / 32; }

static size_t sizeOf(const Definition &d) {
  size_t sum = 4 + d.results.size();
  for (const Poly &p : d.arguments) {
    sum += 2 + p.size();
  }
  return sum;
}

void FactBase::charge(size_t more) {
  if (more > left) {
    throw last;
  }
  left -= more;
}

void FactBase::append(ScopedFact f) {
  charge(8 + sizeOf(f.fact) + sizeOf(f.note));
  facts.push_back(std::move(f));
}

FactList FactBase::keepVisible() {
  charge(12 * facts.size());
  return facts;
}

std::vector<Lookup> FactBase::keepLookups() {
  charge(8 * found.size());
  return found;
}

Var FactBase::add(Variable v) {
  charge(4);
  v.next = evaluation == Evaluation::Next;
  variables.push_back(std::move(v));
  return static_cast<Var>(variables.size() - 1);
}

Var FactBase::result(const std::string &name) {
  Variable v;
  v.kind = Variable::Kind::Defined;
  v.name = name;
  return add(std::move(v));
}

const Definition *FactBase::find(const Definition &like) {
  charge(facts.size() / 8);
  for (const ScopedFact &f : facts) {
    if (f.definition && f.definition->kind == like.kind &&
        f.definition->arguments == like.arguments) {
      return &*f.definition;
    }
  }
  return nullptr;
}

void FactBase::introduce(const Definition &d, const std::string &note) {
  uint32_t part = 0;
  for (Fact &f : definitionFacts(d)) {
    ScopedFact s;
    s.fact = std::move(f);
    s.origin = Origin::Kind::Definition;
    s.note = note;
    s.definition = d;
    s.part = part++;
    append(std::move(s));
  }
}

std::pair<Poly, Poly> FactBase::divide(const Poly &a, const Poly &d,
                                       const std::string &name,
                                       const std::string &restName) {
  std::optional<Int> number = a.constant(), by = d.constant();
  if (by && *by == 1) {
    return {a, Poly(0)};
  }
  if (number && by && *number >= 0 && *by > 0) {
    return {Poly(*number / *by), Poly(*number % *by)};
  }
  Definition def{Definition::Kind::Quotient, {a, d}, {}};
  if (const Definition *old = find(def)) {
    return {Poly::variable(old->results[0]), Poly::variable(old->results[1])};
  }
  Var q = result(name),
      r = result(restName.empty() ? name + ".rest" : restName);
  def.results = {q, r};
  introduce(def, name);
  return {Poly::variable(q), Poly::variable(r)};
}

Poly FactBase::select(const Poly &c, const Poly &a, const Poly &b,
                      const std::string &name) {
  std::optional<Int> condition = c.constant();
  if (a == b || condition) {
    return a == b || *condition >= 0 ? a : b;
  }
  Definition def{Definition::Kind::Select, {c, a, b}, {}};
  if (const Definition *old = find(def)) {
    return Poly::variable(old->results[0]);
  }
  Var m = result(name);
  def.results = {m};
  introduce(def, name);
  return Poly::variable(m);
}

Poly FactBase::wrap(const Poly &e, unsigned bits, const std::string &name) {
  std::optional<Int> c = e.constant();
  Int half = Int(1) << (bits - 1);
  if (c && *c >= -half && *c < half) {
    return e;
  }
  Definition def{Definition::Kind::Wrap, {e, Poly(bits)}, {}};
  if (const Definition *old = find(def)) {
    return Poly::variable(old->results[0]);
  }
  Var v = result(name), k = result(name + ".wraps");
  def.results = {v, k};
  introduce(def, name);
  return Poly::variable(v);
}

Poly FactBase::alias(const Poly &e, const std::string &name) {
  if (e.constant()) {
    return e;
  }
  Definition def{Definition::Kind::Name, {e}, {}};
  if (const Definition *old = find(def)) {
    return Poly::variable(old->results[0]);
  }
  Var v = result(name);
  def.results = {v};
  introduce(def, name);
  return Poly::variable(v);
}

void FactBase::define(Var v, const Poly &e) {
  introduce({Definition::Kind::Name, {e}, {v}}, variables[v].name);
}

void FactBase::assume(Fact f, Origin::Kind origin, std::string note) {
  ScopedFact s;
  s.fact = std::move(f);
  s.origin = origin;
  s.note = std::move(note);
  append(std::move(s));
}

namespace {
/// Gives the kernel's variables their numbers in one obligation, by first use.
class Numbering {
public:
  Var operator()(Var v) {
    auto [it, fresh] = numbers.try_emplace(v, order.size());
    if (fresh) {
      order.push_back(v);
    }
    return it->second;
  }
  bool knows(Var v) const { return numbers.count(v) != 0; }
  Poly number(const Poly &p) {
    // Terms come sorted by variable, so first use is a function of the kernel.
    return p.rename([&](Var v) { return (*this)(v); });
  }

  std::map<Var, Var> numbers;
  std::vector<Var> order;
};
} // namespace

static Hypothesis hypothesis(const ScopedFact &s, Obligation &o, Numbering &n,
                             const std::vector<Vc> &vcs) {
  Hypothesis h;
  h.fact = s.fact;
  for (std::vector<Atom> &branch : h.fact.branches) {
    for (Atom &a : branch) {
      a.poly = n.number(a.poly);
    }
  }
  h.origin.kind = s.origin;
  h.origin.note = s.note;
  if (s.definition) {
    Definition d = *s.definition;
    for (Poly &p : d.arguments) {
      p = n.number(p);
    }
    for (Var &v : d.results) {
      v = n(v);
    }
    if (o.definitions.empty() || !(o.definitions.back() == d)) {
      o.definitions.push_back(d);
    }
    h.origin.index = static_cast<uint32_t>(o.definitions.size() - 1);
    h.origin.part = s.part;
  }
  if (s.origin == Origin::Kind::Proved) {
    h.origin.index = s.proved;
    const Vc &earlier = vcs[s.proved];
    // These are most of what an obligation takes, where many are proved.
    h.origin.renaming.reserve(earlier.kernelVariables.size());
    for (Var i = 0; i < earlier.kernelVariables.size(); ++i) {
      Var v = earlier.kernelVariables[i];
      Var here = s.via ? renamed(*s.via, v) : v;
      h.origin.renaming.push_back({i, n(here)});
    }
  }
  return h;
}

static bool knows(const Numbering &n, const Poly &p) {
  return llvm::all_of(p.terms(), [&](const Term &t) {
    return llvm::all_of(t.vars, [&](Var v) { return n.knows(v); });
  });
}

static bool knows(const Numbering &n,
                  const std::vector<std::vector<Atom>> &branches) {
  return llvm::all_of(branches, [&](const std::vector<Atom> &branch) {
    return llvm::all_of(branch,
                        [&](const Atom &a) { return knows(n, a.poly); });
  });
}

/// What a model has to keep besides the hypotheses, as far as the obligation
/// has variables for it.
static void addContents(const FactBase &base, Vc &entry, Numbering &n) {
  std::vector<Lookup> known;
  for (const Lookup &l : base.lookups()) {
    if (n.knows(l.value) && knows(n, l.padded) &&
        llvm::all_of(l.at, [&](const Poly &p) { return knows(n, p); })) {
      known.push_back(l);
    }
  }
  if (base.contentsRule) {
    for (Fact &f : base.contentsRule(known)) {
      bool all = true;
      for (std::vector<Atom> &branch : f.branches) {
        for (Atom &a : branch) {
          all &= knows(n, a.poly);
          a.poly = all ? n.number(a.poly) : a.poly;
        }
      }
      if (all) {
        entry.contents.push_back(std::move(f));
      }
    }
  }
  for (Lookup &l : known) {
    for (Poly &p : l.at) {
      p = n.number(p);
    }
    l.value = n(l.value);
    renameIn(l.padded, [&](Var v) { return n(v); });
    if (l.stored && knows(n, *l.stored)) {
      l.stored = n.number(*l.stored);
    }
    entry.lookups.push_back(std::move(l));
  }
}

size_t FactBase::emit(Rule rule, const std::string &label, const Poly &goal,
                      mlir::Operation *op, bool remember, int tensor,
                      mlir::Operation *other, std::vector<Poly> splits) {
  // A goal that is false of itself is not followed there either.
  std::optional<Int> number = goal.constant();
  if (evaluation == Evaluation::Any && !(number && *number < 0)) {
    if (remember && !number) {
      assume(Fact::atLeastZero(goal), Origin::Kind::Invariant, ruleName(rule));
    }
    return vcs.size();
  }
  Vc entry;
  entry.rule = rule;
  entry.op = op;
  entry.other = other;
  entry.tensor = tensor;
  entry.evaluation = evaluation;
  Obligation &o = entry.obligation;
  o.rule = ruleName(rule);
  o.label = (evaluation == Evaluation::First  ? "at the start, "
             : evaluation == Evaluation::Next ? "after a trip, "
                                              : "") +
            label;
  if (op) {
    o.location = tile::locationText(op->getLoc());
  }
  last.rule = rule;
  last.op = op;
  charge(150 + goal.size());
  o.hypotheses.reserve(facts.size());
  Numbering n;
  for (const ScopedFact &s : facts) {
    size_t definitions = o.definitions.size();
    o.hypotheses.push_back(hypothesis(s, o, n, vcs));
    const Hypothesis &h = o.hypotheses.back();
    charge(8 + sizeOf(h.fact) + sizeOf(h.origin.note) +
           h.origin.renaming.size() / 4);
    if (o.definitions.size() > definitions) {
      charge(sizeOf(o.definitions.back()));
    }
  }
  o.goal = n.number(goal);
  for (const Poly &p : splits) {
    if (knows(n, p) && !p.constant()) {
      o.splits.push_back(n.number(p));
    }
  }
  addContents(*this, entry, n);
  charge(6 * n.order.size() + 8 * entry.lookups.size() +
         16 * entry.contents.size());
  o.variables.reserve(n.order.size());
  entry.variables.reserve(n.order.size());
  for (Var v : n.order) {
    charge(2 * sizeOf(variables[v].name));
    o.variables.push_back(variables[v].name);
    entry.variables.push_back(variables[v]);
  }
  entry.kernelVariables = n.order;
  size_t index = vcs.size();
  vcs.push_back(std::move(entry));
  if (remember && !goal.constant()) {
    ScopedFact s;
    s.fact = Fact::atLeastZero(goal);
    s.origin = Origin::Kind::Proved;
    s.note = ruleName(rule);
    s.proved = static_cast<uint32_t>(index);
    append(std::move(s));
  }
  return index;
}

} // namespace girih::checker
