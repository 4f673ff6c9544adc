// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Prefill.h"

#include <bit>

namespace girih::qwen3 {
namespace {

/// Tokens of a prompt that are taken at once: what stands between layers has a
/// row for each.
constexpr std::size_t chunkLength = 4096;

/// Tokens of one sequence through the layers, all rows at once.
class Rows {
public:
  Rows(const Model &model, const Kernels &kernels, std::int64_t rows,
       std::int64_t from, const Stream &stream)
      : model(model), c(model.config), kernels(kernels), rows(rows), from(from),
        stream(stream) {}

  Shared<bf16> embedding(std::span<const std::int32_t> tokens) {
    auto ids = Tensor<std::int32_t>::copyFrom(tokens, {rows}, stream);
    auto [i, table, x] = kernels["embedding_batch"]
                             .launch({}, withContents(std::move(ids), tokens),
                                     model.embedding, made(c.width))
                             .queue(stream);
    return std::move(x).share();
  }

  Shared<bf16> norm(const Shared<bf16> &x, const Shared<bf16> &gain) {
    auto [a, g, y] = kernels["rms_norm"]
                         .launch({{"eps", c.eps}}, x, gain, made(c.width))
                         .queue(stream);
    return std::move(y).share();
  }

  /// x + of, and the norm of that.
  std::pair<Shared<bf16>, Shared<bf16>> added(Shared<bf16> of, Shared<bf16> x,
                                              const Shared<bf16> &gain) {
    auto [a, b, g, sum, y] =
        kernels["add_rms_norm"]
            .launch({{"eps", c.eps}}, std::move(of), std::move(x), gain,
                    made(c.width), made(c.width))
            .queue(stream);
    keep(std::move(a), std::move(b));
    return {std::move(sum).share(), std::move(y).share()};
  }

  Shared<bf16> product(Shared<bf16> x, const Shared<bf16> &w) {
    auto [a, b, y] = kernels["linear"]
                         .launch({}, std::move(x), w, made(w.extents()[0]))
                         .queue(stream);
    keep(std::move(a));
    return std::move(y).share();
  }

  Shared<bf16> activated(Shared<bf16> gateUp) {
    auto [a, y] = kernels["silu_mul"]
                      .launch({}, std::move(gateUp), made(c.inner))
                      .queue(stream);
    keep(std::move(a));
    return std::move(y).share();
  }

  /// Attention of a layer, whose caches get the rows of k and v.
  Shared<bf16> attention(const Layer &layer, Shared<bf16> qkv, Piece<bf16> keys,
                         Piece<bf16> values) {
    Extents ofHeads = {rows, c.heads, c.depth};
    Tensor<bf16> mean = made(c.heads * c.depth).reshape(ofHeads);
    {
      Shared<bf16> heads =
          qkv.reshape({rows, c.heads + 2 * c.cacheHeads, c.depth});
      std::int64_t behind = c.heads + c.cacheHeads;
      auto [q, k, v, qg, kg, cos, sin, turned, ks, vs] =
          kernels["qk_norm_rope_append"]
              .launch({{"pos", from}, {"eps", c.eps}},
                      heads.slice(1, 0, c.heads),
                      heads.slice(1, c.heads, behind),
                      heads.slice(1, behind, behind + c.cacheHeads),
                      layer.qNorm, layer.kNorm, model.cos, model.sin,
                      made(c.heads * c.depth).reshape(ofHeads), std::move(keys),
                      std::move(values))
              .queue(stream);
      auto [q2, k2, v2, y] = kernels["attention_prefill_gqa"]
                                 .launch({{"pos", from},
                                          {"R", c.heads / c.cacheHeads},
                                          {"scale", model.scale()}},
                                         std::move(turned), std::move(ks),
                                         std::move(vs), std::move(mean))
                                 .queue(stream);
      mean = std::move(y);
      unused.push_back(std::move(q2));
    }
    keep(std::move(qkv));
    return std::move(mean).reshape({rows, c.heads * c.depth}).share();
  }

private:
  /// What nobody else has is written again: a layer takes no memory but the
  /// first one.
  template <typename... Tensors> void keep(Tensors... tensors) {
    (keepOne(std::move(tensors)), ...);
  }
  void keepOne(Shared<bf16> tensor) {
    if (auto own = std::move(tensor).tryUnique()) {
      unused.push_back(std::move(*own));
    }
  }

  Tensor<bf16> made(std::int64_t columns) {
    for (Tensor<bf16> &tensor : unused) {
      if (tensor.count() == rows * columns) {
        std::swap(tensor, unused.back());
        Tensor<bf16> out = std::move(unused.back()).reshape({rows, columns});
        unused.pop_back();
        return out;
      }
    }
    return Tensor<bf16>::empty({rows, columns}, stream);
  }

  const Model &model;
  const Config &c;
  const Kernels &kernels;
  std::int64_t rows, from;
  const Stream &stream;
  std::vector<Tensor<bf16>> unused;
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
  Rows rows(model, kernels, count, from, stream);
  Extents ofLayer = {c.cacheHeads, model.positions, c.depth};
  auto keys = std::move(caches.keys).partition(ofLayer);
  auto values = std::move(caches.values).partition(ofLayer);
  Shared<bf16> x = rows.embedding(tokens);
  Shared<bf16> normed = rows.norm(x, model.layers.front().inputNorm);
  for (std::size_t k = 0; k < model.layers.size(); ++k) {
    const Layer &layer = model.layers[k];
    Shared<bf16> mean = rows.attention(
        layer, rows.product(std::move(normed), layer.qkv), keys[k], values[k]);
    std::tie(x, normed) = rows.added(rows.product(std::move(mean), layer.out),
                                     std::move(x), layer.outputNorm);
    Shared<bf16> inner =
        rows.activated(rows.product(std::move(normed), layer.gateUp));
    // Of the last layer the sum alone is used.
    const Shared<bf16> &next = k + 1 < model.layers.size()
                                   ? model.layers[k + 1].inputNorm
                                   : model.norm;
    std::tie(x, normed) = rows.added(rows.product(std::move(inner), layer.down),
                                     std::move(x), next);
  }
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
  auto [t, i, token] = kernels["argmax_reduce"]
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

std::optional<Shared<bf16>> prefill(const Model &model, const Kernels &kernels,
                                    std::span<const std::int32_t> prompt,
                                    Caches &caches, const Stream &stream,
                                    const IsCancelled &isCancelled) {
  std::optional<Shared<bf16>> last;
  for (std::size_t from = 0; from < prompt.size(); from += chunkLength) {
    if (isCancelled()) {
      return std::nullopt;
    }
    std::size_t count = std::min(prompt.size() - from, chunkLength);
    last = chunk(model, kernels, prompt.subspan(from, count),
                 static_cast<std::int64_t>(from), caches, stream);
    if (count < prompt.size() - from) {
      // So that a request that is cancelled ends with the chunk that runs.
      stream.synchronize();
    }
  }
  return last;
}

} // namespace girih::qwen3
