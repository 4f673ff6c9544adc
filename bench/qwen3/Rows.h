// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The layers of a model on many rows at once, each a token: of a prompt, whose
/// launches are queued, or of as many sequences, whose launches are recorded.
/// They differ in attention alone.

#ifndef GIRIH_BENCH_QWEN3_ROWS_H
#define GIRIH_BENCH_QWEN3_ROWS_H

#include "bench/qwen3/Kernels.h"
#include "bench/qwen3/Model.h"

namespace girih::qwen3 {

/// `run` takes a launch and gives its arguments back.
template <typename Run> class Rows {
public:
  Rows(const Model &model, const Kernels &kernels, std::int64_t rows, Run &run,
       const Stream &stream)
      : model(model), c(model.config), kernels(kernels), rows(rows), run(run),
        stream(stream) {}

  /// From the embedding of tokens to the state behind all layers, and its norm.
  /// \param attention gives of layer k and its rows of q, k and v the means.
  template <typename Attention>
  std::pair<Shared<bf16>, Shared<bf16>> layers(Shared<bf16> x,
                                               Attention attention) {
    Shared<bf16> norm = normed(x, model.layers.front().inputNorm);
    for (std::size_t k = 0; k < model.layers.size(); ++k) {
      const Layer &layer = model.layers[k];
      Shared<bf16> mean = attention(k, product(std::move(norm), layer.qkv));
      std::tie(x, norm) = added(product(std::move(mean), layer.out),
                                std::move(x), layer.outputNorm);
      Shared<bf16> inner = activated(product(std::move(norm), layer.gateUp));
      const Shared<bf16> &next = k + 1 < model.layers.size()
                                     ? model.layers[k + 1].inputNorm
                                     : model.norm;
      std::tie(x, norm) =
          added(product(std::move(inner), layer.down), std::move(x), next);
    }
    return {std::move(x), std::move(norm)};
  }

  Shared<bf16> product(Shared<bf16> x, const Shared<bf16> &w) {
    auto [a, b, y] = run(
        kernels["linear"].launch({}, std::move(x), w, made(w.extents()[0])));
    keep(std::move(a));
    return std::move(y).share();
  }

  /// Heads of q, k and v in rows of all three: [rows, heads, depth].
  std::array<Shared<bf16>, 3> headsOf(const Shared<bf16> &qkv) const {
    std::int64_t ofKeys = c.heads + c.cacheHeads, all = ofKeys + c.cacheHeads;
    Shared<bf16> heads = qkv.reshape({rows, all, c.depth});
    return {heads.slice(1, 0, c.heads), heads.slice(1, c.heads, ofKeys),
            heads.slice(1, ofKeys, all)};
  }

  /// [rows, columns], of what was kept where there is such.
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
  Tensor<bf16> madeOfHeads() {
    return made(c.heads * c.depth).reshape({rows, c.heads, c.depth});
  }

  /// What nobody else has is written again: a layer of launches that are queued
  /// takes no memory but the first one.
  void keep(Shared<bf16> tensor) {
    if (auto own = std::move(tensor).tryUnique()) {
      unused.push_back(std::move(*own));
    }
  }

private:
  Shared<bf16> normed(const Shared<bf16> &x, const Shared<bf16> &gain) {
    auto [a, g, y] = run(
        kernels["rms_norm"].launch({{"eps", c.eps}}, x, gain, made(c.width)));
    return std::move(y).share();
  }

  /// x + of, and the norm of that.
  std::pair<Shared<bf16>, Shared<bf16>> added(Shared<bf16> of, Shared<bf16> x,
                                              const Shared<bf16> &gain) {
    auto [a, b, g, sum, y] = run(kernels["add_rms_norm"].launch(
        {{"eps", c.eps}}, std::move(of), std::move(x), gain, made(c.width),
        made(c.width)));
    keep(std::move(a));
    keep(std::move(b));
    return {std::move(sum).share(), std::move(y).share()};
  }

  Shared<bf16> activated(Shared<bf16> gateUp) {
    auto [a, y] =
        run(kernels["silu_mul"].launch({}, std::move(gateUp), made(c.inner)));
    keep(std::move(a));
    return std::move(y).share();
  }

  const Model &model;
  const Config &c;
  const Kernels &kernels;
  std::int64_t rows;
  Run &run;
  const Stream &stream;
  std::vector<Tensor<bf16>> unused;
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_ROWS_H
