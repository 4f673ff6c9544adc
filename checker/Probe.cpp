// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/Probe.h"

#include <numeric>
#include <set>

namespace girih::checker {

/// Of the executor, over all launches; and launches.
static constexpr uint64_t maxSteps = 1 << 18, maxLaunches = 96;

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
static std::vector<Launch> edgeLaunches(tile::KernelOp kernel) {
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

std::optional<Counterexample> probe(tile::KernelOp kernel, const Verdict &v,
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
  for (const Launch &launch : edgeLaunches(kernel)) {
    auto c = tryLaunch(kernel, launch, width, steps);
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
