// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Place.h"

#include <array>
#include <tuple>

namespace girih::qwen3 {

//===-- One device --------------------------------------------------------===//

std::unique_ptr<Batch> OnePlace::graph(std::int64_t rows, Pages pages) const {
  return std::make_unique<Batch>(of, kernels, rows, std::move(pages), stream);
}

void OnePlace::copyToPages(Caches &from, std::span<const std::int32_t> pages,
                           std::int64_t positions, Pages &to) const {
  qwen3::copyToPages(of, kernels, from, pages, positions, to, stream);
}

std::int32_t OnePlace::token(const Shared<bf16> &state, const Draw &draw) {
  auto [logits, token] =
      bestTokens(kernels, qwen3::logitsOf(of, kernels, state, stream),
                 Tensor<std::int32_t>::empty({1}, stream), stream);
  if (draw.sampling.temperature == 0) {
    return token.readBack().get().front();
  }
  if (!sampler) {
    sampler.emplace(kernels,
                    Tensor<bf16>::empty({1, of.config.vocabulary}, stream),
                    Tensor<std::int32_t>::empty({1}, stream), stream);
    kept = sampler->take();
  }
  auto &[ofSampler, drawn] = *kept;
  auto [old, to] = copy(std::move(logits), std::move(ofSampler)).queue(stream);
  ofSampler = std::move(to);
  sampler->run(ofSampler, drawn, std::array{draw}, stream);
  return drawn.readBack().get().front();
}

std::vector<float> OnePlace::logits(const Shared<bf16> &state) const {
  return toFloats(qwen3::logitsOf(of, kernels, state, stream).toHost());
}

void OnePlace::setPosition(std::int64_t position, Sequence &held) {
  std::array next{static_cast<std::int32_t>(position)};
  held.position.assign(next);
}

void OnePlace::begin(const Shared<bf16> &state, Sequence &held) const {
  Tensor<bf16> logits =
      qwen3::logitsOf(of, kernels, state, std::move(held.logits), stream);
  std::tie(held.logits, held.token) =
      bestTokens(kernels, std::move(logits), std::move(held.token), stream);
}

void OnePlace::draw(const Draw &draw, Sequence &held) {
  if (!sampler) {
    sampler.emplace(kernels, std::move(held.logits), std::move(held.token),
                    stream);
    std::tie(held.logits, held.token) = sampler->take();
  }
  sampler->run(held.logits, held.token, std::array{draw}, stream);
}

//===-- Ranks -------------------------------------------------------------===//

std::vector<Caches> RankPlace::staging() const {
  std::vector<Caches> out;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    out.push_back(Caches::of(ranks.models[r], ranks.streams[r]));
  }
  return out;
}

RankPages RankPlace::pool(std::int64_t count) const {
  RankPages out;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    out.push_back(Pages::of(ranks.models[r], count, ranks.streams[r]));
  }
  return out;
}

std::unique_ptr<RankBatch> RankPlace::graph(std::int64_t rows,
                                            RankPages pages) const {
  return std::make_unique<RankBatch>(ranks, kernels, rows, std::move(pages));
}

std::vector<Shared<bf16>>
RankPlace::prefill(std::span<const std::int32_t> tokens, std::size_t from,
                   std::vector<Caches> &staging) {
  std::vector<Caches *> caches;
  for (Caches &each : staging) {
    caches.push_back(&each);
  }
  return fill(tokens, from, caches);
}

void RankPlace::copyToPages(std::vector<Caches> &from,
                            std::span<const std::int32_t> pages,
                            std::int64_t positions, RankPages &to) const {
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    qwen3::copyToPages(ranks.models[r], kernels, from[r], pages, positions,
                       to[r], ranks.streams[r]);
  }
}

std::vector<Tensor<bf16>>
RankPlace::logitsOfRanks(const std::vector<Shared<bf16>> &state) const {
  std::vector<Tensor<bf16>> out;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    out.push_back(
        qwen3::logitsOf(ranks.models[r], kernels, state[r], ranks.streams[r]));
  }
  return out;
}

std::int32_t RankPlace::token(const std::vector<Shared<bf16>> &state,
                              const Draw &draw) {
  auto [logits, tokens] = bestTokens(ranks, kernels, logitsOfRanks(state));
  ranks.wait();
  if (draw.sampling.temperature > 0) {
    if (!sampler) {
      sampler.emplace(ranks, kernels, 1);
    }
    sampler->run(logits, tokens, std::array{draw});
  }
  return tokens.front().toHost().front();
}

std::vector<float>
RankPlace::logits(const std::vector<Shared<bf16>> &state) const {
  ranks.wait();
  std::vector<float> out;
  for (const Tensor<bf16> &logits : logitsOfRanks(state)) {
    std::vector<float> part = toFloats(logits.toHost());
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

RankSequences RankPlace::sequence() const {
  RankSequences out;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    out.push_back(Sequence::of(ranks.models[r], ranks.streams[r]));
  }
  return out;
}

std::vector<Shared<bf16>>
RankPlace::prefill(std::span<const std::int32_t> tokens, std::size_t from,
                   RankSequences &held) {
  std::vector<Caches *> caches;
  for (Sequence &each : held) {
    caches.push_back(&each.caches);
  }
  return fill(tokens, from, caches);
}

void RankPlace::setPosition(std::int64_t position, RankSequences &held) {
  for (Sequence &each : held) {
    OnePlace::setPosition(position, each);
  }
}

void RankPlace::begin(const std::vector<Shared<bf16>> &state,
                      RankSequences &held) const {
  auto [logits, tokens] = bestTokens(ranks, kernels, logitsOfRanks(state));
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const Stream &stream = ranks.streams[r];
    auto [old, kept] =
        copy(std::move(logits[r]), std::move(held[r].logits)).queue(stream);
    held[r].logits = std::move(kept);
    auto [first, same] =
        copy(std::move(tokens[r]), std::move(held[r].token)).queue(stream);
    held[r].token = std::move(same);
  }
  ranks.wait();
}

void RankPlace::draw(const Draw &draw, RankSequences &held) {
  ranks.wait();
  if (!sampler) {
    sampler.emplace(ranks, kernels, 1);
  }
  std::vector<Tensor<bf16>> logits;
  std::vector<Tensor<std::int32_t>> tokens;
  for (Sequence &each : held) {
    logits.push_back(std::move(each.logits));
    tokens.push_back(std::move(each.token));
  }
  sampler->run(logits, tokens, std::array{draw});
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    held[r].logits = std::move(logits[r]);
    held[r].token = std::move(tokens[r]);
  }
}

void RankPlace::setToken(std::span<const std::int32_t> token,
                         RankSequences &held) {
  for (Sequence &each : held) {
    each.token.assign(token);
  }
}

std::vector<float> RankPlace::logitsOf(const RankSequences &held) {
  std::vector<float> out;
  for (const Sequence &each : held) {
    std::vector<float> part = toFloats(each.logits.toHost());
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

} // namespace girih::qwen3
