// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Many tokens of one sequence at once: a prompt, or a part of one.

#ifndef GIRIH_BENCH_QWEN3_PREFILL_H
#define GIRIH_BENCH_QWEN3_PREFILL_H

#include "bench/qwen3/Kernels.h"
#include "bench/qwen3/Model.h"

#include <optional>

namespace girih::qwen3 {

/// Keys and values of one sequence, of all layers behind each other:
/// [layers cacheHeads, positions, depth].
struct Caches {
  Tensor<bf16> keys, values;

  static Caches of(const Model &model, const Stream &stream);
};

/// Takes tokens that follow `from` others of the caches, a chunk at a time, and
/// gives the state of the last one behind all layers, [width]. They have to be
/// of the vocabulary, and the caches have to have positions for them.
Shared<bf16> prefill(const Model &model, const Kernels &kernels,
                     std::span<const std::int32_t> tokens, std::size_t from,
                     Caches &caches, const Stream &stream);

/// Logits of a state behind all layers, [1, vocabulary].
Tensor<bf16> logitsOf(const Model &model, const Kernels &kernels,
                      const Shared<bf16> &state, const Stream &stream);

/// The token with the largest logit of each row, the first of equal ones.
/// \param logits [rows, vocabulary], which it gives back.
std::pair<Tensor<bf16>, Tensor<std::int32_t>>
bestTokens(const Kernels &kernels, Tensor<bf16> logits, const Stream &stream);

std::vector<float> toFloats(const std::vector<bf16> &numbers);

/// Programs of a product of a matrix with a vector of so many elements, as
/// measured on an H200: two share a multiprocessor, where their slices are
/// short enough.
constexpr std::int64_t programsOf(std::int64_t columns) {
  return columns <= 10240 ? 256 : 128;
}

/// Logits in a stretch of argmax_blocks.
constexpr std::int64_t stretchLength = 4096;
inline std::int64_t stretchesOf(std::int64_t vocabulary) {
  return (vocabulary + stretchLength - 1) / stretchLength;
}

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_PREFILL_H
