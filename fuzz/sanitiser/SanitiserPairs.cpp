// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Disjointness: for two claims that two different blocks really made, what the
// obligation assumes is true, and that a common element exists it says exactly
// when the two tiles have one.

#include "fuzz/sanitiser/SanitiserRun.h"

using girih::checker::Variable;
using girih::checker::Vc;
using girih::proofs::Origin;

namespace girih::fuzz {

namespace {
/// Elements to ask about: of two tiles the first common one and the last. Of
/// tiles that have none, elements that would be, or those of one of them.
struct Probes {
  bool common = false;
  std::vector<Wide> first, last;
};
} // namespace

/// Of tiles of one view.
static Probes probesOfBoxes(const Place &a, const Place &b) {
  std::vector<Wide> first, last;
  bool common = true;
  for (size_t i = 0; i < a.low.size(); ++i) {
    first.push_back(std::max(a.low[i], b.low[i]));
    last.push_back(std::min(a.high[i], b.high[i]));
    common &= first[i] <= last[i];
  }
  return {common, a.element(first), a.element(last)};
}

static Probes probesOf(const Place &a, const Place &b) {
  auto equalAxes = [](const exec::ViewAxis &x, const exec::ViewAxis &y) {
    return x.root == y.root && x.scale == y.scale;
  };
  if (!a.view.flattened && !b.view.flattened &&
      a.view.origin == b.view.origin &&
      llvm::equal(a.view.axes, b.view.axes, equalAxes)) {
    return probesOfBoxes(a, b);
  }
  Probes out{false, a.element(a.high), b.element(b.low)};
  std::vector<Wide> at = a.low;
  while (true) {
    std::vector<Wide> x = a.element(at);
    if (b.contains(x)) {
      out = {true, out.common ? out.first : x, x};
    }
    size_t j = at.size();
    while (j > 0 && ++at[j - 1] > a.high[j - 1]) {
      at[j - 1] = a.low[j - 1];
      --j;
    }
    if (j == 0) {
      return out;
    }
  }
}

static void checkElement(SanitiserRun &run, const Vc &o, const Place &one,
                         const Place &two, const std::vector<Wide> &element,
                         bool common) {
  Environment env;
  auto inOne = one.inViews(element), inTwo = two.inViews(element);
  for (const Variable &v : o.variables) {
    if (v.kind == Variable::Kind::Element) {
      env.push_back(v.axis < element.size()
                        ? std::optional<Wide>(element[v.axis])
                        : std::nullopt);
    } else if (v.kind == Variable::Kind::InView) {
      const std::vector<Wide> &at = (v.copy == 2 ? inTwo : inOne)[v.level];
      env.push_back(v.axis < at.size() ? std::optional<Wide>(at[v.axis])
                                       : std::nullopt);
    } else {
      env.push_back(run.supply(v, v.copy == 2 ? &two : &one));
    }
  }
  ++run.report.pairs;
  Opinion opinion = run.ask(
      o, env, [&](const Variable &v) { return v.copy == 2 ? &two : &one; });
  bool said = true;
  Opinion wrong = opinion;
  wrong.falseHypotheses.clear();
  for (size_t i : opinion.falseHypotheses) {
    bool region =
        o.obligation.hypotheses[i].origin.kind == Origin::Kind::Region;
    said &= !region;
    if (!region || common) {
      wrong.falseHypotheses.push_back(i);
    }
  }
  if (!run.sound(o, wrong, &one)) {
    return;
  }
  if (said && !common) {
    run.problem(o, "it speaks of a common element, and there is none", &one);
  }
  if (opinion.goal()) {
    run.problem(o, "its goal can hold", &one);
  }
}

static void checkPair(SanitiserRun &run, const Vc &o, const Place &one,
                      const Place &two) {
  Probes p = probesOf(one, two);
  checkElement(run, o, one, two, p.first, p.common);
  checkElement(run, o, one, two, p.last, p.common);
}

/// The clash that the executor reported, whatever the sample has left out.
static void checkClash(SanitiserRun &run, const exec::Fault &f) {
  for (const Vc &o : run.generated.vcs) {
    auto compares = [&](mlir::Operation *a, mlir::Operation *b) {
      return llvm::is_contained(o.alike, a) &&
             llvm::is_contained(o.othersAlike, b);
    };
    bool here = compares(f.op, f.otherOp), there = compares(f.otherOp, f.op);
    if (o.rule == Rule::ClaimDisjoint && (here || there)) {
      return;
    }
  }
  run.problem("two blocks clash at claims that no obligation compares: " +
              f.message);
}

/// Of two claims that the obligation compares.
static void checkPairs(SanitiserRun &run, const Vc &o, mlir::Operation *one,
                       mlir::Operation *two) {
  const std::vector<Place> &first = run.claims[one], &second = run.claims[two];
  if (first.empty() || second.empty()) {
    return;
  }
  size_t all = first.size() * second.size();
  bool sampled = all > run.options.maxPairs;
  size_t count = std::min(all, run.options.maxPairs);
  for (size_t n = 0; n < count && !run.full(); ++n) {
    size_t at = sampled ? run.random() % all : n;
    const Place &a = first[at / second.size()], &b = second[at % second.size()];
    // A claim against itself: the first block is the smaller one.
    if (o.op == o.other ? a.block < b.block : a.block != b.block) {
      checkPair(run, o, a, b);
    }
  }
}

void sanitisePairs(SanitiserRun &run) {
  for (const Vc &o : run.generated.vcs) {
    if (o.rule == Rule::ClaimDisjoint) {
      for (mlir::Operation *one : o.alike) {
        for (mlir::Operation *two : o.othersAlike) {
          checkPairs(run, o, one, two);
        }
      }
    }
  }
  for (const exec::Fault &f : run.report.result.faults) {
    if (f.rule == Rule::ClaimDisjoint) {
      checkClash(run, f);
    }
  }
}

} // namespace girih::fuzz
