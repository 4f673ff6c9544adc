// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a model of a failed obligation to a run on the executor that shows the
// fault: no refusal without one.

#ifndef GIRIH_CHECKER_DECIDE_REPLAY_H
#define GIRIH_CHECKER_DECIDE_REPLAY_H

#include "checker/decide/Verify.h"
#include "ir/text/Reader.h"
#include "spec/executor/memory/Memory.h"

namespace girih::checker {

/// Of tensors of integers, by name, in row-major order; others are seeded.
using Contents = std::map<std::string, std::vector<int64_t>>;

/// A launch, and the blocks that a model names.
struct CandidateLaunch {
  std::vector<std::pair<std::string, int64_t>> symbols;
  std::vector<std::vector<int64_t>> blocks;
  Contents contents;
};

/// A run that shows a fault takes few steps; more are not worth the wait.
inline constexpr uint64_t replaySteps = 1 << 18;

/// What to make small in a model, first things first: extents and other launch
/// symbols, then block ids, trips, elements.
std::vector<proofs::Var> minimisationOrder(const Vc &vc);

CandidateLaunch launchOf(const Vc &vc, const search::Model &model);

/// A launch, and numbers that may have to lie in memory for it to have a fault.
struct Steered {
  CandidateLaunch launch;
  std::vector<int64_t> values;
};

/// The numbers that a model has for what is loaded, wherever it lies.
std::vector<int64_t> valuesOf(const Vc &vc, const search::Model &model);

/// A stored launch, if it names the symbols of the kernel.
std::optional<CandidateLaunch>
launchOf(tile::KernelOp kernel,
         const std::vector<std::pair<std::string, int64_t>> &stored);

/// The contents of shared tensors of integers that a model asks for, as far as
/// it speaks of them, filled up so that they keep what is given; by name, in
/// row-major order. Nothing for tensors that are large.
Contents contentsOf(tile::KernelOp kernel, const Vc &vc,
                    const search::Model &model, const CandidateLaunch &launch,
                    Width width);

/// The places in memory of a tensor's elements in row-major order, numbered
/// from 0 by address: elements that share memory hold the same. Nothing for a
/// tensor of more than `limit` elements.
std::vector<int64_t> placesOf(const exec::Layout &layout, int64_t limit);

/// `ids = [0, 3]`, a long list cut short.
std::string contentsText(const std::string &name,
                         llvm::ArrayRef<int64_t> numbers);

/// Launches that most contracts admit: extents of 1, all else 0 or 1. The
/// first is the smallest there can be.
std::vector<CandidateLaunch> smallLaunches(tile::KernelOp kernel);

/// How the run of a model of the contract went. Only a launch that was
/// evaluated in full, with contents that keep what is given, and of which a
/// block ran to its end, or for 2^16 steps, is a model.
struct ModelRun {
  std::string refusal; ///< why the launch is none, with every extent and the
                       ///< grid at least 1; or empty
  std::optional<exec::Fault> fault; ///< the first one; or nothing
};
ModelRun tryModel(exec::Runner &runner, const CandidateLaunch &launch,
                  Width width);

/// Runs the launch of a model, whole when it is small, else the blocks that the
/// model names; a counterexample when a fault shows.
std::optional<Counterexample> replay(exec::Runner &runner, const Vc &vc,
                                     const search::Model &model, Width width);

/// Runs a launch whole and takes what that costs from `steps`; a counterexample
/// when a fault shows.
std::optional<Counterexample> tryLaunch(exec::Runner &runner,
                                        const CandidateLaunch &launch,
                                        Width width, uint64_t &steps);

/// `tile-exec FILE --set M=1,N=1`: the command that shows it.
std::string replayCommand(const Counterexample &c, const tile::KernelFile &file,
                          llvm::StringRef path, Width width);

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_REPLAY_H
