// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// One more token of one sequence as a graph of each rank, which run together.

#ifndef GIRIH_BENCH_QWEN3_RANKS_RANKSTEP_H
#define GIRIH_BENCH_QWEN3_RANKS_RANKSTEP_H

#include "bench/qwen3/Step.h"
#include "runtime/graph/RankGraphs.h"

namespace girih::qwen3 {

/// What a sequence has on each rank: the same token and position, and its part
/// of caches and logits.
using RankSequences = std::vector<Sequence>;

/// The graphs of a step, as Step.
class RankStep {
public:
  RankStep(const Ranks &ranks, const Kernels &kernels, std::int64_t splits,
           RankSequences sequences);

  /// A token that is on its way.
  class Token {
  public:
    /// Waits for it. If a rank fails, the others are aborted.
    std::int32_t get() const {
      return from.waitFor(number, [&] { return ranks->haveRun(); });
    }

  private:
    friend class RankStep;
    Token(const RankStep &step)
        : from(step.tokens), number(step.number), ranks(&step.ranks) {}

    StepTokens from;
    std::int32_t number;
    const Ranks *ranks;
  };

  /// Queues it on all ranks: with the sequences, which are then one token
  /// further.
  void launch() {
    graphs.launch();
    ++number;
  }
  /// The token of the last launch, which is read before two more are queued.
  Token token() const { return {*this}; }
  /// The sequences, until `put`: no launch meanwhile.
  RankSequences take();
  void put(RankSequences sequences);

private:
  using Recorded = RankGraphs<Tensor<std::int32_t>, Tensor<std::int32_t>,
                              Tensor<bf16>, Tensor<bf16>, Tensor<bf16>>;

  const Ranks &ranks;
  StepTokens tokens;
  Recorded graphs;
  std::int32_t number = 0; ///< of the last launch
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_RANKS_RANKSTEP_H
