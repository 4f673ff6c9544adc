// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The weights of a model in device memory, as kernels take them: matrices that
/// are multiplied with the same vector stand behind each other.

#ifndef GIRIH_BENCH_QWEN3_MODEL_H
#define GIRIH_BENCH_QWEN3_MODEL_H

#include "bench/qwen3/Config.h"
#include "runtime/host/Tensor.h"

#include <functional>

namespace girih::qwen3 {

struct Layer {
  Shared<bf16> inputNorm, outputNorm; ///< [width]
  Shared<bf16> qkv;                   ///< [rows of q, k and v, width]
  Shared<bf16> qNorm, kNorm;          ///< [depth]
  Shared<bf16> out;                   ///< [width, heads depth]
  Shared<bf16> gateUp;                ///< [2 inner, width]
  Shared<bf16> down;                  ///< [width, inner]
};

/// Of how many bytes are loaded.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

struct Model {
  Config config;
  std::int64_t positions; ///< rows of the tables
  Shared<bf16> embedding; ///< [vocabulary, width]
  Shared<bf16> norm;      ///< [width]
  Shared<bf16> head;      ///< [vocabulary, width]
  Shared<float> cos, sin; ///< [positions, depth / 2]
  std::vector<Layer> layers;
  std::uint64_t parameters = 0;

  /// Rows of q, k and v together.
  std::int64_t qkvRows() const {
    return (config.heads + 2 * config.cacheHeads) * config.depth;
  }
  /// What scores are multiplied with.
  double scale() const;

  /// A sequence has `positions`, prompt and answer together; 0 is as many as
  /// the model has, and at most 4096.
  /// \throws RuntimeError 3 for what Config, Checkpoint and Weights refuse, and
  /// for sizes that the kernels do not take.
  static Model load(const std::filesystem::path &folder, std::int64_t positions,
                    const Device &device, const Progress &progress);
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_MODEL_H
