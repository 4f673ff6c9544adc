// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Step.h"

namespace girih::qwen3 {
namespace {

/// Splits of a head: with the 8 heads of the caches as many blocks as an H200
/// has multiprocessors.
constexpr std::int64_t splits = 16;

/// Records the launches of one token.
class Writer {
public:
  Writer(const Model &model, const Kernels &kernels, Attention attention,
         Recording &run, const Stream &stream)
      : model(model), c(model.config), kernels(kernels), attention(attention),
        run(run), stream(stream) {}

  std::tuple<Tensor<std::int32_t>, Tensor<std::int32_t>, Tensor<bf16>,
             Tensor<bf16>, Tensor<bf16>>
  record(Sequence sequence) {
    Extents ofLayer = {c.cacheHeads, model.positions, c.depth};
    auto keys = std::move(sequence.caches.keys).partition(ofLayer);
    auto values = std::move(sequence.caches.values).partition(ofLayer);
    auto [token, table, first] = run(kernels["step_embedding"].launch(
        {}, std::move(sequence.token), model.embedding,
        Tensor<bf16>::empty({1, c.width}, stream)));
    Shared<bf16> x = std::move(first).reshape({c.width}).share();
    Tensor<std::int32_t> position = std::move(sequence.position);
    for (std::size_t k = 0; k < model.layers.size(); ++k) {
      const Layer &layer = model.layers[k];
      Shared<bf16> qkv =
          productOfNorm(c, kernels, layer.qkv, x, layer.inputNorm,
                        vector(model.qkvRows()), run)
              .share();
      Shared<bf16> mean = attention == Attention::Whole
                              ? whole(layer, qkv, position, keys[k], values[k])
                              : split(layer, qkv, position, keys[k], values[k]);
      x = added(layer.out, mean, x);
      Shared<bf16> inner = activated(layer.gateUp, x, layer.outputNorm);
      x = added(layer.down, inner, x);
    }
    Tensor<bf16> all =
        productOfNorm(c, kernels, model.head, x, model.norm,
                      std::move(sequence.logits).reshape({c.vocabulary}), run);
    std::int64_t stretches = stretchesOf(c.vocabulary);
    auto [logits, top, at] = run(kernels["argmax_blocks"].launch(
        {}, std::move(all).reshape({1, c.vocabulary}),
        Tensor<float>::empty({1, stretches}, stream),
        Tensor<std::int32_t>::empty({1, stretches}, stream)));
    auto [t, i, next, best] = run(
        kernels["step_argmax"].launch({}, std::move(top), std::move(at),
                                      std::move(position), std::move(token)));
    return {std::move(best), std::move(next), run.join(std::move(keys)),
            run.join(std::move(values)), std::move(logits)};
  }

private:
  Tensor<bf16> vector(std::int64_t count) const {
    return Tensor<bf16>::empty({count}, stream);
  }

  Shared<bf16> activated(const Matrix &w, const Shared<bf16> &x,
                         const Shared<bf16> &gain) {
    const NamedValues values = {{"P", programsOf(w)}, {"eps", c.eps}};
    Extents both = {2, c.inner, c.width};
    if (const auto *scaled = std::get_if<ScaledRows>(&w)) {
      auto [a, s, t, b, g, y] = run(kernels["gemv_norm_silu_f8"].launch(
          values, scaled->elements.reshape(both),
          scaled->scale.slice(0, 0, c.inner),
          scaled->scale.slice(0, c.inner, 2 * c.inner), x, gain,
          vector(c.inner)));
      return std::move(y).share();
    }
    auto [a, b, g, y] = run(kernels["gemv_norm_silu"].launch(
        values, std::get<Shared<bf16>>(w).reshape(both), x, gain,
        vector(c.inner)));
    return std::move(y).share();
  }

  Shared<bf16> added(const Matrix &w, const Shared<bf16> &of,
                     const Shared<bf16> &to) {
    const NamedValues values = {{"P", programsOf(w)}};
    if (const auto *scaled = std::get_if<ScaledRows>(&w)) {
      auto [a, s, b, r, y] = run(kernels["gemv_add_f8"].launch(
          values, scaled->elements, scaled->scale, of, to, vector(c.width)));
      return std::move(y).share();
    }
    auto [a, b, r, y] = run(kernels["gemv_add"].launch(
        values, std::get<Shared<bf16>>(w), of, to, vector(c.width)));
    return std::move(y).share();
  }

  /// Heads of q, k or v.
  Shared<bf16> part(const Shared<bf16> &qkv, std::int64_t from,
                    std::int64_t count) const {
    return qkv.slice(0, from * c.depth, (from + count) * c.depth)
        .reshape({count, c.depth});
  }

  /// All of it in one launch.
  Shared<bf16> whole(const Layer &layer, const Shared<bf16> &qkv,
                     Tensor<std::int32_t> &position, Piece<bf16> keys,
                     Piece<bf16> values) {
    Extents groups = {c.cacheHeads, c.heads / c.cacheHeads, c.depth};
    auto [q, k, v, at, qg, kg, cos, sin, ks, vs, mean] =
        run(kernels["attention_step"].launch(
            {{"eps", c.eps}, {"scale", model.scale()}},
            part(qkv, 0, c.heads).reshape(groups),
            part(qkv, c.heads, c.cacheHeads),
            part(qkv, c.heads + c.cacheHeads, c.cacheHeads),
            std::move(position), layer.qNorm, layer.kNorm, model.cos, model.sin,
            std::move(keys), std::move(values),
            Tensor<bf16>::empty(groups, stream)));
    position = std::move(at);
    return std::move(mean).reshape({c.heads * c.depth}).share();
  }

  /// In splits, and merged.
  Shared<bf16> split(const Layer &layer, const Shared<bf16> &qkv,
                     Tensor<std::int32_t> &position, Piece<bf16> keys,
                     Piece<bf16> values) {
    std::int64_t g = c.cacheHeads, r = c.heads / g;
    Shared<bf16> key = part(qkv, c.heads, g), value = part(qkv, c.heads + g, g);
    auto [q, k, v, at, qg, kg, cos, sin, ks, vs, partial, lse] =
        run(kernels["attention_step_split"].launch(
            {{"eps", c.eps}, {"scale", model.scale()}},
            part(qkv, 0, c.heads).reshape({g, r, c.depth}), key, value,
            std::move(position), layer.qNorm, layer.kNorm, model.cos, model.sin,
            std::move(keys), std::move(values),
            Tensor<float>::empty({splits, g, r, c.depth}, stream),
            Tensor<float>::empty({splits, g, r}, stream)));
    auto [p, l, k2, v2, at2, kg2, cos2, sin2, ks2, vs2, mean] =
        run(kernels["attention_step_merge"].launch(
            {{"eps", c.eps}},
            std::move(partial).reshape({splits, c.heads, c.depth}).share(),
            std::move(lse).reshape({splits, c.heads}).share(), key, value,
            std::move(at), layer.kNorm, model.cos, model.sin, std::move(ks),
            std::move(vs), Tensor<bf16>::empty({c.heads, c.depth}, stream)));
    position = std::move(at2);
    return std::move(mean).reshape({c.heads * c.depth}).share();
  }

  const Model &model;
  const Config &c;
  const Kernels &kernels;
  Attention attention;
  Recording &run;
  const Stream &stream;
};

} // namespace

Sequence Sequence::of(const Model &model, const Stream &stream) {
  return {Tensor<std::int32_t>::zeros({1}, stream),
          Tensor<std::int32_t>::zeros({1}, stream), Caches::of(model, stream),
          Tensor<bf16>::zeros({1, model.config.vocabulary}, stream)};
}

Step::Step(const Model &model, const Kernels &kernels, Attention attention,
           Sequence sequence, const Stream &stream)
    : graph(girih::record([&](Recording &run) {
        return Writer(model, kernels, attention, run, stream)
            .record(std::move(sequence));
      })) {}

Sequence Step::take() {
  return {graph.take<0>(),
          graph.take<1>(),
          {graph.take<2>(), graph.take<3>()},
          graph.take<4>()};
}

void Step::put(Sequence sequence) {
  graph.put<0>(std::move(sequence.token));
  graph.put<1>(std::move(sequence.position));
  graph.put<2>(std::move(sequence.caches.keys));
  graph.put<3>(std::move(sequence.caches.values));
  graph.put<4>(std::move(sequence.logits));
}

} // namespace girih::qwen3
