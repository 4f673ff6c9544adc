// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A dense Qwen3 by its `config.json`, and its weights by their names.
/// Source: the models Qwen3-0.6B to 32B and transformers 4.57, modeling_qwen3.

#ifndef GIRIH_BENCH_QWEN3_CONFIG_H
#define GIRIH_BENCH_QWEN3_CONFIG_H

#include "bench/qwen3/Checkpoint.h"

#include <string_view>

namespace girih::qwen3 {

struct Config {
  std::int64_t width = 0; ///< of the state between layers
  std::int64_t inner = 0; ///< of the MLP
  std::int64_t layers = 0;
  std::int64_t heads = 0;      ///< of queries
  std::int64_t cacheHeads = 0; ///< of keys and values
  std::int64_t depth = 0;      ///< of a head
  std::int64_t vocabulary = 0;
  std::int64_t positions = 0; ///< at most
  double eps = 0;             ///< of norms
  double theta = 0;           ///< base of the angles' frequencies
  bool isTied = false;        ///< whether logits are by the embedding

  /// \throws RuntimeError 3 for what is malformed, of another architecture, or
  /// of this one in a way that is not built: with the key, and the file.
  static Config read(const std::filesystem::path &folder);
};

/// Rows are outputs, columns inputs.
struct LayerWeights {
  const StoredTensor *inputNorm = nullptr, *outputNorm = nullptr; ///< [width]
  const StoredTensor *q = nullptr;               ///< [heads depth, width]
  const StoredTensor *k = nullptr, *v = nullptr; ///< [cacheHeads depth, width]
  const StoredTensor *qNorm = nullptr, *kNorm = nullptr; ///< [depth]
  const StoredTensor *out = nullptr;                 ///< [width, heads depth]
  const StoredTensor *gate = nullptr, *up = nullptr; ///< [inner, width]
  const StoredTensor *down = nullptr;                ///< [width, inner]
};

/// All of bf16; they point into the checkpoint.
struct Weights {
  const StoredTensor *embedding = nullptr; ///< [vocabulary, width]
  const StoredTensor *norm = nullptr;      ///< [width]
  const StoredTensor *head = nullptr;      ///< [vocabulary, width]
  std::vector<LayerWeights> layers;

  /// \throws RuntimeError 3 that names the tensors that are missing, of another
  /// shape or element, and those that no Qwen3 has.
  static Weights of(const Config &config, const Checkpoint &checkpoint);
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_CONFIG_H
