// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/Probe.h"

#include <numeric>
#include <set>

namespace girih::checker {

/// Of the executor, over all launches at edges; and launches.
static constexpr uint64_t maxSteps = 1 << 18, maxLaunches = 96;

/// What a small launch costs before it starts. Once a fault is found, others
/// are looked for not much further.
static constexpr uint64_t launchSteps = 200, moreSteps = 1 << 14;

/// Choices of numbers that are looked at, some of which are launches.
static constexpr size_t smallChoices = 1 << 16;

/// Numbers next to which a symbol's meaning changes: tiles of the axes that it
/// measures, and constants of the contract.
static std::vector<int64_t> edgesOf(tile::KernelOp kernel,
                                    const tile::LaunchSymbol &symbol) {
  std::set<int64_t> edges = {1};
  kernel.walk([&](tile::PartitionOp p) {
    tile::PartitionType type = p.getType();
    for (auto [dim, tile] :
         llvm::zip(type.getTensor().getDims(), type.getTile())) {
      if (dim == symbol.name && tile > 1) {
        edges.insert({tile, 2 * tile});
      }
    }
  });
  for (tile::ComparisonAttr c : kernel.getRequirements()) {
    forEachConstant(c, [&](int64_t value) { edges.insert(value); });
  }
  std::set<int64_t> values;
  for (int64_t e : edges) {
    if (e > 0 && e <= 1 << 14) {
      values.insert({e, e + 1});
    }
  }
  return {values.begin(), values.end()};
}

/// Launches spread over the box of edges: a stride without a common divisor
/// with its size visits none twice.
std::vector<Launch> edgeLaunches(tile::KernelOp kernel) {
  std::vector<std::pair<std::string, std::vector<int64_t>>> box;
  size_t size = 1;
  for (const tile::LaunchSymbol &s : kernel.getLaunchSymbols()) {
    box.emplace_back(s.name.getValue().str(), edgesOf(kernel, s));
    size = std::min<size_t>(size * box.back().second.size(), 1 << 30);
  }
  size_t count = std::min<size_t>(size, maxLaunches);
  size_t stride = size <= maxLaunches ? 1 : size / maxLaunches * 2 / 3 + 1;
  while (std::gcd(stride, size) != 1) {
    ++stride;
  }
  std::vector<Launch> out(count);
  for (size_t i = 0; i < count; ++i) {
    size_t at = i * stride % size;
    for (auto &[name, values] : box) {
      out[i].symbols.push_back({name, values[at % values.size()]});
      at /= values.size();
    }
  }
  return out;
}

/// Whether the run breaks what is owed, where it is owed.
static bool isAbout(const exec::Fault &f, const Owed &o) {
  if (f.rule != o.obligation.rule) {
    return false;
  }
  if (f.rule == "out.covered") {
    return f.tensor == o.tensor;
  }
  if (f.otherOp && o.other) {
    return (f.op == o.op && f.otherOp == o.other) ||
           (f.op == o.other && f.otherOp == o.op);
  }
  return !o.op || f.op == o.op;
}

SmallestRuns::SmallestRuns(exec::Runner &runner, Width width)
    : runner(runner), width(width), launches(runner.kernel(), smallChoices) {}

std::vector<Counterexample> SmallestRuns::run(const Verdict &v, uint64_t steps,
                                              bool all) {
  std::vector<size_t> open;
  for (size_t i = 0; i < v.owed.size(); ++i) {
    if (v.findings[i].status == Status::Unknown && v.owed[i].lookups.empty()) {
      open.push_back(i);
    }
  }
  std::vector<Counterexample> found;
  for (uint64_t used = 0; !open.empty() && used < steps;) {
    std::optional<Launch> launch = launches.next();
    if (!launch) {
      break;
    }
    uint64_t left = steps - used;
    // Only the fault that comes first is what a replay shows.
    std::optional<Counterexample> c = tryLaunch(runner, *launch, width, left);
    used = steps - left + launchSteps;
    auto isHere = [&](size_t i) { return isAbout(c->fault, v.owed[i]); };
    auto about = c ? llvm::find_if(open, isHere) : open.end();
    if (about == open.end()) {
      continue;
    }
    c->obligation = *about;
    llvm::erase_if(open, isHere); // this launch tells of them as well
    if (found.empty()) {
      steps = std::min(steps, used + used + moreSteps);
    }
    found.push_back(std::move(*c));
    if (!all) {
      break;
    }
  }
  return found;
}

std::optional<Counterexample> probe(exec::Runner &runner, const Verdict &v,
                                    Width width) {
  std::map<std::string, size_t> open; // rule, first obligation
  for (size_t i = v.owed.size(); i-- > 0;) {
    if (v.findings[i].status == Status::Unknown) {
      open[v.owed[i].obligation.rule] = i;
    }
  }
  if (open.empty()) {
    return std::nullopt;
  }
  uint64_t steps = maxSteps;
  for (const Launch &launch : edgeLaunches(runner.kernel())) {
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
