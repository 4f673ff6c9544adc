// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/SmallLaunches.h"

namespace girih::checker {

/// Numbers that the contract refuses at once are cheap, but not free: so many
/// count as one choice.
static constexpr size_t refusedPerChoice = 64;

/// Sums of one number beyond this are no small launches.
static constexpr int64_t largest = int64_t(1) << 32;

/// Launches of more symbols, or under more requirements, are not tried one by
/// one.
static constexpr size_t maxSymbols = 256, maxRequirements = 1024;

bool SmallLaunches::Candidate::operator<(const Candidate &other) const {
  if (sum != other.sum) {
    return sum > other.sum;
  }
  auto rank = [](int64_t v) { return std::make_pair(std::abs(v), v < 0); };
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != other.values[i]) {
      return rank(values[i]) > rank(other.values[i]);
    }
  }
  return false;
}

SmallLaunches::SmallLaunches(tile::KernelOp kernel, size_t most)
    : contract(kernel), left(most) {
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    isSigned.push_back(mlir::isa<mlir::IntegerType>(s.type) &&
                       !s.type.isInteger(1));
  }
  values.resize(contract.names.size());
  if (values.size() > maxSymbols ||
      kernel.getConditions().size() > maxRequirements) {
    done = largest;
    return;
  }
  plan(kernel);
}

/// Whether it may divide by 0.
static bool divides(tile::ExprAttr e) {
  switch (e.getKind()) {
  case tile::ExprKind::Constant:
  case tile::ExprKind::Symbol:
    return false;
  case tile::ExprKind::Div:
  case tile::ExprKind::Mod:
  case tile::ExprKind::CeilDiv:
    return true;
  default:
    return divides(e.getLhs()) || divides(e.getRhs());
  }
}

namespace {
/// Which symbols the requirements speak of, by place.
class Requirements {
public:
  Requirements(tile::KernelOp kernel, llvm::ArrayRef<std::string> names)
      : all(llvm::to_vector(kernel.getRequirements())), isKnown(names.size()),
        equations(names.size()) {
    std::map<std::string, size_t> places;
    for (auto [i, name] : llvm::enumerate(names)) {
      places[name] = i;
    }
    auto symbolsOf = [&](tile::ExprAttr e) {
      std::set<size_t> out;
      forEachSymbol(e,
                    [&](mlir::StringAttr s) { out.insert(places[s.str()]); });
      return out;
    };
    for (tile::ComparisonAttr c : all) {
      std::set<size_t> left = symbolsOf(c.getLhs()),
                       right = symbolsOf(c.getRhs());
      addEquation(c, c.getLhs(), left, c.getRhs(), right);
      addEquation(c, c.getRhs(), right, c.getLhs(), left);
      left.merge(right);
      symbols.push_back(std::move(left));
    }
  }

  /// The equation that gives a symbol, if one does, when all that is known so
  /// far is.
  tile::ExprAttr given(size_t symbol) const {
    for (const Equation &e : equations[symbol]) {
      if (areKnown(e.others)) {
        return e.value;
      }
    }
    return {};
  }

  /// Whether some equation without the symbol on its other side could.
  bool mayBeGiven(size_t symbol) const {
    return llvm::any_of(equations[symbol], [&](const Equation &e) {
      return !e.others.count(symbol);
    });
  }

  bool areKnown(const std::set<size_t> &some) const {
    return llvm::all_of(some, [&](size_t i) { return isKnown[i]; });
  }

  llvm::SmallVector<tile::ComparisonAttr> all;
  std::vector<std::set<size_t>> symbols; ///< of each requirement
  std::vector<char> isKnown;             ///< by symbol

private:
  struct Equation {
    tile::ExprAttr value;
    std::set<size_t> others; ///< of the value
  };

  void addEquation(tile::ComparisonAttr c, tile::ExprAttr side,
                   const std::set<size_t> &symbol, tile::ExprAttr value,
                   const std::set<size_t> &others) {
    if (c.getKind() == tile::ComparisonKind::Eq &&
        side.getKind() == tile::ExprKind::Symbol) {
      equations[*symbol.begin()].push_back({value, others});
    }
  }

  std::vector<std::vector<Equation>> equations; ///< by the symbol alone
};
} // namespace

/// Symbols that an equation gives are not chosen: they come as soon as the
/// others in it are known. Of the rest the first comes first.
void SmallLaunches::plan(tile::KernelOp kernel) {
  Requirements required(kernel, contract.names);
  size_t count = contract.names.size(), taken = 0;
  std::vector<char> placed(required.all.size(), false);
  auto take = [&](size_t symbol, tile::ExprAttr value) {
    Step step;
    step.symbol = symbol;
    if (value) {
      step.value = contract.add(value);
    }
    required.isKnown[symbol] = true;
    ++taken;
    for (auto [i, c] : llvm::enumerate(required.all)) {
      if (!placed[i] && required.areKnown(required.symbols[i])) {
        placed[i] = true;
        step.then.push_back(contract.add(c));
      }
      if (!placed[i] && (divides(c.getLhs()) || divides(c.getRhs()))) {
        break; // what comes behind is not asked where this divides by 0
      }
    }
    steps.push_back(std::move(step));
  };
  while (taken < count) {
    std::optional<size_t> next;
    tile::ExprAttr value;
    bool free = false;
    for (size_t i = 0; i < count && !value; ++i) {
      if (required.isKnown[i]) {
        continue;
      }
      value = required.given(i);
      bool isFree = !required.mayBeGiven(i);
      if (value || !next || (isFree && !free)) {
        next = i;
        free = isFree;
      }
    }
    take(*next, value);
  }
}

bool SmallLaunches::settle(size_t step, bool &isStuck) const {
  for (const ContractValues::Comparison &c : steps[step].then) {
    std::optional<bool> kept = isStuck ? true : contract.holds(c, values);
    isStuck |= !kept;
    if (!kept.value_or(true)) {
      return false;
    }
  }
  return true;
}

/// All ways to number the symbols from `step` on so that those that are chosen
/// make up exactly `rest`.
void SmallLaunches::choose(size_t step, int64_t rest, bool isStuck) {
  if (left == 0) {
    return;
  }
  if (step == steps.size()) {
    if (rest == 0) {
      Candidate c{0, values};
      for (int64_t v : values) {
        c.sum += std::abs(v);
      }
      found.push(std::move(c));
    }
    return;
  }
  --left;
  const Step &s = steps[step];
  int64_t &value = values[s.symbol];
  if (s.value) {
    auto given = contract.evaluate(*s.value, values);
    if (given && *given < largest && *given > -largest) {
      value = int64_t(*given);
      bool isStuckHere = isStuck;
      if (settle(step, isStuckHere)) {
        choose(step + 1, rest, isStuckHere);
      }
    } else if (!given) {
      value = 0; // any number will do
      choose(step + 1, rest, true);
    }
    return;
  }
  // What is left goes to the last that is chosen.
  bool isLast = std::all_of(steps.begin() + long(step) + 1, steps.end(),
                            [](const Step &t) { return t.value.has_value(); });
  for (int64_t size = isLast ? rest : 0; size <= rest && left > 0; ++size) {
    for (int64_t v : {size, -size}) {
      if (v < 0 && !isSigned[s.symbol]) {
        continue;
      }
      value = v;
      bool isStuckHere = isStuck;
      if (settle(step, isStuckHere)) {
        choose(step + 1, rest - size, isStuckHere);
      } else if (++refused % refusedPerChoice == 0 && left > 0) {
        --left;
      }
      if (v == 0) {
        break;
      }
    }
  }
}

std::optional<CandidateLaunch> SmallLaunches::next() {
  bool hasChoices =
      llvm::any_of(steps, [](const Step &s) { return !s.value.has_value(); });
  while (found.empty() || found.top().sum > done) {
    if (done == largest) {
      return std::nullopt;
    }
    choose(0, ++done, false);
    if (left == 0) { // of this sum there may be more
      found = {};
      done = largest;
    } else if (!hasChoices) {
      done = largest;
    }
  }
  CandidateLaunch out;
  for (auto [name, value] : llvm::zip(contract.names, found.top().values)) {
    out.symbols.push_back({name, value});
  }
  found.pop();
  return out;
}

} // namespace girih::checker
