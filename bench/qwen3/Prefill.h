// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Many tokens of one sequence at once: a prompt, or a part of one.

#ifndef GIRIH_BENCH_QWEN3_PREFILL_H
#define GIRIH_BENCH_QWEN3_PREFILL_H

#include "bench/qwen3/Kernels.h"
#include "bench/qwen3/Model.h"
#include "runtime/graph/Graph.h"

#include <map>
#include <optional>

namespace girih::qwen3 {

/// Keys and values of one sequence, of all layers behind each other:
/// [layers cacheHeads, cacheRows, depth].
struct Caches {
  Tensor<bf16> keys, values;

  static Caches of(const Model &model, const Stream &stream);
};

/// The same by layer.
struct CachePieces {
  Pieces<bf16> keys, values;

  CachePieces(const Model &model, Caches caches);
  Caches join() &&;
};

/// A launch of a graph that is told a position.
struct Placed {
  std::size_t launch;
  std::int64_t behind; ///< how far behind that of the first token
};

/// Takes tokens of one sequence after another, all with the same caches. Of up
/// to 2048 tokens at once there is a graph for each of a few numbers of rows,
/// made when it is first asked for; the rows behind the tokens go to positions
/// that whoever comes next writes before they are read.
class Prefill {
public:
  Prefill(const Model &model, const Kernels &kernels, const Stream &stream)
      : model(model), kernels(kernels), stream(stream) {}

  /// Takes tokens that follow `from` others of the caches, and gives the state
  /// of the last one behind all layers, [width], until the next call. They have
  /// to be of the vocabulary, and the caches have to have positions for them.
  Shared<bf16> operator()(std::span<const std::int32_t> tokens,
                          std::size_t from, Caches &caches);

private:
  /// A graph of so many rows. It has the caches from `put` to `take`.
  struct Recorded {
    // Keys, values, tokens, states.
    Graph<Tensor<bf16>, Tensor<bf16>, Tensor<std::int32_t>, Shared<bf16>> graph;
    std::vector<Placed> placed;
    std::int64_t from = 0; ///< the position of the first token that they know
  };

  Shared<bf16> queued(std::span<const std::int32_t> tokens, std::int64_t from,
                      Caches &caches) const;
  Shared<bf16> replayed(std::span<const std::int32_t> tokens, std::int64_t rows,
                        std::int64_t from, Caches &caches);
  Recorded recorded(std::int64_t rows, Caches caches) const;

  const Model &model;
  const Kernels &kernels;
  Stream stream;
  std::map<std::int64_t, Recorded> graphs; ///< by rows
};

/// Logits of a state behind all layers, [1, vocabulary], or those of a rank.
Tensor<bf16> logitsOf(const Model &model, const Kernels &kernels,
                      const Shared<bf16> &state, const Stream &stream);
/// The same in a tensor that there is, of as many elements.
Tensor<bf16> logitsOf(const Model &model, const Kernels &kernels,
                      const Shared<bf16> &state, Tensor<bf16> to,
                      const Stream &stream);

/// The token with the largest logit of each row, the first of equal ones.
/// \param logits [rows, vocabulary], which it gives back.
/// \param to [rows], where the tokens go.
std::pair<Tensor<bf16>, Tensor<std::int32_t>>
bestTokens(const Kernels &kernels, Tensor<bf16> logits, Tensor<std::int32_t> to,
           const Stream &stream);

std::vector<float> toFloats(const std::vector<bf16> &numbers);

/// Programs of a product of matrices with a vector, as measured on an H200: two
/// share a multiprocessor, where their slices are short enough. Of small
/// matrices few programs have a tile more than others; large ones need all
/// multiprocessors.
inline std::int64_t programsOf(const Matrix &w) {
  std::int64_t rows = extentsOf(w)[0], columns = extentsOf(w)[1];
  std::int64_t all = rows * columns < 100'000'000 ? 256 : 264;
  return columns <= 10240 ? all : all / 2;
}

/// y = w norm(x) of one row x of the state: [rows of w].
/// \param run takes a launch and gives its arguments back.
template <typename Run>
Tensor<bf16> productOfNorm(const Config &config, const Kernels &kernels,
                           const Matrix &w, const Shared<bf16> &x,
                           const Shared<bf16> &gain, Tensor<bf16> to,
                           Run &&run) {
  const NamedValues values = {{"P", programsOf(w)}, {"eps", config.eps}};
  if (const auto *scaled = std::get_if<ScaledRows>(&w)) {
    auto [a, s, b, g, y] = run(kernels["gemv_norm_f8"].launch(
        values, scaled->elements, scaled->scale, x, gain, std::move(to)));
    return std::move(y);
  }
  if (const auto *groups = std::get_if<ScaledGroups>(&w)) {
    auto [a, s, b, g, y] = run(kernels["gemv_norm_int4"].launch(
        values, groups->elements, groups->scale, inGroups(x), inGroups(gain),
        std::move(to)));
    return std::move(y);
  }
  auto [a, b, g, y] = run(kernels["gemv_norm"].launch(
      values, std::get<Shared<bf16>>(w), x, gain, std::move(to)));
  return std::move(y);
}

/// Logits in a stretch of argmax_blocks.
constexpr std::int64_t stretchLength = 4096;
inline std::int64_t stretchesOf(std::int64_t vocabulary) {
  return (vocabulary + stretchLength - 1) / stretchLength;
}

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_PREFILL_H
