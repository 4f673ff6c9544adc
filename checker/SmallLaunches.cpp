// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/SmallLaunches.h"

namespace girih::checker {

/// Numbers that the contract refuses at once are cheap, but not free: so many
/// count as one choice.
static constexpr size_t refusedPerChoice = 64;

/// Sums of one number beyond this are no small launches.
static constexpr int64_t largest = int64_t(1) << 32;

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
  plan(kernel);
}

/// The symbols of an expression that have no number yet, by place.
static std::set<size_t> openSymbols(tile::ExprAttr e,
                                    llvm::ArrayRef<std::string> names,
                                    const std::set<size_t> &known) {
  std::set<size_t> out;
  forEachSymbol(e, [&](mlir::StringAttr s) {
    size_t i = llvm::find(names, s.getValue()) - names.begin();
    if (!known.count(i)) {
      out.insert(i);
    }
  });
  return out;
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

/// Symbols that an equation gives are not chosen: they come as soon as the
/// others in it are known. Of the rest the first comes first.
void SmallLaunches::plan(tile::KernelOp kernel) {
  const std::vector<std::string> &names = contract.names;
  auto all = llvm::to_vector(kernel.getRequirements());
  /// The equation that gives a symbol, if one does, when all else is known.
  auto given = [&](size_t symbol, const std::set<size_t> &known) {
    for (tile::ComparisonAttr c : all) {
      for (auto [side, other] : {std::pair(c.getLhs(), c.getRhs()),
                                 std::pair(c.getRhs(), c.getLhs())}) {
        if (c.getKind() == tile::ComparisonKind::Eq &&
            side.getKind() == tile::ExprKind::Symbol &&
            side.getSymbol().getValue() == names[symbol] &&
            openSymbols(other, names, known).empty()) {
          return other;
        }
      }
    }
    return tile::ExprAttr();
  };
  /// Whether some equation without the symbol on its other side could.
  auto mayBeGiven = [&](size_t symbol) {
    std::set<size_t> others;
    for (size_t i = 0; i < names.size(); ++i) {
      if (i != symbol) {
        others.insert(i);
      }
    }
    return bool(given(symbol, others));
  };
  std::set<size_t> known;
  std::vector<char> placed(all.size(), false);
  auto take = [&](size_t symbol, tile::ExprAttr value) {
    Step step;
    step.symbol = symbol;
    if (value) {
      step.value = contract.add(value);
    }
    known.insert(symbol);
    for (auto [i, c] : llvm::enumerate(all)) {
      bool isKnown = openSymbols(c.getLhs(), names, known).empty() &&
                     openSymbols(c.getRhs(), names, known).empty();
      if (!placed[i] && isKnown) {
        placed[i] = true;
        step.then.push_back(contract.add(c));
      }
      if (!placed[i] && (divides(c.getLhs()) || divides(c.getRhs()))) {
        break; // what comes behind is not asked where this divides by 0
      }
    }
    steps.push_back(std::move(step));
  };
  while (known.size() < names.size()) {
    std::optional<size_t> next;
    tile::ExprAttr value;
    bool free = false;
    for (size_t i = 0; i < names.size() && !value; ++i) {
      if (known.count(i)) {
        continue;
      }
      value = given(i, known);
      bool isFree = !mayBeGiven(i);
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

std::optional<Launch> SmallLaunches::next() {
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
  Launch out;
  for (auto [name, value] : llvm::zip(contract.names, found.top().values)) {
    out.symbols.push_back({name, value});
  }
  found.pop();
  return out;
}

} // namespace girih::checker
