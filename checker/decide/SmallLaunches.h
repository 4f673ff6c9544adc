// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of a kernel, smallest first: most mistakes show at sizes of 0,
// 1 or 2, where a run of the executor is cheaper than a question to a solver.

#ifndef GIRIH_CHECKER_DECIDE_SMALLLAUNCHES_H
#define GIRIH_CHECKER_DECIDE_SMALLLAUNCHES_H

#include "checker/decide/ContractValues.h"
#include "checker/decide/Replay.h"

#include <queue>
#include <set>

namespace girih::checker {

/// Numbers for the launch symbols that keep what the contract requires, in
/// ascending order: first by the sum of their absolute values, then by the
/// first symbol, the second, and so on, where 0, 1, -1, 2, -2 is the order of
/// numbers. None is left out before the end.
class SmallLaunches {
public:
  /// Gives up, in the middle, after looking at `most` choices of numbers.
  SmallLaunches(tile::KernelOp kernel, size_t most);
  std::optional<CandidateLaunch> next();

private:
  /// What happens in turn: a symbol takes a number, or is what an equation says
  /// that it is; then the requirements that speak of it and earlier ones only
  /// are looked at.
  struct Step {
    size_t symbol = 0;
    std::optional<size_t> value;
    std::vector<ContractValues::Comparison> then;
  };
  struct Candidate {
    int64_t sum = 0;
    std::vector<int64_t> values;
    /// For a queue with the smallest in front.
    bool operator<(const Candidate &other) const;
  };

  void plan(tile::KernelOp kernel);
  /// Whether the numbers so far keep what is required of them, up to what
  /// divides by 0, as `isStuck` says.
  bool settle(size_t step, bool &isStuck) const;
  void choose(size_t step, int64_t rest, bool isStuck);

  ContractValues contract;
  std::vector<bool> isSigned; ///< by symbol
  std::vector<Step> steps;
  std::vector<int64_t> values;
  std::priority_queue<Candidate> found;
  int64_t done = -1; ///< all launches of this sum are in `found`
  size_t left, refused = 0;
};

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_SMALLLAUNCHES_H
