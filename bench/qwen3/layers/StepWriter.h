// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The launches of one token of one sequence, on one device: all of a model, or
/// a rank's part of it between two sums over all ranks.

#ifndef GIRIH_BENCH_QWEN3_LAYERS_STEPWRITER_H
#define GIRIH_BENCH_QWEN3_LAYERS_STEPWRITER_H

#include "bench/qwen3/Step.h"

namespace girih::qwen3 {

class StepWriter {
public:
  /// \param splits as of splitsAt.
  StepWriter(const Model &model, const Kernels &kernels, std::int64_t splits,
             Recording &run, const Stream &stream)
      : model(model), c(model.config), kernels(kernels), splits(splits),
        run(run), stream(stream) {}

  /// The token's row of the embedding; gives the token back.
  std::pair<Tensor<std::int32_t>, Shared<bf16>>
  embedded(Tensor<std::int32_t> token) {
    auto [same, table, first] = run(kernels["step_embedding"].launch(
        {}, std::move(token), model.embedding,
        Tensor<bf16>::empty({1, c.width}, stream)));
    return {std::move(same), std::move(first).reshape({c.width}).share()};
  }

  /// Means of the heads, with a line of the caches more.
  Shared<bf16> attended(const Layer &layer, const Shared<bf16> &x,
                        Tensor<std::int32_t> &position, Piece<bf16> keys,
                        Piece<bf16> values) {
    Shared<bf16> qkv = productOfNorm(c, kernels, layer.qkv, x, layer.inputNorm,
                                     vector(model.qkvRows()), run)
                           .share();
    return splits == 0
               ? whole(layer, qkv, position, std::move(keys), std::move(values))
               : split(layer, qkv, position, std::move(keys),
                       std::move(values));
  }

  /// Between gate and up and down.
  Shared<bf16> inner(const Layer &layer, const Shared<bf16> &x) {
    const Matrix &w = layer.gateUp;
    const NamedValues values = {{"P", programsOf(w)}, {"eps", c.eps}};
    Extents both = {2, c.inner, c.width};
    if (const auto *scaled = std::get_if<ScaledRows>(&w)) {
      auto [a, s, t, b, g, y] = run(kernels["gemv_norm_silu_f8"].launch(
          values, scaled->elements.reshape(both),
          scaled->scale.slice(0, 0, c.inner),
          scaled->scale.slice(0, c.inner, 2 * c.inner), x, layer.outputNorm,
          vector(c.inner)));
      return std::move(y).share();
    }
    if (const auto *groups = std::get_if<ScaledGroups>(&w)) {
      std::int64_t count = c.width / groupColumns;
      auto [a, s, b, g, y] = run(kernels["gemv_norm_silu_int4"].launch(
          values,
          groups->elements.reshape({2, c.inner, count, groupColumns / 2}),
          groups->scale.reshape({2, c.inner, count}), inGroups(x),
          inGroups(layer.outputNorm), vector(c.inner)));
      return std::move(y).share();
    }
    auto [a, b, g, y] = run(kernels["gemv_norm_silu"].launch(
        values, std::get<Shared<bf16>>(w).reshape(both), x, layer.outputNorm,
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
    if (const auto *groups = std::get_if<ScaledGroups>(&w)) {
      auto [a, s, b, r, y] = run(kernels["gemv_add_int4"].launch(
          values, groups->elements, groups->scale, inGroups(of), to,
          vector(c.width)));
      return std::move(y).share();
    }
    auto [a, b, r, y] = run(kernels["gemv_add"].launch(
        values, std::get<Shared<bf16>>(w), of, to, vector(c.width)));
    return std::move(y).share();
  }

  /// The same before the residual, in f32: what is added over all ranks.
  Tensor<float> sums(const Matrix &w, const Shared<bf16> &of,
                     Tensor<float> to) {
    auto [a, b, y] = run(kernels["rank_gemv"].launch(
        {{"P", programsOf(w)}}, std::get<Shared<bf16>>(w), of, std::move(to)));
    return std::move(y);
  }
  /// Adds the sums of all ranks, which it gives back, and rounds once.
  std::pair<Tensor<float>, Shared<bf16>> added(Tensor<float> sums,
                                               const Shared<bf16> &to) {
    auto [s, x, y] = run(
        kernels["rank_add"].launch({}, std::move(sums), to, vector(c.width)));
    return {std::move(s), std::move(y).share()};
  }

  /// Logits behind all layers, [1, rows of the head], with the largest of each
  /// stretch and its index.
  std::tuple<Tensor<bf16>, Tensor<float>, Tensor<std::int32_t>>
  best(const Shared<bf16> &x, Tensor<bf16> logits) {
    std::int64_t rows = model.headRows(), stretches = stretchesOf(rows);
    Tensor<bf16> all = productOfNorm(c, kernels, model.head, x, model.norm,
                                     std::move(logits).reshape({rows}), run);
    auto [l, top, at] = run(kernels["argmax_blocks"].launch(
        {}, std::move(all).reshape({1, rows}),
        Tensor<float>::empty({1, stretches}, stream),
        Tensor<std::int32_t>::empty({1, stretches}, stream)));
    return {std::move(l), std::move(top), std::move(at)};
  }

private:
  Tensor<bf16> vector(std::int64_t count) const {
    return Tensor<bf16>::empty({count}, stream);
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
  std::int64_t splits;
  Recording &run;
  const Stream &stream;
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_LAYERS_STEPWRITER_H
