// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/decide/Probe.h"
#include "checker/decide/Blame.h"

#include <numeric>
#include <set>

namespace girih::checker {

/// Of the executor, over all launches at edges; launches; and numbers of their
/// symbols, of which a contract may have any number.
static constexpr uint64_t maxSteps = 1 << 18;
static constexpr size_t maxLaunches = 96, maxNumbers = 1 << 16;

/// What a small launch costs before it starts. Once a fault is found, others
/// are looked for not much further.
static constexpr uint64_t launchSteps = 200, moreSteps = 1 << 14;

/// Of the executor, over all contents; and contents of one launch.
static constexpr uint64_t steeredSteps = 1 << 18;
static constexpr size_t contentsOfOne = 8;

/// The same where a model says which launch, a run and all.
static constexpr uint64_t modelSteps = 1 << 12;
static constexpr size_t contentsOfModel = 64, maxModels = 4;

/// Choices of numbers that are looked at, some of which are launches.
static constexpr size_t smallChoices = 1 << 16;

namespace {
/// Numbers next to which a symbol's meaning changes: tiles of the axes that it
/// measures, and constants of the contract.
class Edges {
public:
  explicit Edges(tile::KernelOp kernel) {
    add(constants, 1);
    for (tile::ComparisonAttr c : kernel.getRequirements()) {
      forEachConstant(c, [&](int64_t value) { add(constants, value); });
    }
    kernel.walk([&](tile::PartitionOp p) {
      tile::PartitionType type = p.getType();
      for (auto [dim, tile] :
           llvm::zip(type.getTensor().getDims(), type.getTile())) {
        auto symbol = mlir::dyn_cast<mlir::StringAttr>(dim);
        if (symbol && tile > 1) {
          add(tiles[symbol], tile);
          add(tiles[symbol], 2 * tile);
        }
      }
    });
  }

  std::vector<int64_t> of(mlir::StringAttr symbol) const {
    auto it = tiles.find(symbol);
    if (it == tiles.end()) {
      return {constants.begin(), constants.end()};
    }
    std::set<int64_t> values = it->second;
    values.insert(constants.begin(), constants.end());
    return {values.begin(), values.end()};
  }

private:
  static void add(std::set<int64_t> &values, int64_t edge) {
    if (edge > 0 && edge <= 1 << 14) {
      values.insert({edge, edge + 1});
    }
  }

  std::set<int64_t> constants;
  llvm::DenseMap<mlir::StringAttr, std::set<int64_t>> tiles; ///< by symbol
};
} // namespace

/// Launches spread over the box of edges: a stride without a common divisor
/// with its size visits none twice.
std::vector<CandidateLaunch> edgeLaunches(tile::KernelOp kernel) {
  Edges edges(kernel);
  std::vector<std::pair<std::string, std::vector<int64_t>>> box;
  size_t size = 1;
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    box.emplace_back(s.name.getValue().str(), edges.of(s.name));
    size = std::min<size_t>(size * box.back().second.size(), 1 << 30);
  }
  size_t most = std::min(maxLaunches, maxNumbers / (box.size() + 1) + 1);
  size_t count = std::min(size, most);
  size_t stride = size <= most ? 1 : size / most * 2 / 3 + 1;
  while (std::gcd(stride, size) != 1) {
    ++stride;
  }
  std::vector<CandidateLaunch> out(count);
  for (size_t i = 0; i < count; ++i) {
    size_t at = i * stride % size;
    for (auto &[name, values] : box) {
      out[i].symbols.push_back({name, values[at % values.size()]});
      at /= values.size();
    }
  }
  return out;
}

SmallestRuns::SmallestRuns(exec::Runner &runner, Width width)
    : runner(runner), width(width), launches(runner.kernel(), smallChoices) {}

namespace {
/// Counterexamples for obligations that are open, from launches that are run
/// one after the other.
class Finds {
public:
  Finds(exec::Runner &runner, const Verdict &v, Width width,
        std::vector<size_t> open, uint64_t steps, bool all)
      : runner(runner), v(v), width(width), open(std::move(open)), steps(steps),
        all(all) {}

  /// Whether there is something to find and something to find it with.
  bool goesOn() const {
    return !open.empty() && used < steps && (all || found.empty());
  }

  /// Takes at most so many steps.
  void run(const CandidateLaunch &launch, uint64_t most = replaySteps) {
    most = std::min(most, steps - used);
    uint64_t left = most;
    // Only the fault that comes first is what a replay shows.
    std::optional<Counterexample> c = tryLaunch(runner, launch, width, left);
    used += most - left + launchSteps;
    auto isHere = [&](size_t i) { return isAbout(c->fault, v.vcs[i]); };
    auto about = c ? llvm::find_if(open, isHere) : open.end();
    if (about == open.end()) {
      return;
    }
    c->obligation = *about;
    llvm::erase_if(open, isHere); // this launch tells of them as well
    if (found.empty()) {
      steps = std::min(steps, used + used + moreSteps);
    }
    found.push_back(std::move(*c));
  }

  std::vector<Counterexample> found;

private:
  exec::Runner &runner;
  const Verdict &v;
  Width width;
  std::vector<size_t> open;
  uint64_t steps, used = 0;
  bool all;
};
} // namespace

std::vector<Counterexample> SmallestRuns::run(const Verdict &v, uint64_t steps,
                                              bool all) {
  std::vector<size_t> open;
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    if (v.findings[i].status == Status::Unknown &&
        !v.vcs[i].speaksOfContents()) {
      open.push_back(i);
    }
  }
  Finds finds(runner, v, width, std::move(open), steps, all);
  while (finds.goesOn()) {
    std::optional<CandidateLaunch> launch = launches.next();
    if (!launch) {
      break;
    }
    finds.run(*launch);
  }
  return std::move(finds.found);
}

std::vector<Counterexample> runSteered(exec::Runner &runner, const Verdict &v,
                                       Width width,
                                       llvm::ArrayRef<Steered> models,
                                       bool all) {
  std::vector<size_t> open;
  for (size_t i = 0; i < v.vcs.size(); ++i) {
    if (v.findings[i].status == Status::Unknown) {
      open.push_back(i);
    }
  }
  SteeringContents contents(runner.kernel(), width);
  if (!contents.any()) {
    return {};
  }
  Finds finds(runner, v, width, std::move(open), steeredSteps, all);
  for (const Steered &m : models.take_front(maxModels)) {
    CandidateLaunch launch = m.launch;
    for (size_t k = 0; k < contentsOfModel && finds.goesOn(); ++k) {
      launch.contents = contents.next(launch, m.values);
      if (launch.contents.empty()) {
        break; // too large
      }
      finds.run(launch, modelSteps);
    }
  }
  SmallLaunches launches(runner.kernel(), smallChoices);
  while (std::optional<CandidateLaunch> launch = launches.next()) {
    for (size_t k = 0; k < contentsOfOne && finds.goesOn(); ++k) {
      launch->contents = contents.next(*launch);
      finds.run(*launch);
    }
    if (!finds.goesOn()) {
      break;
    }
  }
  return std::move(finds.found);
}

std::optional<Counterexample> probe(exec::Runner &runner, const Verdict &v,
                                    Width width) {
  std::map<Rule, size_t> open; // its first obligation
  for (size_t i = v.vcs.size(); i-- > 0;) {
    if (v.findings[i].status == Status::Unknown) {
      open[v.vcs[i].rule] = i;
    }
  }
  if (open.empty()) {
    return std::nullopt;
  }
  uint64_t steps = maxSteps;
  for (const CandidateLaunch &launch : edgeLaunches(runner.kernel())) {
    auto c = tryLaunch(runner, launch, width, steps);
    auto it = c ? open.find(c->fault.rule) : open.end();
    if (it != open.end()) {
      c->obligation = it->second;
      return c;
    }
    if (steps == 0) {
      break;
    }
  }
  return std::nullopt;
}

} // namespace girih::checker
