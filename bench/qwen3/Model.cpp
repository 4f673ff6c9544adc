// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Model.h"

#include "bench/qwen3/Quantise.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/ranges.h>
#include <initializer_list>

namespace girih::qwen3 {
namespace {

/// Positions where nobody says how many.
constexpr std::int64_t usualPositions = 4096;

/// What the kernels of a token take: gemv_norm, gemv_add and attention_step; of
/// f8 what linear_f8 takes, too.
void refuseSizes(const Config &config, Format format) {
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
  bool isF8 = format == Format::F8;
  std::int64_t step = isF8 ? 16 : 8;
  if (config.width % step != 0 || config.width > 10240) {
    refuse("hidden_size", config.width,
           isF8 ? "multiples of 16 up to 10240 for weights in f8"
                : "multiples of 8 up to 10240");
  }
  if (config.inner % step != 0 || config.inner > 32768) {
    refuse("intermediate_size", config.inner,
           isF8 ? "multiples of 16 up to 32768 for weights in f8"
                : "multiples of 8 up to 32768");
  }
  if (isF8 && config.vocabulary % 8 != 0) {
    refuse("vocab_size", config.vocabulary, "multiples of 8 for weights in f8");
  }
  if (config.heads * config.depth > 32768) {
    refuse("num_attention_heads * head_dim", config.heads * config.depth,
           "up to 32768");
  }
}

/// Copies tensors of a checkpoint to a device.
class Loader {
public:
  Loader(Format format, const Device &device, const Progress &progress,
         std::uint64_t total)
      : format(format), device(device), progress(progress), total(total) {}

  /// One tensor.
  Shared<bf16> operator()(const StoredTensor *tensor) {
    return Tensor<bf16>::copyFrom(read({tensor}), tensor->extents, device)
        .share();
  }
  /// Rows of tensors behind each other, in the format.
  Matrix matrix(std::initializer_list<const StoredTensor *> parts,
                const Extents &extents) {
    std::vector<bf16> all = read(parts);
    if (format == Format::BF16) {
      return Tensor<bf16>::copyFrom(all, extents, device).share();
    }
    std::vector<f8e4m3> elements(all.size());
    std::vector<float> scale =
        quantiseRows(all, static_cast<std::size_t>(extents[1]), elements);
    return ScaledRows{
        Tensor<f8e4m3>::copyFrom(elements, extents, device).share(),
        Tensor<float>::copyFrom(scale, {extents[0]}, device).share()};
  }
  Matrix matrix(const StoredTensor *tensor) {
    return matrix({tensor}, tensor->extents);
  }

private:
  /// All elements of tensors behind each other.
  std::vector<bf16> read(std::initializer_list<const StoredTensor *> parts) {
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
    done += bytes;
    if (progress) {
      progress(done, total);
    }
    return all;
  }

  Format format;
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

constexpr std::string_view formats[] = {"bf16", "f8"};

std::string_view nameOf(Format format) {
  return formats[static_cast<std::size_t>(format)];
}

Format formatOf(std::string_view name) {
  const auto *found = std::ranges::find(formats, name);
  if (found == std::end(formats)) {
    throw RuntimeError(3, fmt::format("'{}' is no format of weights: {}", name,
                                      fmt::join(formats, ", ")));
  }
  return static_cast<Format>(found - formats);
}

std::span<const std::int64_t> extentsOf(const Matrix &matrix) {
  const auto *scaled = std::get_if<ScaledRows>(&matrix);
  return scaled ? scaled->elements.extents()
                : std::get<Shared<bf16>>(matrix).extents();
}

double Model::scale() const {
  return 1 / std::sqrt(static_cast<double>(config.depth));
}

Model Model::load(const std::filesystem::path &folder, Format format,
                  std::int64_t positions, const Device &device,
                  const Progress &progress) {
  Config config = Config::read(folder);
  refuseSizes(config, format);
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
  Loader load(format, device, progress, checkpoint.byteCount());
  Shared<bf16> embedding = load(weights.embedding);
  Matrix head = config.isTied && format == Format::BF16
                    ? Matrix(embedding)
                    : load.matrix(weights.head);
  Model out{config,
            format,
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
         load.matrix({of.q, of.k, of.v}, {out.qkvRows(), config.width}),
         load(of.qNorm), load(of.kNorm), load.matrix(of.out),
         load.matrix({of.gate, of.up}, {2 * config.inner, config.width}),
         load.matrix(of.down)});
  }
  for (const auto &[name, tensor] : checkpoint.tensors()) {
    out.parameters += tensor.bytes.size() / sizeof(bf16);
  }
  return out;
}

} // namespace girih::qwen3
