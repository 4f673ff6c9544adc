// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Model.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <initializer_list>

namespace girih::qwen3 {
namespace {

/// Positions where nobody says how many.
constexpr std::int64_t usualPositions = 4096;

/// What the kernels of a token take: gemv_norm, gemv_add and attention_step.
void refuseSizes(const Config &config) {
  auto refuse = [](const char *what, std::int64_t size, const char *limit) {
    throw RuntimeError(
        3, fmt::format("{} is {}: the kernels take {}", what, size, limit));
  };
  std::int64_t group = config.heads / config.cacheHeads;
  if (config.depth != 128) {
    refuse("head_dim", config.depth, "128");
  }
  if (group > 8) {
    refuse("heads of queries for one of keys", group, "up to 8");
  }
  if (config.width % 8 != 0 || config.width > 10240) {
    refuse("hidden_size", config.width, "multiples of 8 up to 10240");
  }
  if (config.inner % 8 != 0 || config.inner > 32768) {
    refuse("intermediate_size", config.inner, "multiples of 8 up to 32768");
  }
  if (config.heads * config.depth > 32768) {
    refuse("num_attention_heads * head_dim", config.heads * config.depth,
           "up to 32768");
  }
}

/// Copies tensors of a checkpoint to a device.
class Loader {
public:
  Loader(const Device &device, const Progress &progress, std::uint64_t total)
      : device(device), progress(progress), total(total) {}

  /// Tensors behind each other, as one of these extents.
  Shared<bf16> operator()(std::initializer_list<const StoredTensor *> parts,
                          const Extents &extents) {
    std::vector<bf16> all;
    std::size_t bytes = 0;
    for (const StoredTensor *part : parts) {
      bytes += part->bytes.size();
    }
    // Where a tensor begins in its file nobody says: any byte.
    all.resize(bytes / sizeof(bf16));
    std::size_t at = 0;
    for (const StoredTensor *part : parts) {
      std::memcpy(all.data() + at, part->bytes.data(), part->bytes.size());
      at += part->bytes.size() / sizeof(bf16);
    }
    auto out = Tensor<bf16>::copyFrom(all, extents, device).share();
    done += bytes;
    if (progress) {
      progress(done, total);
    }
    return out;
  }
  Shared<bf16> operator()(const StoredTensor *tensor) {
    return (*this)({tensor}, tensor->extents);
  }

private:
  const Device &device;
  const Progress &progress;
  std::uint64_t done = 0, total;
};

/// Cosines or sines of all angles, frequencies and angles rounded to f32 as
/// transformers has them.
template <typename F>
Shared<float> tableOf(const Config &config, std::int64_t positions,
                      const Device &device, F function) {
  std::int64_t half = config.depth / 2;
  std::vector<float> table(static_cast<std::size_t>(positions * half));
  for (std::int64_t k = 0; k < half; ++k) {
    double exponent = static_cast<double>(2 * k) / double(config.depth);
    auto frequency =
        1.0F / static_cast<float>(std::pow(config.theta, exponent));
    for (std::int64_t t = 0; t < positions; ++t) {
      float angle = static_cast<float>(t) * frequency;
      table[static_cast<std::size_t>(t * half + k)] =
          static_cast<float>(function(static_cast<double>(angle)));
    }
  }
  return Tensor<float>::copyFrom(table, {positions, half}, device).share();
}

} // namespace

double Model::scale() const {
  return 1 / std::sqrt(static_cast<double>(config.depth));
}

Model Model::load(const std::filesystem::path &folder, std::int64_t positions,
                  const Device &device, const Progress &progress) {
  Config config = Config::read(folder);
  refuseSizes(config);
  if (positions == 0) {
    positions = std::min(config.positions, usualPositions);
  }
  if (positions < 1 || positions > config.positions) {
    throw RuntimeError(3,
                       fmt::format("{} positions: the model has from 1 to {}",
                                   positions, config.positions));
  }
  Checkpoint checkpoint = Checkpoint::open(folder);
  Weights weights = Weights::of(config, checkpoint);
  Loader load(device, progress, checkpoint.byteCount());
  Shared<bf16> embedding = load(weights.embedding);
  Shared<bf16> head = config.isTied ? embedding : load(weights.head);
  Model out{config,
            positions,
            embedding,
            load(weights.norm),
            head,
            tableOf(config, positions, device,
                    [](double angle) { return std::cos(angle); }),
            tableOf(config, positions, device,
                    [](double angle) { return std::sin(angle); }),
            {}};
  for (const LayerWeights &of : weights.layers) {
    out.layers.push_back(
        {load(of.inputNorm), load(of.outputNorm),
         load({of.q, of.k, of.v}, {out.qkvRows(), config.width}),
         load(of.qNorm), load(of.kNorm), load(of.out),
         load({of.gate, of.up}, {2 * config.inner, config.width}),
         load(of.down)});
  }
  for (const auto &[name, tensor] : checkpoint.tensors()) {
    out.parameters += tensor.bytes.size() / sizeof(bf16);
  }
  return out;
}

} // namespace girih::qwen3
