// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/Suggest.h"
#include "checker/decide/Conditions.h"
#include "checker/decide/Probe.h"
#include "checker/decide/SuggestGiven.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"

namespace girih::checker {

using tile::ComparisonAttr;

namespace {
/// Launches that are looked at, and choices of numbers for the smallest of
/// them.
constexpr size_t smallest = 400, choices = 1 << 14;
/// Of the executor, a launch.
constexpr uint64_t launchSteps = 1 << 12;
/// Of the search: to see whether a condition proves what was open, an
/// obligation and all, to verify the kernel under one, and to weaken one.
constexpr uint64_t openSteps = 6'000, allOpenSteps = 60'000,
                   boundSteps = 12'000, kernelSteps = 30'000,
                   weakenSteps = 30'000;
/// Of facts and obligations, a candidate and all: a kernel that comes to more
/// is long, and each candidate is as long as the kernel.
constexpr size_t candidateUnits = maxFactUnits / 4, allUnits = 2 * maxFactUnits;
/// Conditions that are verified, alone and in pairs; and of how many pairs are
/// made.
constexpr size_t maxVerified = 6, maxPaired = 160;
/// Numbers that are drawn to see what a condition leaves, and how many of them
/// have to meet it to tell.
constexpr uint64_t draws = 1 << 13;
constexpr size_t leastDrawn = 32;
/// Nothing is suggested for contracts with more: conditions speak of up to
/// three symbols each, and each draw is held against each requirement.
constexpr size_t maxSymbols = 64, maxRequirements = 256;
/// Launches that a condition must admit to be worth a word.
constexpr size_t leastMet = 2;

/// What a condition admits of the launches that were run.
struct Effect {
  ComparisonAttr condition;
  llvm::BitVector misses; ///< of those that fault
  llvm::BitVector meets;  ///< of the others
};

/// A condition, alone or one of two.
struct Try {
  std::vector<ComparisonAttr> conditions;
  size_t admits = 0; ///< of the launches that do not fault
  size_t place = 0;  ///< in the list
};

class Suggesting {
public:
  Suggesting(tile::KernelOp kernel, const Verdict &v,
             const VerifyOptions &given)
      : kernel(kernel), v(v), options(given), contract(kernel), runner(kernel) {
    options.certificates = nullptr;
    options.crossCheck = false;
    options.allFaults = false;
    options.models = false;
    options.steps = std::min(kernelSteps, given.steps);
  }

  std::optional<Suggestion> run() {
    runLaunches();
    std::vector<Effect> all = effects();
    if (auto found = verifyFirst(alone(all), allOpenSteps)) {
      return found;
    }
    if (auto found = verifyFirst(bounds(), boundSteps)) {
      return found;
    }
    // What one block needs is hardly ever two conditions.
    return bad.empty() || wasTrivial ? std::nullopt
                                     : verifyFirst(pairs(all), allOpenSteps);
  }

private:
  tile::KernelOp kernel;
  const Verdict &v;
  VerifyOptions options;
  size_t units = allUnits; ///< that are left
  ContractValues contract;
  exec::Runner runner;
  std::vector<std::vector<int64_t>> bad; ///< launches that fault
  /// Launches that do not, with nothing that is 0: under conditions that only
  /// others meet nobody launches.
  std::vector<std::vector<int64_t>> good;
  bool wasTrivial = false; ///< some condition that was proved to be enough

  std::vector<int64_t>
  valuesOf(llvm::ArrayRef<std::pair<std::string, int64_t>> symbols) const {
    std::vector<int64_t> out(contract.names.size());
    for (auto &[name, value] : symbols) {
      out[contract.symbol(name)] = value;
    }
    return out;
  }

  void runLaunch(const CandidateLaunch &launch) {
    exec::Options o;
    o.symbols.insert(launch.symbols.begin(), launch.symbols.end());
    o.indexWidth = options.width.bits;
    o.values = false;
    o.maxSteps = launchSteps;
    exec::Result r = runner.run(o);
    std::vector<int64_t> values = valuesOf(launch.symbols);
    if (r.contractError.empty() && !r.faults.empty()) {
      bad.push_back(std::move(values));
    } else if (r.contractError.empty() && !llvm::is_contained(values, 0)) {
      good.push_back(std::move(values));
    }
  }

  void runLaunches() {
    for (const Counterexample &c : v.counterexamples) {
      bad.push_back(valuesOf(c.symbols));
    }
    SmallLaunches all(kernel, choices);
    for (size_t i = 0; i < smallest; ++i) {
      std::optional<CandidateLaunch> launch = all.next();
      if (!launch) {
        break;
      }
      runLaunch(*launch);
    }
    for (const CandidateLaunch &launch : edgeLaunches(kernel)) {
      runLaunch(launch);
    }
  }

  /// A counterexample that is one because of its size.
  std::vector<int64_t> large() const {
    for (size_t i = 0; i < v.counterexamples.size(); ++i) {
      if (llvm::any_of(bad[i], [](int64_t x) { return x >= leastLarge; })) {
        return bad[i];
      }
    }
    return {};
  }

  /// The conditions that some launch that faults does not meet, unless there
  /// is none, and some other does; without those that divide by what may be 0.
  std::vector<Effect> effects() {
    std::vector<Effect> out;
    for (ComparisonAttr c : missingConditions(kernel, contract, large())) {
      ContractValues::Comparison condition = contract.add(c);
      Effect e{c, llvm::BitVector(bad.size()), llvm::BitVector(good.size())};
      for (size_t i = 0; i < bad.size(); ++i) {
        e.misses[i] = contract.holds(condition, bad[i]) == false;
      }
      for (size_t i = 0; i < good.size(); ++i) {
        e.meets[i] = contract.holds(condition, good[i]).value_or(false);
      }
      if ((e.misses.any() || bad.empty()) && e.meets.count() >= leastMet) {
        out.push_back(std::move(e));
      }
    }
    return out;
  }

  /// Weakest first; of equals in their order.
  static void sort(std::vector<Try> &all) {
    for (auto [place, t] : llvm::enumerate(all)) {
      t.place = place;
    }
    llvm::sort(all, [](const Try &a, const Try &b) {
      return std::pair(b.admits, a.place) < std::pair(a.admits, b.place);
    });
  }

  /// Those that no launch that faults meets.
  std::vector<Try> alone(llvm::ArrayRef<Effect> all) const {
    std::vector<Try> out;
    for (const Effect &e : all) {
      if (e.misses.all()) {
        out.push_back({{e.condition}, e.meets.count()});
      }
    }
    sort(out);
    return out;
  }

  /// The same of two together.
  std::vector<Try> pairs(llvm::ArrayRef<Effect> all) const {
    std::vector<const Effect *> weak;
    for (const Effect &e : all) {
      if (!e.misses.all()) {
        weak.push_back(&e);
      }
    }
    llvm::sort(weak, [](const Effect *a, const Effect *b) {
      return std::pair(b->meets.count(), a) < std::pair(a->meets.count(), b);
    });
    weak.resize(std::min(weak.size(), maxPaired));
    std::vector<Try> out;
    for (size_t i = 0; i < weak.size(); ++i) {
      for (size_t j = i + 1; j < weak.size(); ++j) {
        llvm::BitVector misses = weak[i]->misses, meets = weak[i]->meets;
        misses |= weak[j]->misses;
        meets &= weak[j]->meets;
        if (misses.all() && meets.count() >= leastMet) {
          out.push_back(
              {{weak[i]->condition, weak[j]->condition}, meets.count()});
        }
      }
    }
    sort(out);
    return out;
  }

  ComparisonAttr atMost(tile::ExprAttr e, int64_t constant) const {
    mlir::MLIRContext *context = e.getContext();
    return ComparisonAttr::get(context, tile::ComparisonKind::Le, e,
                               tile::ExprAttr::constant(context, constant));
  }

  /// Symbols that stay below what they are at every launch that faults, or
  /// below half of that, and so on.
  std::vector<Try> bounds() {
    std::vector<Try> out;
    for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
      size_t place = contract.symbol(s.name.getValue());
      int64_t least = leastLarge;
      for (const std::vector<int64_t> &launch : bad) {
        least = std::min(least, launch[place]);
      }
      for (int64_t c = least - 1; !bad.empty() && c > 1; c /= 2) {
        out.push_back({{atMost(tile::ExprAttr::symbol(s.name), c)}, 0});
      }
    }
    return out;
  }

  /// Whether a condition is a bound of size, and no matter of widths.
  static bool isSmallBound(ComparisonAttr c) {
    return c.getKind() == tile::ComparisonKind::Le &&
           c.getRhs().getKind() == tile::ExprKind::Constant &&
           c.getRhs().getValue() < leastLarge;
  }

  /// The largest number for which no launch that faults meets the conditions
  /// with it in place of the constant of condition `i`.
  int64_t limitOf(llvm::ArrayRef<ComparisonAttr> conditions, size_t i) {
    int64_t limit = leastLarge;
    size_t lhs = contract.add(conditions[i].getLhs());
    for (const std::vector<int64_t> &launch : bad) {
      bool meetsOthers = true;
      for (size_t j = 0; j < conditions.size(); ++j) {
        meetsOthers &= j == i || contract.holds(contract.add(conditions[j]),
                                                launch) != false;
      }
      auto value = contract.evaluate(lhs, launch);
      if (meetsOthers && value && *value <= limit) {
        limit = static_cast<int64_t>(*value) - 1;
      }
    }
    return limit;
  }

  /// The same conditions with constants as large as what was open can be proved
  /// for, found by bisection.
  std::vector<ComparisonAttr> weakened(std::vector<ComparisonAttr> conditions) {
    for (size_t i = 0; i < conditions.size(); ++i) {
      if (!isSmallBound(conditions[i])) {
        continue;
      }
      int64_t holds = conditions[i].getRhs().getValue(),
              fails = limitOf(conditions, i) + 1;
      uint64_t left = weakenSteps;
      for (int64_t next = fails - 1; left > 0 && holds + 1 < fails;
           next = holds + (fails - holds) / 2) {
        std::vector<ComparisonAttr> weaker = conditions;
        weaker[i] = atMost(conditions[i].getLhs(), next);
        auto module = kernelUnder(kernel, weaker);
        (provesOpen(kernelOf(*module), left) ? holds : fails) = next;
      }
      conditions[i] = atMost(conditions[i].getLhs(), holds);
    }
    return conditions;
  }

  /// The blocks of a launch of this grid, at most 2^62 of them; 0 where an
  /// expression has no value.
  int64_t blocksOf(llvm::ArrayRef<size_t> grid,
                   llvm::ArrayRef<int64_t> values) const {
    constexpr ContractValues::Wide most = int64_t(1) << 62;
    ContractValues::Wide product = 1;
    for (size_t e : grid) {
      auto blocks = contract.evaluate(e, values);
      if (!blocks || *blocks <= 0) {
        return 0;
      }
      product = std::min(product * std::min(*blocks, most), most);
    }
    return static_cast<int64_t>(product);
  }

  /// Whether a symbol that may be more, or the number of blocks, is 1 once the
  /// conditions hold, outright or in other words: nobody asks for a kernel of
  /// one block. Told by numbers that are drawn.
  bool isTrivial(llvm::ArrayRef<ComparisonAttr> conditions) {
    std::vector<ContractValues::Comparison> own, added;
    for (ComparisonAttr c : kernel.getRequirements()) {
      own.push_back(contract.add(c));
    }
    for (ComparisonAttr c : conditions) {
      added.push_back(contract.add(c));
    }
    std::vector<size_t> grid;
    for (tile::ExprAttr e : kernel.getGridExprs()) {
      grid.push_back(contract.add(e));
    }
    std::vector<int64_t> values(contract.names.size()),
        before(values.size() + 1, 0), largest = before; // the last are blocks
    size_t met = 0;
    std::vector<bool> isSigned(values.size()); // where 0 is like any number
    for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
      isSigned[contract.symbol(s.name.getValue())] = !s.type.isIndex();
    }
    auto hold = [&](auto &all) {
      return llvm::all_of(
          all, [&](auto &c) { return contract.holds(c, values) == true; });
    };
    for (uint64_t draw = 0; draw < draws; ++draw) {
      for (size_t i = 0; i < values.size(); ++i) {
        uint64_t random = exec::mix(draw * values.size() + i);
        values[i] = isSigned[i] && random % 16 == 0
                        ? 0
                        : int64_t(1) << (random >> 8) % (random % 2 ? 12 : 2);
      }
      bool holdsBefore = hold(own), holds = holdsBefore && hold(added);
      met += holds;
      values.push_back(holdsBefore ? blocksOf(grid, values) : 0);
      for (size_t i = 0; i < values.size(); ++i) {
        before[i] = std::max(before[i], holdsBefore ? values[i] : 0);
        largest[i] = std::max(largest[i], holds ? values[i] : 0);
      }
      values.pop_back();
    }
    for (size_t i = 0; i < before.size(); ++i) {
      if (met >= leastDrawn && largest[i] == 1 && before[i] > 1) {
        return true;
      }
    }
    return false;
  }

  /// The first of a list under which the kernel is VERIFIED; takes so many
  /// steps to see what is worth it.
  std::optional<Suggestion> verifyFirst(llvm::ArrayRef<Try> list,
                                        uint64_t left) {
    size_t verified = 0;
    for (const Try &t : list) {
      if (left == 0 || units == 0 || verified == maxVerified) {
        break;
      }
      if (!provesOpen(kernelOf(*kernelUnder(kernel, t.conditions)), left)) {
        continue;
      }
      ++verified;
      std::vector<ComparisonAttr> weak = weakened(t.conditions);
      if (isTrivial(weak)) {
        wasTrivial = true;
        continue;
      }
      for (const std::vector<ComparisonAttr> &conditions :
           {weak, t.conditions}) {
        auto module = kernelUnder(kernel, conditions);
        if (!isTrivial(conditions) &&
            verify(kernelOf(*module), options).kind == VerdictKind::Verified) {
          return Suggestion{clause(kernelOf(*module)), bound(conditions)};
        }
        if (conditions == t.conditions) {
          break; // nothing weaker was found
        }
      }
    }
    return std::nullopt;
  }

  /// Whether a short search proves of the candidate what was refuted, or open
  /// in a kernel that was not. The obligations of its conditions stand
  /// somewhere before.
  bool provesOpen(tile::KernelOp candidate, uint64_t &left) {
    size_t most = std::min(units, candidateUnits);
    Generated made = generate(candidate, options.width, most);
    units -= made.tooLarge ? units : most - made.unitsLeft;
    if (made.tooLarge) {
      return false;
    }
    std::vector<Vc> vcs = std::move(made.vcs);
    Status open =
        v.kind == VerdictKind::Refuted ? Status::Refuted : Status::Unknown;
    for (size_t i = 0; i < v.vcs.size(); ++i) {
      if (v.findings[i].status != open) {
        continue;
      }
      const proofs::Obligation &was = v.vcs[i].obligation;
      size_t at = i + (vcs.size() - v.vcs.size());
      if (at >= vcs.size() || vcs[at].obligation.label != was.label) {
        at = i;
      }
      search::Budget budget;
      budget.pivots = std::min(left, openSteps);
      budget.degree = 2;
      search::Stats stats;
      auto found =
          options.search->findCertificate(vcs[at].obligation, budget, &stats);
      left -= std::min(left, stats.pivots + 1);
      if (!found) {
        return false;
      }
    }
    return true;
  }

  static std::string clause(tile::KernelOp candidate) {
    std::string out = "requires [";
    llvm::ListSeparator comma;
    for (ComparisonAttr c : candidate.getRequirements()) {
      out += llvm::StringRef(comma).str() + c.str();
    }
    return out + "]";
  }

  /// The condition, when some launch that faults misses it by one.
  std::string bound(llvm::ArrayRef<ComparisonAttr> conditions) {
    ComparisonAttr c = conditions.front();
    if (conditions.size() != 1 || c.getKind() != tile::ComparisonKind::Le ||
        c.getRhs().getKind() != tile::ExprKind::Constant ||
        c.getRhs().getValue() < leastLarge) {
      return "";
    }
    size_t lhs = contract.add(c.getLhs());
    bool isExact = llvm::any_of(bad, [&](const std::vector<int64_t> &launch) {
      return contract.evaluate(lhs, launch) ==
             std::optional<__int128>(__int128(c.getRhs().getValue()) + 1);
    });
    return isExact ? c.str() : "";
  }
};
} // namespace

std::optional<Suggestion> suggest(tile::KernelOp kernel, const Verdict &v,
                                  const VerifyOptions &options) {
  bool isOpen =
      v.kind == VerdictKind::Refuted || v.kind == VerdictKind::Unknown;
  if (!isOpen || !options.search || options.steps == 0) {
    return std::nullopt;
  }
  size_t symbols = kernel.getLaunchSymbols().size();
  if (symbols > 0 && symbols <= maxSymbols &&
      kernel.getConditions().size() <= maxRequirements) {
    if (auto conditions = Suggesting(kernel, v, options).run()) {
      return conditions;
    }
  }
  if (auto givens = suggestGiven(kernel, v, options)) {
    return Suggestion{*givens, ""};
  }
  return std::nullopt;
}

} // namespace girih::checker
