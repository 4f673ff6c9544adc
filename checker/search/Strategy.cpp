// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/Strategy.h"

#include "checker/search/Canonical.h"
#include "checker/search/ExactWraps.h"
#include "checker/search/Prover.h"
#include "proofs/Judge.h"
#include "spec/Rule.h"

#include <algorithm>
#include <set>

namespace girih::search {

using proofs::Certificate;

namespace {
/// A strategy, applied to an obligation.
struct Attempt {
  Strategy strategy;
  std::vector<bool> use; ///< by fact
  Int hugeFrom = hugeNumber;
  bool tight = false;
  bool propagates = false; ///< definitions in their order
  bool bits = false;       ///< and compares no quotients: there are many
  bool lean = false;       ///< without factors that seem to say nothing
  bool brief = false;      ///< no cases and no splits
  bool open = true;        ///< more steps could make a difference
  uint64_t had = 0;        ///< steps that were not enough
};
} // namespace

static std::optional<Certificate>
attempt(const proofs::Obligation &o, const std::vector<proofs::Fact> &facts,
        const Attempt &how, const Budget &budget, Stats &stats) {
  Shared shared;
  shared.budget = budget;
  shared.left = budget.pivots;
  shared.nextFact = FactId(facts.size());
  shared.goal = shared.focus = FactId(o.hypotheses.size());
  shared.hugeFrom = how.hugeFrom;
  shared.tight = how.tight;
  shared.brief = how.brief;
  shared.lean = how.lean;
  shared.definedBy.assign(o.variables.size(), 0);
  for (size_t i = 0; i < o.definitions.size(); ++i) {
    for (Var v : o.definitions[i].results) {
      shared.definedBy[v] = i + 1;
    }
  }
  State state = firstState(o, facts, how.use, shared.ring);
  state.propagates = how.propagates;
  state.compared = how.bits;
  TreePtr tree = HandelmanSearch(state, shared).find(1);
  if (!tree) {
    tree = Prover(shared).prove(std::move(state), 0);
  }
  shared.stats.pivots = budget.pivots - shared.left;
  std::optional<Certificate> result;
  if (tree) {
    result = toCertificate(*tree, shared.ring, facts.size(), shared.stats);
    if (!proofs::refutes(facts, *result).accepted) {
      result.reset();
    }
  }
  stats = shared.stats;
  return result;
}

/// Whether a half is halved: xor takes numbers for their bits.
static bool speaksOfBits(const proofs::Obligation &o) {
  std::set<Var> halves;
  for (const proofs::Definition &d : o.definitions) {
    if (d.kind != proofs::Definition::Kind::Quotient ||
        d.arguments.size() != 2 || d.arguments[1].constant() != Int(2)) {
      continue;
    }
    for (const proofs::Term &t : d.arguments[0].terms()) {
      if (std::any_of(t.vars.begin(), t.vars.end(),
                      [&](Var v) { return halves.count(v); })) {
        return true;
      }
    }
    halves.insert(d.results.begin(), d.results.end());
  }
  return false;
}

/// With little and with all. Bounds are multiplied only where the goal is a
/// huge one, of a machine's integers: their square may be what keeps it. The
/// text of an obligation may name no rule.
static std::vector<Attempt> attempts(const proofs::Obligation &o,
                                     std::optional<Rule> rule,
                                     const std::vector<proofs::Fact> &facts) {
  constexpr Int address = Int(1) << 48, smallNumber = Int(1) << 12;
  bool isWitness = rule == Rule::OutCovered;
  std::vector<Attempt> out;
  auto add = [&](Strategy strategy, std::vector<bool> use) -> Attempt & {
    for (size_t i = use.size(); i < facts.size(); ++i) {
      use.push_back(facts[i].atom()->equality);
    }
    return out.emplace_back(Attempt{strategy, std::move(use)});
  };
  std::vector<bool> relevant = relevantFacts(o),
                    all(o.hypotheses.size() + 1, true);
  const std::vector<proofs::Term> &goal = o.goal.terms();
  bool isHuge = std::any_of(goal.begin(), goal.end(), [&](const auto &t) {
    return t.coeff >= hugeNumber || t.coeff <= -hugeNumber;
  });
  bool halves = speaksOfBits(o);
  auto propagate = [&](Strategy strategy, std::vector<bool> use, bool brief) {
    Attempt &how = add(strategy, std::move(use));
    how.propagates = how.lean = true;
    how.brief = brief;
    how.bits = halves;
  };
  if (isWitness) {
    propagate(Strategy::PropagateRelevant, relevant, false);
  }
  if ((isWitness && relevant != all) || isHuge) {
    propagate(Strategy::PropagateAll, all, !isWitness);
  }
  // Of a map's results their names are mostly enough. A witness has names as
  // well, but there what they stand for is the question.
  bool isNamed = std::any_of(
      o.definitions.begin(), o.definitions.end(),
      [](const auto &d) { return d.kind == proofs::Definition::Kind::Name; });
  if (isNamed && !isWitness) {
    bool isInverse = rule == Rule::MapInverse;
    if (isInverse && halves) {
      propagate(Strategy::PropagateInverse, withoutArguments(o), false);
    } else if (rule == Rule::ClaimDisjoint && halves) {
      propagate(Strategy::PropagateNamed, relevantFacts(o, true), false);
    }
    add(Strategy::Named, relevantFacts(o, true));
    if (isInverse) {
      add(Strategy::WithoutArguments, withoutArguments(o));
    }
  }
  if (relevant != all) {
    add(Strategy::Relevant, relevant);
  }
  if (rule == Rule::ClaimDisjoint) {
    add(Strategy::Lean, structuralFacts(o)).lean = true;
  }
  add(Strategy::All, all);
  if (isHuge) {
    // With bounds of some millions among the factors the linear program finds
    // no certificate beside numbers of 2^63, even where they are not needed.
    add(Strategy::Small, all).hugeFrom = smallNumber;
    add(Strategy::Tight, all).tight = true;
    Attempt &last = add(Strategy::TightRelevant, relevant);
    last.tight = true;
    last.hugeFrom = address;
  }
  return out;
}

/// Every attempt on an obligation in canonical form: with few steps, then with
/// more: which of them is good shows soon, and one that is not may never end.
/// `facts` are its own and what is known besides.
static std::optional<Certificate>
findFrom(const proofs::Obligation &o, const std::vector<proofs::Fact> &facts,
         const Budget &budget, Stats &stats) {
  std::vector<Attempt> all = attempts(o, ruleNamed(o.rule), facts);
  std::erase_if(all, [&](const Attempt &how) {
    return budget.without >> static_cast<unsigned>(how.strategy) & 1;
  });
  std::optional<Certificate> result;
  Stats last;
  uint64_t left = budget.pivots;
  auto isOpen = [&](const Attempt &how) { return how.open && left > how.had; };
  for (uint64_t share = budget.first;
       !result && std::any_of(all.begin(), all.end(), isOpen);
       share *= budget.growth) {
    for (Attempt &how : all) {
      if (result || !isOpen(how)) {
        continue;
      }
      Budget part = budget;
      part.pivots = std::min(left, how.propagates ? share + share / 2 : share);
      how.had = part.pivots;
      result = attempt(o, facts, how, part, last);
      how.open = last.pivots == part.pivots;
      last.strategy = result ? static_cast<int>(how.strategy) : -1;
      left -= last.pivots;
    }
  }
  if (!result && std::any_of(all.begin(), all.end(),
                             [](const Attempt &how) { return how.open; })) {
    left = 0; // what is left is too little for any
  }
  stats = last;
  stats.pivots = budget.pivots - left;
  return result;
}

/// From the canonical form, with the values that are known not to wrap.
static std::optional<Certificate> find(const Canonical &form,
                                       const Budget &budget, Stats &stats) {
  const proofs::Obligation &o = form.obligation;
  ExactWraps exact(o);
  if (budget.lemmas && !budget.lemmas->byText.empty()) {
    exact.prove([&](const Canonical &lemma, const std::string &) {
      auto it = budget.lemmas->byText.find(canonicalText(lemma.obligation));
      return it == budget.lemmas->byText.end() ? std::nullopt
                                               : it->second.proof;
    });
  }
  std::vector<proofs::Fact> facts = factsOf(o), more = exact.facts();
  facts.insert(facts.end(), more.begin(), more.end());
  auto result = findFrom(o, facts, budget, stats);
  return result ? std::optional(exact.over(std::move(*result))) : std::nullopt;
}

std::optional<Certificate> findCertificate(const proofs::Obligation &o,
                                           const Budget &budget, Stats *stats) {
  Stats own;
  Canonical form = canonical(o);
  auto result = find(form, budget, stats ? *stats : own);
  if (result) {
    result = translate(std::move(*result), form);
  }
  return result;
}

uint64_t findLemmas(const proofs::Obligation &o, const Budget &budget,
                    Lemmas &lemmas) {
  if (!ExactWraps::concerns(o)) {
    return 0;
  }
  // Few bounds take more. What failed of a value mostly fails again, but an
  // obligation further down may know what was missing.
  constexpr uint64_t maxSteps = 4000, minSteps = 500;
  uint64_t sum = 0, most = 4 * std::min<uint64_t>(budget.pivots, 10'000);
  Budget part = budget;
  part.lemmas = nullptr;
  // The names of the reader stay: the same value of an earlier obligation may
  // have been tried from fewer facts.
  Canonical form = canonical(o);
  for (size_t v = 0; v < form.variable.size(); ++v) {
    if (form.variable[v] < o.variables.size()) {
      form.obligation.variables[v] = o.variables[form.variable[v]];
    }
  }
  ExactWraps(form.obligation)
      .prove([&](const Canonical &lemma, const std::string &name) {
        Lemma &found = lemmas.byText[canonicalText(lemma.obligation)];
        uint64_t &failures =
            lemmas.failures[name + (lemma.obligation.goal.terms()[0].coeff > 0
                                        ? "+"
                                        : "-")];
        uint64_t left = most - std::min(most, sum);
        part.pivots =
            std::min(left, std::max(maxSteps >> std::min<uint64_t>(failures, 8),
                                    minSteps));
        if (!found.proof && found.tried < part.pivots) {
          Stats stats;
          found.tried = part.pivots;
          found.proof = findFrom(lemma.obligation, factsOf(lemma.obligation),
                                 part, stats);
          failures = found.proof ? 0 : failures + 1;
          sum += stats.pivots;
        }
        return found.proof;
      });
  return sum;
}

} // namespace girih::search
