// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Where a decoder has its model: all of it on one device, or a part on each
/// rank. Both have the same members; a place is one decoder's.

#ifndef GIRIH_BENCH_QWEN3_PLACE_H
#define GIRIH_BENCH_QWEN3_PLACE_H

#include "bench/qwen3/ranks/RankBatch.h"
#include "bench/qwen3/ranks/RankPrefill.h"
#include "bench/qwen3/ranks/RankStep.h"

#include <memory>

namespace girih::qwen3 {

class OnePlace {
public:
  using Staging = Caches;     ///< of a prompt that is taken
  using Pool = Pages;         ///< of all sequences
  using State = Shared<bf16>; ///< behind the last token of a prompt
  using Graph = Batch;
  using Held = Sequence; ///< of the one sequence of a SingleDecoder
  using Steps = Step;

  OnePlace(const Model &model, const Kernels &kernels, const Stream &stream)
      : of(model), kernels(kernels), stream(stream),
        fill(model, kernels, stream) {}

  const Model &model() const { return of; }
  Staging staging() const { return Caches::of(of, stream); }
  Pool pool(std::int64_t count) const { return Pages::of(of, count, stream); }
  std::unique_ptr<Graph> graph(std::int64_t rows, Pool pages) const;
  State prefill(std::span<const std::int32_t> tokens, std::size_t from,
                Staging &staging) {
    return fill(tokens, from, staging);
  }
  void copyToPages(Staging &from, std::span<const std::int32_t> pages,
                   std::int64_t positions, Pool &to) const;
  /// The token at the position behind a prompt.
  std::int32_t token(const State &state, const Draw &draw);
  std::vector<float> logits(const State &state) const;
  std::vector<std::int32_t> run(Graph &graph, std::span<const Row> rows) const {
    return graph.run(rows, stream);
  }

  Held sequence() const { return Sequence::of(of, stream); }
  std::int64_t splitsAt(std::int64_t position) const {
    return qwen3::splitsAt(position, 1);
  }
  std::unique_ptr<Steps> steps(std::int64_t splits, Held held) const {
    return std::make_unique<Step>(of, kernels, splits, std::move(held), stream);
  }
  State prefill(std::span<const std::int32_t> tokens, std::size_t from,
                Held &held) {
    return prefill(tokens, from, held.caches);
  }
  /// The position of the next token. What is queued is waited for.
  static void setPosition(std::int64_t position, Held &held);
  /// Logits and token behind a prompt.
  void begin(const State &state, Held &held) const;
  /// Another token than the likeliest, which is there.
  void draw(const Draw &draw, Held &held);
  /// Queues a step; its token is waited for.
  static void run(Steps &steps) { steps.launch(); }
  void wait() const { stream.synchronize(); }
  static std::int32_t tokenOf(const Held &held) {
    return held.token.readBack().get().front();
  }
  static void setToken(std::span<const std::int32_t> token, Held &held) {
    held.token.assign(token);
  }
  static std::vector<float> logitsOf(const Held &held) {
    return toFloats(held.logits.toHost());
  }

private:
  const Model &of;
  const Kernels &kernels;
  Stream stream;
  Prefill fill;
  std::optional<Sampler> sampler; ///< of prompts, once it was asked for
  /// What that draws from, and to.
  std::optional<std::pair<Tensor<bf16>, Tensor<std::int32_t>>> kept;
};

class RankPlace {
public:
  using Staging = std::vector<Caches>;
  using Pool = RankPages;
  using State = std::vector<Shared<bf16>>;
  using Graph = RankBatch;
  using Held = RankSequences;
  using Steps = RankStep;

  RankPlace(const Ranks &ranks, const Kernels &kernels)
      : ranks(ranks), kernels(kernels), fill(ranks, kernels) {}

  /// The first rank's part.
  const Model &model() const { return ranks.models.front(); }
  Staging staging() const;
  Pool pool(std::int64_t count) const;
  std::unique_ptr<Graph> graph(std::int64_t rows, Pool pages) const;
  State prefill(std::span<const std::int32_t> tokens, std::size_t from,
                Staging &staging);
  void copyToPages(Staging &from, std::span<const std::int32_t> pages,
                   std::int64_t positions, Pool &to) const;
  std::int32_t token(const State &state, const Draw &draw);
  std::vector<float> logits(const State &state) const;
  std::vector<std::int32_t> run(Graph &graph, std::span<const Row> rows) const {
    return graph.run(rows);
  }

  Held sequence() const;
  std::int64_t splitsAt(std::int64_t position) const {
    return qwen3::splitsAt(position, static_cast<std::int64_t>(ranks.size()));
  }
  std::unique_ptr<Steps> steps(std::int64_t splits, Held held) const {
    return std::make_unique<RankStep>(ranks, kernels, splits, std::move(held));
  }
  State prefill(std::span<const std::int32_t> tokens, std::size_t from,
                Held &held);
  static void setPosition(std::int64_t position, Held &held);
  void begin(const State &state, Held &held) const;
  void draw(const Draw &draw, Held &held);
  static void run(Steps &steps) { steps.launch(); }
  void wait() const { ranks.wait(); }
  static std::int32_t tokenOf(const Held &held) {
    return held.front().token.readBack().get().front();
  }
  static void setToken(std::span<const std::int32_t> token, Held &held);
  static std::vector<float> logitsOf(const Held &held);

private:
  std::vector<Tensor<bf16>> logitsOfRanks(const State &state) const;

  const Ranks &ranks;
  const Kernels &kernels;
  RankPrefill fill;
  std::optional<RankSampler> sampler;
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_PLACE_H
