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
  struct Token {
    Readback<std::int32_t> value;
    std::int32_t get() const { return value.get().front(); }
  };

  RankStep(const Ranks &ranks, const Kernels &kernels, Attention attention,
           RankSequences sequences);

  /// Runs it on all ranks, and waits for them.
  void run() { graphs.sync(); }
  /// The token of the last run.
  Token token() const { return {graphs[0].get<0>().readBack()}; }
  /// The sequences, until `put`: no launch meanwhile.
  RankSequences take();
  void put(RankSequences sequences);

private:
  using Recorded = RankGraphs<Tensor<std::int32_t>, Tensor<std::int32_t>,
                              Tensor<bf16>, Tensor<bf16>, Tensor<bf16>>;

  Recorded graphs;
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_RANKS_RANKSTEP_H
