// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// One more token of each of some sequences as a graph of each rank, which run
/// together.

#ifndef GIRIH_BENCH_QWEN3_RANKS_RANKBATCH_H
#define GIRIH_BENCH_QWEN3_RANKS_RANKBATCH_H

#include "bench/qwen3/Batch.h"
#include "runtime/graph/RankGraphs.h"

namespace girih::qwen3 {

/// What each rank has of the pages, whose numbers are the same everywhere.
using RankPages = std::vector<Pages>;

/// The graphs of so many rows, as Batch.
class RankBatch {
public:
  RankBatch(const Ranks &ranks, const Kernels &kernels, std::int64_t rows,
            RankPages pages);

  std::vector<std::int32_t> run(std::span<const Row> rows);
  std::vector<float> logits() const;
  RankPages take();
  void put(RankPages pages);

private:
  using Recorded =
      RankGraphs<Tensor<bf16>, Tensor<bf16>, Tensor<std::int32_t>, Tensor<bf16>,
                 Tensor<std::int32_t>, Tensor<std::int32_t>>;

  void draw(std::span<const Row> rows);

  const Ranks &ranks;
  const Kernels &kernels;
  std::int64_t count, tableLength;
  Numbers known; ///< as they are on the devices
  Recorded graphs;
  std::optional<RankSampler> sampler; ///< once it was asked for
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_RANKS_RANKBATCH_H
