// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the judge recomputes of the hypotheses, and the ruling on a whole list.
//
// Why this is enough. Read the hypotheses in order, with the values that the
// kernel gives to the variables that no definition introduces. A hypothesis of
// the kernel holds. At the first fact of a definition its needs hold, and its
// arguments have values; the results then exist (theory/Definitions.v), and
// nobody has spoken of them yet. A proved goal is an instance of a statement
// that is true of all integers, whatever the renaming, injective or not; its
// premises hold already. So every hypothesis holds, hence the goal.

#include "proofs/Refute.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <unordered_map>
#include <utility>

namespace girih::proofs {

namespace {

using Renaming = std::vector<std::pair<Var, Var>>;

struct FactHash {
  size_t operator()(const Fact *f) const;
};
struct FactEqual {
  bool operator()(const Fact *a, const Fact *b) const { return *a == *b; }
};
struct NumbersHash {
  size_t operator()(const std::vector<uint32_t> &numbers) const;
};

/// What a definition says and needs. Most obligations of a list have the same
/// definition at the same place as the one before, so the last is kept.
class DefinitionTable {
public:
  struct Entry {
    const Definition *of = nullptr;
    std::vector<Fact> facts, needs;
  };
  const Entry &at(const Obligation &o, uint32_t index) {
    if (entries.size() <= index) {
      entries.resize(index + 1);
    }
    Entry &e = entries[index];
    const Definition &d = o.definitions[index];
    if (!e.of || *e.of != d) {
      e = {&d, definitionFacts(d), definitionNeeds(d)};
    }
    return e;
  }

private:
  std::vector<Entry> entries;
};

/// Numbers facts, equal ones alike, so that "stands among the hypotheses" is a
/// look-up; remembers what a fact becomes under a renaming.
class FactNumbers {
public:
  uint32_t number(const Fact &f);
  uint32_t renamed(uint32_t fact, const Renaming &renaming);
  /// How many of the first `count` facts, in order, speak of variables below
  /// `first` only.
  size_t speakOnlyBelow(const std::vector<uint32_t> &list, size_t count,
                        Var first) const;
  /// The numbers of the hypotheses of an obligation of the list.
  const std::vector<uint32_t> &hypotheses(std::span<const Obligation> all,
                                          size_t index);

  DefinitionTable definitions;

private:
  std::deque<Fact> facts;
  std::vector<std::vector<Var>> variables; ///< of each fact
  std::unordered_map<const Fact *, uint32_t, FactHash, FactEqual> numbers;
  /// By the number of a fact and what its variables become.
  std::unordered_map<std::vector<uint32_t>, uint32_t, NumbersHash> images;
  std::unordered_map<size_t, std::vector<uint32_t>> perObligation;
};

} // namespace

static size_t mixed(size_t hash, uint64_t x) {
  hash = (hash ^ x) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

size_t NumbersHash::operator()(const std::vector<uint32_t> &numbers) const {
  size_t hash = numbers.size();
  for (uint32_t n : numbers) {
    hash = mixed(hash, n);
  }
  return hash;
}

/// Calls `visit(atom)` for each atom of a fact.
template <typename F> static void eachAtom(const Fact &f, F visit) {
  for (const std::vector<Atom> &branch : f.branches) {
    std::for_each(branch.begin(), branch.end(), visit);
  }
}

size_t FactHash::operator()(const Fact *f) const {
  size_t hash = f->branches.size();
  eachAtom(*f, [&](const Atom &a) {
    hash = mixed(hash, a.equality);
    for (const Term &t : a.poly.terms()) {
      hash = mixed(hash, uint64_t(t.coeff));
      for (Var v : t.vars) {
        hash = mixed(hash, v);
      }
    }
  });
  return hash;
}

static std::vector<Var> variablesOf(const Fact &f) {
  std::vector<Var> out;
  eachAtom(f, [&](const Atom &a) {
    for (const Term &t : a.poly.terms()) {
      out.insert(out.end(), t.vars.begin(), t.vars.end());
    }
  });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

uint32_t FactNumbers::number(const Fact &f) {
  auto it = numbers.find(&f);
  if (it == numbers.end()) {
    facts.push_back(f);
    variables.push_back(variablesOf(f));
    it = numbers.emplace(&facts.back(), uint32_t(facts.size() - 1)).first;
  }
  return it->second;
}

/// `renaming` is sorted; a variable that it does not list stays.
static Var rename(Var v, const Renaming &renaming) {
  auto it = std::lower_bound(renaming.begin(), renaming.end(),
                             Renaming::value_type(v, 0));
  return it != renaming.end() && it->first == v ? it->second : v;
}

static Poly rename(const Poly &p, const Renaming &renaming) {
  return p.rename([&](Var v) { return rename(v, renaming); });
}

uint32_t FactNumbers::renamed(uint32_t fact, const Renaming &renaming) {
  std::vector<uint32_t> key = {fact};
  bool same = true;
  for (Var v : variables[fact]) {
    key.push_back(rename(v, renaming));
    same &= key.back() == v;
  }
  if (same) {
    return fact;
  }
  auto [it, isNew] = images.try_emplace(std::move(key));
  if (isNew) {
    Fact image = facts[fact];
    for (std::vector<Atom> &branch : image.branches) {
      for (Atom &a : branch) {
        a.poly = rename(a.poly, renaming);
      }
    }
    it->second = number(image);
  }
  return it->second;
}

size_t FactNumbers::speakOnlyBelow(const std::vector<uint32_t> &list,
                                   size_t count, Var first) const {
  if (first == std::numeric_limits<Var>::max()) {
    return count;
  }
  for (size_t i = 0; i < count; ++i) {
    const std::vector<Var> &of = variables[list[i]];
    if (!of.empty() && of.back() >= first) {
      return i;
    }
  }
  return count;
}

const std::vector<uint32_t> &
FactNumbers::hypotheses(std::span<const Obligation> all, size_t index) {
  auto [it, isNew] = perObligation.try_emplace(index);
  if (isNew) {
    for (const Hypothesis &h : all[index].hypotheses) {
      it->second.push_back(number(h.fact));
    }
  }
  return it->second;
}

static CheckResult no(std::string reason) { return {false, std::move(reason)}; }

static bool overflowed(const Obligation &o) {
  bool any = o.goal.overflowed();
  for (const Hypothesis &h : o.hypotheses) {
    eachAtom(h.fact, [&](const Atom &a) { any |= a.poly.overflowed(); });
  }
  return any;
}

namespace {

/// The walk over the hypotheses of one obligation, in order.
class Walk {
public:
  Walk(std::span<const Obligation> all, size_t index, FactNumbers &numbers)
      : all(all), index(index), o(all[index]), numbers(numbers) {}

  /// Empty, or what is wrong.
  std::string run();

private:
  std::string collectResults();
  std::string introduce(uint32_t definition);
  std::string checkDefinition(const Hypothesis &h);
  std::string checkProved(const Hypothesis &h);
  size_t alreadySeen(const std::vector<uint32_t> &facts,
                     const Renaming &renaming);
  bool isKnown(const Poly &p) const;
  bool isKnown(const Fact &f) const;
  bool stands(const Fact &f);

  std::span<const Obligation> all;
  size_t index;
  const Obligation &o;
  FactNumbers &numbers;
  std::unordered_map<Var, uint32_t> resultOf; ///< results, by definition
  std::vector<bool> introduced;               ///< definitions met so far
  std::vector<bool> standing;                 ///< facts met so far, by number
  /// The last proved goal that was looked at, and under which renaming: all of
  /// its hypotheses stand.
  std::optional<size_t> seen;
  Renaming seenUnder;
};

} // namespace

/// A definition that no hypothesis cites says nothing: its results are
/// variables like any other.
std::string Walk::collectResults() {
  introduced.assign(o.definitions.size(), false);
  std::vector<bool> cited(o.definitions.size());
  for (const Hypothesis &h : o.hypotheses) {
    uint32_t i = h.origin.index;
    if (h.origin.kind != Origin::Kind::Definition) {
      continue;
    }
    if (i >= cited.size()) {
      return "definition " + std::to_string(i) + " does not exist";
    }
    if (cited[i]) {
      continue;
    }
    cited[i] = true;
    for (Var v : o.definitions[i].results) {
      if (!resultOf.emplace(v, i).second) {
        return "v" + std::to_string(v) + " is defined twice";
      }
    }
  }
  return "";
}

bool Walk::isKnown(const Poly &p) const {
  return std::all_of(p.terms().begin(), p.terms().end(), [&](const Term &t) {
    return std::all_of(t.vars.begin(), t.vars.end(), [&](Var v) {
      auto it = resultOf.find(v);
      return it == resultOf.end() || introduced[it->second];
    });
  });
}

bool Walk::isKnown(const Fact &f) const {
  bool all = true;
  eachAtom(f, [&](const Atom &a) { all &= isKnown(a.poly); });
  return all;
}

bool Walk::stands(const Fact &f) {
  uint32_t number = numbers.number(f);
  return number < standing.size() && standing[number];
}

/// True of itself, as the need `127 >= 0` of a division by 128.
static bool isTrivial(const Fact &f) {
  const Atom *a = f.atom();
  std::optional<Int> value = a ? a->poly.constant() : std::nullopt;
  return value && (a->equality ? *value == 0 : *value >= 0);
}

std::string Walk::introduce(uint32_t definition) {
  std::string name = "definition " + std::to_string(definition);
  for (const Poly &argument : o.definitions[definition].arguments) {
    if (!isKnown(argument)) {
      return name + " has an argument that a later definition introduces";
    }
  }
  for (const Fact &need : numbers.definitions.at(o, definition).needs) {
    if (!isTrivial(need) && !stands(need)) {
      return name + " stands before what it needs, " + print(need, nullptr);
    }
  }
  introduced[definition] = true;
  return "";
}

std::string Walk::checkDefinition(const Hypothesis &h) {
  uint32_t definition = h.origin.index;
  if (!introduced[definition]) {
    if (std::string wrong = introduce(definition); !wrong.empty()) {
      return wrong;
    }
  }
  const std::vector<Fact> &facts = numbers.definitions.at(o, definition).facts;
  if (h.origin.part >= facts.size() || h.fact != facts[h.origin.part]) {
    return "not part " + std::to_string(h.origin.part) + " of definition " +
           std::to_string(definition);
  }
  return "";
}

/// Sorted, without the variables that stay; nothing if one is listed twice.
static std::optional<Renaming> normalised(Renaming renaming) {
  std::sort(renaming.begin(), renaming.end());
  auto sameFrom = [](const auto &a, const auto &b) {
    return a.first == b.first;
  };
  if (std::adjacent_find(renaming.begin(), renaming.end(), sameFrom) !=
      renaming.end()) {
    return std::nullopt;
  }
  std::erase_if(renaming, [](const auto &p) { return p.first == p.second; });
  return renaming;
}

/// How many of these hypotheses of a proved goal stand since the last one was
/// looked at: those that both begin with, where the renaming does to them what
/// it did then. A list of n goals, each after the one before, would cost n^3.
size_t Walk::alreadySeen(const std::vector<uint32_t> &facts,
                         const Renaming &renaming) {
  if (!seen) {
    return 0;
  }
  const std::vector<uint32_t> &before = numbers.hypotheses(all, *seen);
  size_t same = size_t(
      std::mismatch(facts.begin(), facts.end(), before.begin(), before.end())
          .first -
      facts.begin());
  // Equal but for variables that none of them speaks of.
  size_t i = 0, shared = std::min(renaming.size(), seenUnder.size());
  while (i < shared && renaming[i] == seenUnder[i]) {
    ++i;
  }
  Var first = std::numeric_limits<Var>::max();
  for (const Renaming *rest : {&renaming, &std::as_const(seenUnder)}) {
    first = i < rest->size() ? std::min(first, (*rest)[i].first) : first;
  }
  return numbers.speakOnlyBelow(facts, same, first);
}

std::string Walk::checkProved(const Hypothesis &h) {
  size_t earlier = h.origin.index;
  std::string name = "obligation " + std::to_string(earlier);
  if (earlier >= index) {
    return name + " is not an earlier one";
  }
  std::optional<Renaming> renaming = normalised(h.origin.renaming);
  if (!renaming) {
    return "a variable is renamed twice";
  }
  if (h.fact != Fact::atLeastZero(rename(all[earlier].goal, *renaming))) {
    return "not the goal of " + name;
  }
  const std::vector<uint32_t> &facts = numbers.hypotheses(all, earlier);
  for (size_t i = alreadySeen(facts, *renaming); i < facts.size(); ++i) {
    uint32_t here = numbers.renamed(facts[i], *renaming);
    if (here >= standing.size() || !standing[here]) {
      return "a hypothesis of " + name + " is missing before";
    }
  }
  seen = earlier;
  seenUnder = std::move(*renaming);
  return "";
}

std::string Walk::run() {
  if (overflowed(o)) {
    return "overflow";
  }
  if (std::string wrong = collectResults(); !wrong.empty()) {
    return wrong;
  }
  // A copy: the table of numbers grows while its goals are looked up.
  const std::vector<uint32_t> own = numbers.hypotheses(all, index);
  for (size_t i = 0; i < o.hypotheses.size(); ++i) {
    const Hypothesis &h = o.hypotheses[i];
    std::string wrong;
    switch (h.origin.kind) {
    case Origin::Kind::Contract:
    case Origin::Kind::Path:
    case Origin::Kind::Loop:
    case Origin::Kind::Launch:
    case Origin::Kind::Region:
    case Origin::Kind::Distinct:
    case Origin::Kind::Value:
    case Origin::Kind::Trust:
    case Origin::Kind::Given:
    case Origin::Kind::Invariant:
      break; // the kernel's word
    case Origin::Kind::Definition:
      wrong = checkDefinition(h);
      break;
    case Origin::Kind::Proved:
      wrong = checkProved(h);
      break;
    default:
      wrong = "unknown origin";
    }
    if (wrong.empty() && !isKnown(h.fact)) {
      wrong = "mentions the result of a later definition";
    }
    if (!wrong.empty()) {
      return "hypothesis " + std::to_string(i) + ": " + wrong;
    }
    standing.resize(std::max<size_t>(standing.size(), own[i] + 1));
    standing[own[i]] = true;
  }
  return "";
}

static CheckResult wellFounded(std::span<const Obligation> all, size_t index,
                               FactNumbers &numbers) {
  if (index >= all.size()) {
    return no("no such obligation");
  }
  std::string wrong = Walk(all, index, numbers).run();
  return {wrong.empty(), wrong};
}

CheckResult wellFounded(std::span<const Obligation> all, size_t index) {
  FactNumbers numbers;
  return wellFounded(all, index, numbers);
}

static CheckResult judgeOne(std::span<const Obligation> all, size_t index,
                            const Certificate *certificate,
                            const std::vector<CheckResult> &earlier,
                            FactNumbers &numbers, uint64_t most) {
  if (!certificate) {
    return no("no certificate");
  }
  CheckResult ruling = wellFounded(all, index, numbers);
  if (!ruling.accepted) {
    return ruling;
  }
  std::vector<const Fact *> facts;
  facts.reserve(all[index].hypotheses.size() + 1);
  for (const Hypothesis &h : all[index].hypotheses) {
    if (h.origin.kind == Origin::Kind::Proved &&
        !earlier[h.origin.index].accepted) {
      return no("rests on obligation " + std::to_string(h.origin.index) +
                ", which is not proved");
    }
    facts.push_back(&h.fact);
  }
  Fact negated = Fact::atLeastZero(negatedGoal(all[index]));
  facts.push_back(&negated);
  return refutesThese(std::move(facts), *certificate, most);
}

std::vector<CheckResult>
judge(std::span<const Obligation> all,
      std::span<const Certificate *const> certificates) {
  FactNumbers numbers;
  std::vector<CheckResult> rulings;
  uint64_t left = maxListWork;
  for (size_t i = 0; i < all.size(); ++i) {
    const Certificate *certificate =
        i < certificates.size() ? certificates[i] : nullptr;
    rulings.push_back(judgeOne(all, i, certificate, rulings, numbers,
                               std::min(left, maxWork)));
    left -= rulings.back().accepted ? rulings.back().work : 0;
  }
  return rulings;
}

} // namespace girih::proofs
