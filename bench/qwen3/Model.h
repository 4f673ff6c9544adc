// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// The weights of a model in device memory, as kernels take them: matrices that
/// are multiplied with the same vector stand behind each other.

#ifndef GIRIH_BENCH_QWEN3_MODEL_H
#define GIRIH_BENCH_QWEN3_MODEL_H

#include "bench/qwen3/Config.h"
#include "bench/qwen3/Quantise.h"
#include "runtime/host/Tensor.h"

#include <array>
#include <functional>
#include <variant>

namespace girih::qwen3 {

/// What matrices are of in device memory; embedding and norms are in bf16.
enum class Format : unsigned char {
  BF16, ///< as in the checkpoint
  F8,   ///< see Quantise.h
  Int4  ///< the same; the head in f8
};

/// `bf16`, `f8`, `int4`.
std::string_view nameOf(Format format);
/// By its name.
/// \throws RuntimeError 3
Format formatOf(std::string_view name);

/// Rows of f8E4M3FN, each times its scale.
struct ScaledRows {
  Shared<f8e4m3> elements; ///< [rows, columns]
  Shared<float> scale;     ///< [rows]
};

/// Rows of numbers of 4 bits, each group of columns times its scale.
struct ScaledGroups {
  Shared<std::int8_t> elements; ///< [rows, groups, 64]
  Shared<bf16> scale;           ///< [rows, groups]
};

/// [rows, columns], as products take it.
using Matrix = std::variant<Shared<bf16>, ScaledRows, ScaledGroups>;

/// Rows and columns.
std::array<std::int64_t, 2> extentsOf(const Matrix &matrix);

/// A vector as products with groups take it: [groups, 2, 64].
inline Shared<bf16> inGroups(const Shared<bf16> &x) {
  return x.reshape({x.count() / groupColumns, 2, groupColumns / 2});
}

struct Layer {
  Shared<bf16> inputNorm, outputNorm; ///< [width]
  Matrix qkv;                         ///< [rows of q, k and v, width]
  Shared<bf16> qNorm, kNorm;          ///< [depth]
  Matrix out;                         ///< [width, heads depth]
  Matrix gateUp;                      ///< [2 inner, width]
  Matrix down;                        ///< [width, inner]
  /// Of one device, in bf16: gateUp, and rows of 0 behind it for panels that
  /// reach beyond.
  std::optional<Shared<bf16>> gateUpPadded;
};

/// Tokens of a prompt beyond as many are rounded up to a multiple of it.
constexpr std::int64_t promptTile = 128;

/// One of several devices that have a part of a model each.
struct Rank {
  std::int64_t number = 0, count = 1;
};

/// Of how many bytes are loaded.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// A model, or the part of it that a rank has: its heads, those of the caches
/// among them, its rows of gate and up, and its rows of the head.
struct Model {
  Config config; ///< of a rank, with as many heads and inner as it has
  Format format;
  std::int64_t positions; ///< of a sequence
  Shared<bf16> embedding; ///< [vocabulary, width]
  Shared<bf16> norm;      ///< [width]
  Matrix head;            ///< [vocabulary / ranks, width]
  Shared<float> cos, sin; ///< [cacheRows, depth / 2]
  std::vector<Layer> layers;
  std::uint64_t parameters = 0;

  /// Rows of the tables, and of the caches of one sequence: behind any position
  /// there is room for the tokens of a prompt, rounded up to tiles of products.
  std::int64_t cacheRows() const { return cos.extents()[0]; }
  /// Rows of q, k and v together.
  std::int64_t qkvRows() const {
    return (config.heads + 2 * config.cacheHeads) * config.depth;
  }
  /// Logits that it gives.
  std::int64_t headRows() const { return extentsOf(head)[0]; }
  /// What scores are multiplied with.
  double scale() const;

  /// A sequence has `positions`, prompt and answer together; 0 is as many as
  /// the model has, and at most 4096.
  /// \throws RuntimeError 3 for what Config, Checkpoint and Weights refuse, and
  /// for sizes that the kernels do not take.
  static Model load(const std::filesystem::path &folder, Format format,
                    std::int64_t positions, const Device &device,
                    const Progress &progress);
  /// A part for each device, in order, in bf16.
  /// \throws RuntimeError 3 for the same, and for sizes that so many do not
  /// divide.
  static std::vector<Model> loadRanks(const std::filesystem::path &folder,
                                      std::int64_t positions,
                                      std::span<const Device> devices,
                                      const Progress &progress);
};

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_MODEL_H
