// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Model.h"

#include "bench/qwen3/Quantise.h"
#include "bench/qwen3/kernels/Panels.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <fmt/ranges.h>
#include <future>
#include <initializer_list>

namespace girih::qwen3 {
namespace {

/// Positions where nobody says how many.
constexpr std::int64_t usualPositions = 4096;

/// What the kernels of a token take: gemv_norm, gemv_add and attention_step; of
/// f8 and int4 what linear_f8 and linear_int4 take, too.
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
  bool isNarrow = format != Format::BF16;
  std::int64_t step = format == Format::Int4 ? groupColumns : isNarrow ? 16 : 8;
  // Columns that gemv_add takes.
  std::int64_t deepest = format == Format::Int4 ? 26624 : 32768;
  auto refuseUnless = [&](const char *what, std::int64_t size, std::int64_t of,
                          std::int64_t most) {
    if (size % of != 0 || size > most) {
      std::string limit = fmt::format("multiples of {} up to {}", of, most);
      if (isNarrow) {
        limit += fmt::format(" for weights in {}", nameOf(format));
      }
      refuse(what, size, limit.c_str());
    }
  };
  refuseUnless("hidden_size", config.width, step, 10240);
  // Of int4 it is padded with zeros.
  refuseUnless("intermediate_size", config.inner,
               format == Format::Int4 ? 16 : step, deepest);
  if (isNarrow && config.vocabulary % 8 != 0) {
    refuse("vocab_size", config.vocabulary,
           fmt::format("multiples of 8 for weights in {}", nameOf(format))
               .c_str());
  }
  // Heads have 128 columns, a group.
  refuseUnless("num_attention_heads * head_dim", config.heads * config.depth, 1,
               deepest);
}

/// Of several ranks besides.
void refuseRanks(const Config &config, std::int64_t count) {
  auto refuse = [&](const char *what, std::int64_t size, std::int64_t of) {
    if (size % of != 0) {
      throw RuntimeError(3, fmt::format("{} is {}: {} devices take multiples "
                                        "of {}",
                                        what, size, count, of));
    }
  };
  refuse("num_key_value_heads", config.cacheHeads, count);
  refuse("intermediate_size", config.inner, 8 * count);
  refuse("vocab_size", config.vocabulary, count);
}

/// Some rows and columns of a tensor; a vector is a row.
struct Slice {
  const StoredTensor *tensor = nullptr;
  std::int64_t firstRow = 0, rows = 0, firstColumn = 0, columns = 0;
  std::int64_t moreRows = 0, moreColumns = 0; ///< of zeros, behind them

  static Slice whole(const StoredTensor *tensor) {
    std::int64_t columns = tensor->extents.back();
    return {tensor, 0, columns ? elementsOf(tensor) / columns : 0, 0, columns};
  }
  /// The rows, or the columns, of a rank.
  static Slice rowsOf(const StoredTensor *tensor, const Rank &rank) {
    Slice out = whole(tensor);
    out.rows /= rank.count;
    out.firstRow = rank.number * out.rows;
    return out;
  }
  static Slice columnsOf(const StoredTensor *tensor, const Rank &rank) {
    Slice out = whole(tensor);
    out.columns /= rank.count;
    out.firstColumn = rank.number * out.columns;
    return out;
  }
  Slice paddedTo(std::int64_t allRows, std::int64_t allColumns) const {
    Slice out = *this;
    out.moreRows = allRows - rows;
    out.moreColumns = allColumns - columns;
    return out;
  }
  /// Elements of the tensor, and with zeros.
  std::size_t ofTensor() const {
    return static_cast<std::size_t>(rows * columns);
  }
  std::size_t count() const {
    return static_cast<std::size_t>((rows + moreRows) *
                                    (columns + moreColumns));
  }
  /// Copies it row by row, with its zeros. Where a tensor begins in its file
  /// nobody says: any byte.
  void copyTo(bf16 *to) const {
    std::int64_t stride = tensor->extents.back();
    if (moreRows != 0 || moreColumns != 0) {
      std::fill_n(to, count(), bf16());
    }
    bool isWhole = columns == stride && moreColumns == 0;
    std::int64_t runs = isWhole ? 1 : rows;
    std::int64_t length = isWhole ? rows * columns : columns;
    for (std::int64_t run = 0; run < runs; ++run) {
      std::int64_t first = (firstRow + run) * stride + firstColumn;
      std::memcpy(to + run * (length + moreColumns),
                  tensor->bytes.data() + std::size_t(first) * sizeof(bf16),
                  std::size_t(length) * sizeof(bf16));
    }
  }

private:
  static std::int64_t elementsOf(const StoredTensor *tensor) {
    return static_cast<std::int64_t>(tensor->bytes.size() / sizeof(bf16));
  }
};

/// Layers that are loaded at once. A thread copies from the file and to the
/// device, each about as fast as a disk reads; and has a matrix in host memory.
constexpr std::size_t mostLoaders = 8;

/// Calls `load` with each number below `count`, some at once, and `meanwhile`
/// from time to time in this thread. What is thrown first ends it.
template <typename Load, typename Meanwhile>
void loadAll(std::size_t count, Load load, Meanwhile meanwhile) {
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    try {
      for (std::size_t k = next++; k < count; k = next++) {
        load(k);
      }
    } catch (...) {
      next = count;
      throw;
    }
  };
  std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::future<void>> threads;
  for (std::size_t k = 0; k < std::min({count, cores, mostLoaders}); ++k) {
    threads.push_back(std::async(std::launch::async, work));
  }
  for (const std::future<void> &thread : threads) {
    while (thread.wait_for(std::chrono::milliseconds(100)) !=
           std::future_status::ready) {
      meanwhile();
    }
  }
  for (std::future<void> &thread : threads) {
    thread.get();
  }
}

/// Copies tensors of a checkpoint to a device, for any threads at once.
class Loader {
public:
  Loader(Format format, const Progress &progress, std::uint64_t total)
      : format(format), progress(progress), total(total) {}

  /// What is loaded from now on goes there; what all ranks have counts once.
  void begin(const Device &to, const Rank &rank) {
    device = to;
    isFirst = rank.number == 0;
  }
  /// Says how much is loaded; for one thread.
  void report() const {
    if (progress) {
      progress(done, total);
    }
  }
  /// All of a tensor, which every rank has.
  Shared<bf16> operator()(const StoredTensor *tensor) {
    return Tensor<bf16>::copyFrom(read({Slice::whole(tensor)}, true).all(),
                                  tensor->extents, *device)
        .share();
  }
  /// Slices behind each other, as one of these extents, in the format.
  Matrix matrix(std::initializer_list<Slice> parts, const Extents &extents) {
    return matrix(parts, extents, format);
  }
  Matrix matrix(std::initializer_list<Slice> parts, const Extents &extents,
                Format to) {
    Elements read = this->read(parts, false);
    if (to == Format::BF16) {
      return Tensor<bf16>::copyFrom(read.all(), extents, *device).share();
    }
    if (to == Format::Int4) {
      std::int64_t groups = extents[1] / groupColumns;
      std::vector<std::int8_t> elements(read.count / 2);
      std::vector<bf16> scale = quantiseGroups(read.all(), elements);
      return ScaledGroups{
          Tensor<std::int8_t>::copyFrom(
              elements, {extents[0], groups, groupColumns / 2}, *device)
              .share(),
          Tensor<bf16>::copyFrom(scale, {extents[0], groups}, *device).share()};
    }
    std::vector<f8e4m3> elements(read.count);
    std::vector<float> scale = quantiseRows(
        read.all(), static_cast<std::size_t>(extents[1]), elements);
    return ScaledRows{
        Tensor<f8e4m3>::copyFrom(elements, extents, *device).share(),
        Tensor<float>::copyFrom(scale, {extents[0]}, *device).share()};
  }

private:
  /// Memory that nobody has set before, as a vector's is.
  struct Elements {
    std::size_t count = 0;
    std::unique_ptr<std::byte[]> memory;

    bf16 *first() const { return reinterpret_cast<bf16 *>(memory.get()); }
    std::span<const bf16> all() const { return {first(), count}; }
  };

  /// All elements of slices behind each other.
  Elements read(std::initializer_list<Slice> parts, bool isOfAll) {
    Elements out;
    std::size_t ofTensors = 0;
    for (const Slice &part : parts) {
      out.count += part.count();
      ofTensors += part.ofTensor();
    }
    out.memory =
        std::make_unique_for_overwrite<std::byte[]>(out.count * sizeof(bf16));
    std::size_t at = 0;
    for (const Slice &part : parts) {
      part.copyTo(out.first() + at);
      at += part.count();
    }
    done += isOfAll && !isFirst ? 0 : ofTensors * sizeof(bf16);
    return out;
  }

  Format format;
  const Progress &progress;
  std::atomic<std::uint64_t> done = 0;
  std::uint64_t total;
  std::optional<Device> device;
  bool isFirst = true;
};

/// Cosines or sines of all angles, frequencies and angles rounded to f32 as
/// transformers has them.
template <typename F>
Shared<float> tableOf(const Config &config, std::int64_t rows,
                      const Device &device, F function) {
  std::int64_t half = config.depth / 2;
  std::vector<float> table(static_cast<std::size_t>(rows * half));
  for (std::int64_t k = 0; k < half; ++k) {
    double exponent = static_cast<double>(2 * k) / double(config.depth);
    auto frequency =
        1.0F / static_cast<float>(std::pow(config.theta, exponent));
    for (std::int64_t t = 0; t < rows; ++t) {
      float angle = static_cast<float>(t) * frequency;
      table[static_cast<std::size_t>(t * half + k)] =
          static_cast<float>(function(static_cast<double>(angle)));
    }
  }
  return Tensor<float>::copyFrom(table, {rows, half}, device).share();
}

} // namespace

constexpr std::string_view formats[] = {"bf16", "f8", "int4"};

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

std::array<std::int64_t, 2> extentsOf(const Matrix &matrix) {
  if (const auto *groups = std::get_if<ScaledGroups>(&matrix)) {
    std::span<const std::int64_t> of = groups->scale.extents();
    return {of[0], of[1] * groupColumns};
  }
  const auto *scaled = std::get_if<ScaledRows>(&matrix);
  std::span<const std::int64_t> of =
      scaled ? scaled->elements.extents()
             : std::get<Shared<bf16>>(matrix).extents();
  return {of[0], of[1]};
}

double Model::scale() const {
  return 1 / std::sqrt(static_cast<double>(config.depth));
}

/// What is on the disk, checked.
struct Stored {
  Config config;
  std::int64_t positions;
  Checkpoint checkpoint;
  Weights weights;
};

static Stored stored(const std::filesystem::path &folder, Format format,
                     std::int64_t positions, std::int64_t ranks) {
  Config config = Config::read(folder);
  refuseSizes(config, format);
  refuseRanks(config, ranks);
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
  return {config, positions, std::move(checkpoint), std::move(weights)};
}

static Model partOf(const Stored &from, Format format, const Device &device,
                    const Rank &rank, Loader &load) {
  const Weights &weights = from.weights;
  Config config = from.config;
  config.heads /= rank.count;
  config.cacheHeads /= rank.count;
  config.inner /= rank.count;
  if (format == Format::Int4) {
    // Rows of gate and up that give 0, and columns of down for them.
    config.inner = paddedToGroups(config.inner);
  }
  load.begin(device, rank);
  Shared<bf16> embedding = load(weights.embedding);
  auto ofHead = [&]() -> Matrix {
    std::int64_t rows = config.vocabulary / rank.count;
    if (config.isTied && format == Format::BF16) {
      return embedding.slice(0, rank.number * rows, (rank.number + 1) * rows);
    }
    // In 4 bits it would lose more than all the rest.
    return load.matrix({Slice::rowsOf(weights.head, rank)},
                       {rows, config.width},
                       format == Format::Int4 ? Format::F8 : format);
  };
  Matrix head = ofHead();
  std::int64_t rows = from.positions + promptTile - 1;
  Model out{config,
            format,
            from.positions,
            embedding,
            load(weights.norm),
            head,
            tableOf(config, rows, device,
                    [](double angle) { return std::cos(angle); }),
            tableOf(config, rows, device,
                    [](double angle) { return std::sin(angle); }),
            {}};
  load.report();
  std::vector<std::optional<Layer>> layers(weights.layers.size());
  // Sums over ranks are of rows that lie behind each other.
  bool isInPanels = format == Format::BF16 && rank.count == 1;
  std::int64_t rowsBehind = isInPanels ? rowsBehindGate(config.inner) : 0;
  auto loadLayer = [&](std::size_t k) {
    const LayerWeights &of = weights.layers[k];
    Matrix gateUp = load.matrix(
        {Slice::rowsOf(of.gate, rank).paddedTo(config.inner, config.width),
         Slice::rowsOf(of.up, rank)
             .paddedTo(config.inner + rowsBehind, config.width)},
        {2 * config.inner + rowsBehind, config.width});
    std::optional<Shared<bf16>> gateUpPadded;
    if (isInPanels) {
      gateUpPadded = std::get<Shared<bf16>>(gateUp);
      gateUp = gateUpPadded->slice(0, 0, 2 * config.inner);
    }
    layers[k] =
        Layer{load(of.inputNorm),
              load(of.outputNorm),
              load.matrix({Slice::rowsOf(of.q, rank), Slice::rowsOf(of.k, rank),
                           Slice::rowsOf(of.v, rank)},
                          {out.qkvRows(), config.width}),
              load(of.qNorm),
              load(of.kNorm),
              load.matrix({Slice::columnsOf(of.out, rank)},
                          {config.width, config.heads * config.depth}),
              std::move(gateUp),
              load.matrix({Slice::columnsOf(of.down, rank)
                               .paddedTo(config.width, config.inner)},
                          {config.width, config.inner}),
              std::move(gateUpPadded)};
  };
  loadAll(layers.size(), loadLayer, [&] { load.report(); });
  for (std::optional<Layer> &layer : layers) {
    out.layers.push_back(*std::move(layer));
  }
  load.report();
  for (const auto &[name, tensor] : from.checkpoint.tensors()) {
    out.parameters += tensor.bytes.size() / sizeof(bf16);
  }
  return out;
}

/// What is loaded, by one device: an embedding that is the head, too, as both
/// where the head is of another format.
static std::uint64_t bytesOf(const Stored &from, Format format) {
  bool isTwice = from.config.isTied && format != Format::BF16;
  return from.checkpoint.byteCount() +
         (isTwice ? from.weights.head->bytes.size() : 0);
}

Model Model::load(const std::filesystem::path &folder, Format format,
                  std::int64_t positions, const Device &device,
                  const Progress &progress) {
  Stored from = stored(folder, format, positions, 1);
  Loader load(format, progress, bytesOf(from, format));
  return partOf(from, format, device, {}, load);
}

std::vector<Model> Model::loadRanks(const std::filesystem::path &folder,
                                    std::int64_t positions,
                                    std::span<const Device> devices,
                                    const Progress &progress) {
  auto count = static_cast<std::int64_t>(devices.size());
  Stored from = stored(folder, Format::BF16, positions, count);
  Loader load(Format::BF16, progress, bytesOf(from, Format::BF16));
  std::vector<Model> out;
  for (std::int64_t k = 0; k < count; ++k) {
    out.push_back(
        partOf(from, Format::BF16, devices[std::size_t(k)], {k, count}, load));
  }
  return out;
}

} // namespace girih::qwen3
