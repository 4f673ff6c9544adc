// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A prompt, or a part of one, of a model that is cut over several devices.

#ifndef GIRIH_BENCH_QWEN3_RANKS_RANKPREFILL_H
#define GIRIH_BENCH_QWEN3_RANKS_RANKPREFILL_H

#include "bench/qwen3/Prefill.h"
#include "bench/qwen3/ranks/Ranks.h"
#include "runtime/graph/RankGraphs.h"

namespace girih::qwen3 {

/// As Prefill, of all ranks: graphs for the same numbers of tokens, and above
/// launches one by one.
class RankPrefill {
public:
  RankPrefill(const Ranks &ranks, const Kernels &kernels)
      : ranks(ranks), kernels(kernels) {}

  /// As of one device, with the caches of each rank: states by rank, until the
  /// next call.
  std::vector<Shared<bf16>> operator()(std::span<const std::int32_t> tokens,
                                       std::size_t from,
                                       std::span<Caches *const> caches);

private:
  /// Graphs of so many rows. They have the caches from `put` to `take`.
  struct Recorded {
    // Keys, values, tokens, states.
    RankGraphs<Tensor<bf16>, Tensor<bf16>, Tensor<std::int32_t>, Shared<bf16>>
        graphs;
    std::vector<Placed> placed;
    std::int64_t from = 0; ///< the position of the first token that they know
  };

  std::vector<Shared<bf16>> queued(std::span<const std::int32_t> tokens,
                                   std::int64_t from,
                                   std::span<Caches *const> caches) const;
  std::vector<Shared<bf16>> replayed(std::span<const std::int32_t> tokens,
                                     std::int64_t rows, std::int64_t from,
                                     std::span<Caches *const> caches);
  Recorded recorded(std::int64_t rows, std::span<Caches *const> caches) const;

  const Ranks &ranks;
  const Kernels &kernels;
  std::map<std::int64_t, Recorded> recordings; ///< by rows
};

/// The token with the largest logit of each row of all ranks: each has them.
/// \param logits [rows, vocabulary / ranks], by rank, which it gives back.
std::pair<std::vector<Tensor<bf16>>, std::vector<Tensor<std::int32_t>>>
bestTokens(const Ranks &ranks, const Kernels &kernels,
           std::vector<Tensor<bf16>> logits);

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_RANKS_RANKPREFILL_H
