// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Tokens that are drawn from logits, on the device, as one graph: first the
/// top_k largest logits are left, of these the fewest whose probabilities are
/// at least top_p, and of these a token is drawn with its probability.
/// Source: transformers, generation/logits_process.py.

#ifndef GIRIH_BENCH_QWEN3_SAMPLER_H
#define GIRIH_BENCH_QWEN3_SAMPLER_H

#include "bench/qwen3/ranks/Ranks.h"
#include "runtime/graph/Graph.h"

namespace girih::qwen3 {

struct Sampling {
  float temperature = 0;  ///< 0: the largest logit, the first of equal ones
  std::int32_t topK = 0;  ///< 0: all
  float topP = 1;         ///< in (0, 1]
  std::uint64_t seed = 0; ///< the draw is of seed, position and logits alone
};

/// How the token at a position is drawn.
struct Draw {
  Sampling sampling;
  std::int32_t position = 0;
};

class Sampler {
public:
  /// The graph of these tensors, which it gives back when it has run.
  /// \param logits [rows, vocabulary], read
  /// \param tokens [rows], written
  Sampler(const Kernels &kernels, Tensor<bf16> logits,
          Tensor<std::int32_t> tokens, const Stream &stream);

  /// What it was made of, to begin with.
  std::pair<Tensor<bf16>, Tensor<std::int32_t>> take();
  /// Queues it: `draws` are of the first rows, others get any token.
  void run(Tensor<bf16> &logits, Tensor<std::int32_t> &tokens,
           std::span<const Draw> draws, const Stream &stream);

private:
  // Logits, tokens, temperatures and top_p, other numbers.
  using Recorded = Graph<Tensor<bf16>, Tensor<std::int32_t>, Tensor<float>,
                         Tensor<std::int32_t>>;

  std::size_t rows;
  std::vector<float> how; ///< as it is on the device
  Recorded graph;
};

/// The same of logits that are cut over ranks: the first one has all of them to
/// draw from, and every one gets the tokens.
class RankSampler {
public:
  RankSampler(const Ranks &ranks, const Kernels &kernels, std::int64_t rows);

  /// \param logits [rows, vocabulary / ranks], read, by rank
  /// \param tokens [rows], written, by rank
  void run(std::span<Tensor<bf16>> logits,
           std::span<Tensor<std::int32_t>> tokens, std::span<const Draw> draws);

private:
  const Ranks &ranks;
  Sampler sampler;
  Tensor<bf16> all; ///< [rows, vocabulary]
  Tensor<std::int32_t> drawn;
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_SAMPLER_H
