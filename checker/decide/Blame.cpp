// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/Blame.h"
#include "checker/decide/Replay.h"

using namespace girih::proofs;

namespace girih::checker {

/// What one question to the solver may cost, and how many are asked of one
/// fault: with the launch fixed they are easy.
static constexpr uint64_t findUnits = 10'000;
static constexpr size_t maxQuestions = 6;

bool isAbout(const exec::Fault &f, const Vc &o) {
  if (f.rule != o.rule) {
    return false;
  }
  if (f.rule == Rule::OutCovered) {
    return f.tensor == o.tensor || o.tensor < 0; // divisors name no tensor
  }
  if (f.otherOp && o.other) {
    return (f.op == o.op && f.otherOp == o.other) ||
           (f.op == o.other && f.otherOp == o.op);
  }
  return !o.op || f.op == o.op;
}

/// What a trip of a counted loop finds false is owed at the start, if it is the
/// first one, else at the end of the trip before.
static bool isOfAnotherEvaluation(const exec::Fault &f, const Vc &vc) {
  if (vc.evaluation == Evaluation::None || !vc.op) {
    return false;
  }
  for (auto &[op, trip] : f.iterations) {
    if (op == vc.op->getParentOp()) {
      return (vc.evaluation == Evaluation::First) != (trip == 0);
    }
  }
  return false;
}

/// The numbers that the variables of an obligation have in the run, as far as
/// the fault names them.
static std::vector<std::optional<Int>> numbersOf(const Counterexample &c,
                                                 const Vc &vc) {
  using K = Variable::Kind;
  const exec::Fault &f = c.fault;
  std::vector<std::optional<Int>> out;
  for (const Variable &x : vc.variables) {
    out.emplace_back();
    if (x.kind == K::Symbol) {
      for (auto &[name, value] : c.symbols) {
        out.back() = name == x.name ? value : out.back();
      }
    } else if (x.kind == K::BlockId && x.axis < f.block.size()) {
      out.back() = f.block[x.axis];
    } else if (x.kind == K::Element && x.axis < f.element.size() &&
               f.rule == Rule::OutCovered) {
      out.back() = f.element[x.axis];
    } else if (x.kind == K::Trip) {
      for (auto &[op, trip] : f.iterations) {
        bool isBefore = vc.evaluation == Evaluation::Next && vc.op &&
                        op == vc.op->getParentOp();
        out.back() = op == x.op ? trip - isBefore : out.back();
      }
    }
  }
  return out;
}

namespace {
/// Polynomials and facts under numbers of which some are missing.
struct Known {
  std::vector<std::optional<Int>> numbers;

  std::optional<Int> valueOf(const Poly &p) const {
    for (const Term &t : p.terms()) {
      for (Var v : t.vars) {
        if (!numbers[v]) {
          return std::nullopt;
        }
      }
    }
    return p.evaluate([&](Var v) { return *numbers[v]; });
  }

  /// The results of a definition, from its arguments.
  void define(const Definition &d) {
    std::vector<Int> a;
    for (const Poly &p : d.arguments) {
      std::optional<Int> x = valueOf(p);
      if (!x) {
        return;
      }
      a.push_back(*x);
    }
    switch (d.kind) {
    case Definition::Kind::Quotient:
      if (a[0] >= 0 && a[1] >= 1) {
        numbers[d.results[0]] = a[0] / a[1];
        numbers[d.results[1]] = a[0] % a[1];
      }
      return;
    case Definition::Kind::Select:
      numbers[d.results[0]] = a[0] >= 0 ? a[1] : a[2];
      return;
    case Definition::Kind::Name:
      numbers[d.results[0]] = a[0];
      return;
    case Definition::Kind::Wrap: {
      Int limit = Int(1) << 120; // far from where sums overflow
      if (a[1] < 2 || a[1] > 64 || a[0] < -limit || a[0] > limit) {
        return;
      }
      Int half = Int(1) << (a[1] - 1), all = half + half;
      Int rest = ((a[0] + half) % all + all) % all - half;
      numbers[d.results[0]] = rest;
      numbers[d.results[1]] = (a[0] - rest) / all;
      return;
    }
    }
  }

  /// Whether a fact is seen to be true.
  bool isTrue(const Fact &f) const {
    return llvm::any_of(f.branches, [&](const std::vector<Atom> &branch) {
      return llvm::all_of(branch, [&](const Atom &a) {
        std::optional<Int> x = valueOf(a.poly);
        return x && (a.equality ? *x == 0 : *x >= 0);
      });
    });
  }

  /// Whether a fact is seen to be false.
  bool isFalse(const Fact &f) const {
    return llvm::all_of(f.branches, [&](const std::vector<Atom> &branch) {
      return llvm::any_of(branch, [&](const Atom &a) {
        std::optional<Int> x = valueOf(a.poly);
        return x && (a.equality ? *x != 0 : *x < 0);
      });
    });
  }
};
} // namespace

/// Whether the obligation can be false with these numbers.
static search::Answer canBreak(const Vc &vc, const Known &known,
                               const search::Api *search) {
  Obligation o = vc.obligation;
  auto add = [&](Fact f) {
    o.hypotheses.push_back({std::move(f), {Origin::Kind::Given, 0, 0, {}, ""}});
  };
  llvm::for_each(vc.contents, add);
  for (Var v = 0; v < known.numbers.size(); ++v) {
    if (known.numbers[v]) {
      add(Fact::zero(Poly::variable(v) - Poly(*known.numbers[v])));
    }
  }
  search::Model unused;
  search::Units units{findUnits, 0};
  return search->findModel(o, {}, units, unused);
}

size_t blamed(const Counterexample &c, const Verdict &v,
              llvm::ArrayRef<size_t> candidates, const search::Api *search) {
  std::vector<std::pair<size_t, Known>> open;
  for (size_t i : candidates) {
    const Vc &vc = v.vcs[i];
    if (isOfAnotherEvaluation(c.fault, vc)) {
      continue;
    }
    Known known{numbersOf(c, vc)};
    for (const Definition &d : vc.obligation.definitions) {
      known.define(d);
    }
    std::optional<Int> goal = known.valueOf(vc.obligation.goal);
    if ((goal && *goal >= 0) ||
        llvm::any_of(vc.obligation.hypotheses, [&](const Hypothesis &h) {
          return known.isFalse(h.fact);
        })) {
      continue;
    }
    // What it is about may be no element of this run, and what it takes for
    // proved may be what the run breaks.
    bool applies = llvm::all_of(vc.obligation.hypotheses, [&](const auto &h) {
      bool isOpen = h.origin.kind == Origin::Kind::Region ||
                    (h.origin.kind == Origin::Kind::Proved &&
                     llvm::is_contained(candidates, h.origin.index));
      return !isOpen || known.isTrue(h.fact);
    });
    if (goal && !vc.obligation.goal.constant() && applies) {
      return i;
    }
    open.emplace_back(i, std::move(known));
  }
  // One that cannot break is blamed only where nothing else is left.
  std::optional<size_t> undecided;
  for (size_t k = 0; search && open.size() > 1 && k < open.size(); ++k) {
    search::Answer answer = k < maxQuestions ? canBreak(v.vcs[open[k].first],
                                                        open[k].second, search)
                                             : search::Answer::Unknown;
    if (answer == search::Answer::Sat) {
      return open[k].first;
    }
    if (answer == search::Answer::Unknown) {
      undecided = open[k].first;
    }
  }
  return undecided      ? *undecided
         : open.empty() ? candidates.front()
                        : open.back().first;
}

} // namespace girih::checker
