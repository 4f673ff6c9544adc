// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Prefill.h"

#include "bench/qwen3/Rows.h"

#include <bit>

namespace girih::qwen3 {
namespace {

/// Tokens of a prompt that are taken at once: what stands between layers has a
/// row for each.
constexpr std::size_t chunkLength = 4096;

/// Queues launches.
struct Queue {
  template <typename Op> auto operator()(Op &&op) const {
    return std::forward<Op>(op).queue(stream);
  }
  const Stream &stream;
};

} // namespace

Caches Caches::of(const Model &model, const Stream &stream) {
  Extents extents = {model.config.layers * model.config.cacheHeads,
                     model.positions, model.config.depth};
  return {Tensor<bf16>::empty(extents, stream),
          Tensor<bf16>::empty(extents, stream)};
}

/// Queues tokens that follow `from` others, and gives the state of the last.
static Shared<bf16> chunk(const Model &model, const Kernels &kernels,
                          std::span<const std::int32_t> tokens,
                          std::int64_t from, Caches &caches,
                          const Stream &stream) {
  const Config &c = model.config;
  auto count = static_cast<std::int64_t>(tokens.size());
  Extents ofLayer = {c.cacheHeads, model.positions, c.depth};
  auto keys = std::move(caches.keys).partition(ofLayer);
  auto values = std::move(caches.values).partition(ofLayer);
  Queue run{stream};
  Rows rows(model, kernels, count, run, stream);
  auto attention = [&](std::size_t k, Shared<bf16> qkv) {
    const Layer &layer = model.layers[k];
    Tensor<bf16> mean = rows.madeOfHeads();
    {
      auto [ofQ, ofK, ofV] = rows.headsOf(qkv);
      auto [q, k1, v, qg, kg, cos, sin, turned, ks, vs] =
          run(kernels["qk_norm_rope_append"].launch(
              {{"pos", from}, {"eps", c.eps}}, ofQ, ofK, ofV, layer.qNorm,
              layer.kNorm, model.cos, model.sin, rows.madeOfHeads(), keys[k],
              values[k]));
      auto [q2, k2, v2, y] = run(kernels["attention_prefill_gqa"].launch(
          {{"pos", from},
           {"R", c.heads / c.cacheHeads},
           {"scale", model.scale()}},
          std::move(turned), std::move(ks), std::move(vs), std::move(mean)));
      mean = std::move(y);
      rows.keep(std::move(q2).share());
    }
    rows.keep(std::move(qkv));
    return std::move(mean).reshape({count, c.heads * c.depth}).share();
  };
  auto ids = Tensor<std::int32_t>::copyFrom(tokens, {count}, stream);
  auto [i, table, first] = run(kernels["embedding_batch"].launch(
      {}, withContents(std::move(ids), tokens), model.embedding,
      rows.made(c.width)));
  auto [x, norm] = rows.layers(std::move(first).share(), attention);
  caches.keys = std::move(keys).join();
  caches.values = std::move(values).join();
  return x.slice(0, count - 1, count).reshape({c.width});
}

Tensor<bf16> logitsOf(const Model &model, const Kernels &kernels,
                      const Shared<bf16> &state, const Stream &stream) {
  const Config &c = model.config;
  auto [w, x, gain, logits] =
      kernels["gemv_norm"]
          .launch({{"P", programsOf(c.width)}, {"eps", c.eps}}, model.head,
                  state, model.norm,
                  Tensor<bf16>::empty({c.vocabulary}, stream))
          .queue(stream);
  return std::move(logits).reshape({1, c.vocabulary});
}

std::pair<Tensor<bf16>, Tensor<std::int32_t>>
bestTokens(const Kernels &kernels, Tensor<bf16> logits, const Stream &stream) {
  std::int64_t rows = logits.extents()[0];
  Extents stretches = {rows, stretchesOf(logits.extents()[1])};
  auto [l, top, at] =
      kernels["argmax_blocks"]
          .launch({}, std::move(logits),
                  Tensor<float>::empty(stretches, stream),
                  Tensor<std::int32_t>::empty(stretches, stream))
          .queue(stream);
  auto [t, i, token] = kernels["step_tokens"]
                           .launch({}, std::move(top), std::move(at),
                                   Tensor<std::int32_t>::empty({rows}, stream))
                           .queue(stream);
  return {std::move(l), std::move(token)};
}

std::vector<float> toFloats(const std::vector<bf16> &numbers) {
  std::vector<float> out;
  out.reserve(numbers.size());
  for (bf16 number : numbers) {
    out.push_back(std::bit_cast<float>(std::uint32_t(number.bits) << 16));
  }
  return out;
}

Shared<bf16> prefill(const Model &model, const Kernels &kernels,
                     std::span<const std::int32_t> tokens, std::size_t from,
                     Caches &caches, const Stream &stream) {
  while (true) {
    std::size_t count = std::min(tokens.size(), chunkLength);
    Shared<bf16> last = chunk(model, kernels, tokens.first(count),
                              static_cast<std::int64_t>(from), caches, stream);
    if (count == tokens.size()) {
      return last;
    }
    tokens = tokens.subspan(count);
    from += count;
  }
}

} // namespace girih::qwen3
