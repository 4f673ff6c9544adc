// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs instead of models. A kernel with an obligation that no short search
// proved is run at the smallest launches, where most mistakes show; one that
// nothing proved and no model refuted also at the edges of its tiles.

#ifndef GIRIH_CHECKER_DECIDE_PROBE_H
#define GIRIH_CHECKER_DECIDE_PROBE_H

#include "checker/decide/SmallLaunches.h"
#include "checker/decide/Steering.h"

namespace girih::checker {

/// Runs the smallest launches, in ascending order, for obligations that are
/// open and do not speak of contents.
class SmallestRuns {
public:
  SmallestRuns(exec::Runner &runner, Width width);

  /// Goes on where it stopped, for so many more of the executor's steps: the
  /// first launch that breaks the rule of an open obligation at its place,
  /// for as many of them as show, or for one. Of a launch that was run before
  /// an obligation was open nothing is told.
  std::vector<Counterexample> run(const Verdict &v, uint64_t steps, bool all);

private:
  exec::Runner &runner;
  Width width;
  SmallLaunches launches;
};

/// Launches of models without a fault, then the smallest ones once more, each
/// with some contents that are as bad as they may be, for all obligations that
/// are open: a model places what is loaded one by one, a fault may hang on
/// lanes, on what a loop carries, or on what was stored before. Costs nothing
/// where memory decides nothing.
std::vector<Counterexample> runSteered(exec::Runner &runner, const Verdict &v,
                                       Width width,
                                       llvm::ArrayRef<Steered> models,
                                       bool all);

/// Launches whose sizes lie at tiles and at constants of the contract.
std::vector<CandidateLaunch> edgeLaunches(tile::KernelOp kernel);

/// A run at the edge of some tile that breaks the rule of an open obligation,
/// or nothing. Costs a bounded number of the executor's steps.
std::optional<Counterexample> probe(exec::Runner &runner, const Verdict &v,
                                    Width width);

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_PROBE_H
