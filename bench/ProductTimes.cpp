// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/ProductTimes.h"

#include <cstdio>
#include <type_traits>

namespace girih::bench {
namespace {

/// A matrix of Qwen3-4B, or else 32B.
struct OfModel {
  int64_t rows, columns;
  bool isOf4B = false;
};
constexpr OfModel alone[] = {{2560, 4096, true},  {6144, 2560, true},
                             {2560, 9728, true},  {19456, 2560, true},
                             {5120, 25600},       {51200, 5120},
                             {151936, 2560, true}};
/// Gate and up of Qwen3-4B are one matrix of `gated` rows.
constexpr int64_t gated = 19456, fewRows = 8, fewSplits = 4;
/// Columns of a row that a block of skinny takes, and of its tiles.
constexpr int64_t fewColumns = 2560, ofGatedTile = 8, ofTile = 16;

/// A matrix in f8 with the scale of its rows.
struct ScaledRows {
  Shared<f8e4m3> elements;
  Shared<float> scale;
};
constexpr float scaleOfF8 = 0x1p-12F;

/// The numbers of `drawn`, over that scale.
std::vector<f8e4m3> drawnInF8(int64_t rows, int64_t columns, unsigned seed) {
  std::vector<f8e4m3> all;
  for (bf16 number : drawn(rows, columns, seed)) {
    all.push_back(all.size() < drawnCount
                      ? rounded<f8e4m3>(toNumber(number) / double(scaleOfF8))
                      : all[all.size() - drawnCount]);
  }
  return all;
}

/// A matrix in int4 with a scale for each row and group of 128 columns.
struct ScaledGroups {
  Shared<int8_t> elements;
  Shared<bf16> scale;
};
constexpr int64_t groupColumns = 128;

/// Two numbers of 4 bits a byte.
std::vector<int8_t> drawnBytes(int64_t rows, int64_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int8_t> all(static_cast<size_t>(rows * columns / 2));
  for (size_t k = 0; k < all.size(); ++k) {
    all[k] = k < drawnCount ? static_cast<int8_t>(random() & 0xFF)
                            : all[k - drawnCount];
  }
  return all;
}

/// How many matrices of so many bytes pass the cache many times over.
int64_t countOf(int64_t bytes) { return 3'000'000'000 / bytes + 1; }

/// One product again and again, of matrices of its own as many as pass the
/// cache many times over; each has the one before as its residual, so that they
/// run one after another.
void runAlone(const ProductOptions &options, int64_t rows, int64_t columns,
              const Limit &limit, const Stream &stream) {
  bool isF8 = options.weights == "f8", isInt4 = options.weights == "int4";
  Kernel add = Kernel::load(
      options.folder +
      (isF8 || isInt4 ? "/gemv_add_" + options.weights : "/gemv_add"));
  int64_t blocks = blocksOf(columns, options.blocks);
  int64_t groups = columns / groupColumns;
  int64_t bytes = isInt4 ? rows * (columns / 2 + 2 * groups)
                         : rows * columns * (isF8 ? 1 : 2);
  int64_t count = countOf(bytes);
  std::vector<Shared<bf16>> matrices;
  std::vector<ScaledRows> scaled;
  std::vector<ScaledGroups> ofGroups;
  if (isInt4) {
    std::vector<int8_t> numbers = drawnBytes(rows, columns, 1);
    // Of a uniform distribution from -8 to 7, so that products keep their size.
    bf16 one = rounded<bf16>(1 / (4.6 * std::sqrt(double(columns))));
    std::vector<bf16> scale(static_cast<size_t>(rows * groups), one);
    for (int64_t k = 0; k < count; ++k) {
      ofGroups.push_back(
          {Tensor<int8_t>::copyFrom(numbers, {rows, groups, groupColumns / 2})
               .share(),
           onDevice(scale, {rows, groups})});
    }
  } else if (isF8) {
    std::vector<f8e4m3> numbers = drawnInF8(rows, columns, 1);
    auto scale =
        Tensor<float>::copyFrom(
            std::vector<float>(static_cast<size_t>(rows), scaleOfF8), {rows})
            .share();
    for (int64_t k = 0; k < count; ++k) {
      scaled.push_back(
          {Tensor<f8e4m3>::copyFrom(numbers, {rows, columns}).share(), scale});
    }
  } else {
    std::vector<bf16> numbers = drawn(rows, columns, 1);
    for (int64_t k = 0; k < count; ++k) {
      matrices.push_back(onDevice(numbers, {rows, columns}));
    }
  }
  Shared<bf16> x = onDevice(drawn(1, columns, 2), {columns});
  Shared<bf16> residual = onDevice(drawn(1, rows, 3), {rows});
  auto recorded = [&](bool early) {
    return girih::record(
        [&](Recording &run) {
          Shared<bf16> now = residual;
          for (const Shared<bf16> &w : matrices) {
            auto [a, b, c, y] = run(add.launch({{"P", blocks}}, w, x, now,
                                               Tensor<bf16>::empty({rows})));
            now = std::move(y).share();
          }
          for (const ScaledRows &w : scaled) {
            auto [a, s, b, c, y] =
                run(add.launch({{"P", blocks}}, w.elements, w.scale, x, now,
                               Tensor<bf16>::empty({rows})));
            now = std::move(y).share();
          }
          for (const ScaledGroups &w : ofGroups) {
            auto [a, s, b, c, y] =
                run(add.launch({{"P", blocks}}, w.elements, w.scale,
                               x.reshape({groups, 2, groupColumns / 2}), now,
                               Tensor<bf16>::empty({rows})));
            now = std::move(y).share();
          }
          return now;
        },
        {.early = early});
  };
  auto full = recorded(false), early = recorded(true);
  Times times = timesOf(full, early, limit, stream, [] {});
  auto each = [&](double us) { return us / static_cast<double>(count); };
  std::printf("{\"rows\": %lld, \"columns\": %lld, \"bytes\": %lld, "
              "\"blocks\": %lld, \"full_us\": %.2f, \"early_us\": %.2f, "
              "\"limit\": %.4g}\n",
              static_cast<long long>(rows), static_cast<long long>(columns),
              static_cast<long long>(bytes), static_cast<long long>(blocks),
              each(times.full), each(times.early), times.limit);
}

/// A product to which nothing is added, again and again, of matrices of its
/// own; each is written where the one before was.
/// \param launch of a matrix, gives back what is written.
template <typename W, typename Y, typename Launch>
void runInto(const std::string &kernel, const std::vector<W> &numbers,
             const Extents &extents, const Extents &result, int64_t blocks,
             int64_t splits, const Limit &limit, const Stream &stream,
             Launch launch) {
  auto bytes = static_cast<int64_t>(numbers.size() * sizeof(W));
  std::vector<Shared<W>> matrices;
  for (int64_t k = 0; k < countOf(bytes); ++k) {
    matrices.push_back(Tensor<W>::copyFrom(numbers, extents).share());
  }
  auto recorded = [&](bool early) {
    return girih::record(
        [&](Recording &run) {
          auto y = Tensor<Y>::empty(result);
          for (const Shared<W> &w : matrices) {
            y = launch(run, w, std::move(y));
          }
          return y;
        },
        {.early = early});
  };
  auto full = recorded(false), early = recorded(true);
  Times times = timesOf(full, early, limit, stream, [] {});
  double us = times.early / static_cast<double>(matrices.size());
  std::printf("{\"kernel\": \"%s\", \"rows\": %lld, \"columns\": %lld, "
              "\"bytes\": %lld, \"blocks\": %lld, \"splits\": %lld, "
              "\"us\": %.2f, \"share\": %.3f, \"limit\": %.4g}\n",
              kernel.c_str(),
              static_cast<long long>(extents[0] *
                                     (extents.size() == 3 ? extents[1] : 1)),
              static_cast<long long>(extents[extents.size() - 1]),
              static_cast<long long>(bytes), static_cast<long long>(blocks),
              static_cast<long long>(splits), us,
              static_cast<double>(bytes) * 1e6 / us / times.limit, times.limit);
}

std::vector<f16> drawnInF16(int64_t rows, int64_t columns, unsigned seed) {
  std::vector<f16> all;
  for (bf16 number : drawn(rows, columns, seed)) {
    all.push_back(rounded<f16>(toNumber(number)));
  }
  return all;
}

void runF16(const ProductOptions &options, int64_t rows, int64_t columns,
            const Limit &limit, const Stream &stream) {
  std::string name = options.few ? "skinny_f16" : "gemv_f16";
  Kernel kernel = Kernel::load(options.folder + "/" + name);
  std::vector<f16> w = drawnInF16(rows, columns, 1);
  if (!options.few) {
    int64_t blocks = blocksOf(columns, options.blocks);
    auto x =
        Tensor<f16>::copyFrom(drawnInF16(1, columns, 2), {columns}).share();
    runInto<f16, f16>(name, w, {rows, columns}, {rows}, blocks, 1, limit,
                      stream, [&](Recording &run, const auto &w, auto y) {
                        auto [a, b, c] = run(
                            kernel.launch({{"P", blocks}}, w, x, std::move(y)));
                        return std::move(c);
                      });
    return;
  }
  auto x =
      Tensor<f16>::copyFrom(drawnInF16(fewRows, columns, 2), {fewRows, columns})
          .share();
  runInto<f16, f16>(
      name, w, {rows, columns}, {fewRows, rows}, options.blocks, 1, limit,
      stream, [&](Recording &run, const auto &w, auto y) {
        auto [a, b, c] =
            run(kernel.launch({{"P", options.blocks}}, x, w, std::move(y)));
        return std::move(c);
      });
}

/// Of 8 rows, in bf16 or f8.
template <typename W>
void runFew(const ProductOptions &options, int64_t rows, int64_t columns,
            const std::vector<W> &numbers, const Limit &limit,
            const Stream &stream) {
  constexpr bool isF8 = std::is_same_v<W, f8e4m3>;
  bool isGated = rows == gated, isSplit = columns > fewColumns;
  std::string name = isGated   ? "skinny_silu_mul"
                     : isSplit ? "skinny_split_k"
                               : "skinny";
  Kernel kernel =
      Kernel::load(options.folder + "/" + (name += isF8 ? "_f8" : ""));
  int64_t splits = isSplit ? fewSplits : 1;
  int64_t outputs = isGated ? rows / 2 : rows;
  int64_t tile = isGated ? ofGatedTile : ofTile;
  int64_t blocks =
      std::min(options.blocks / splits, (outputs + tile - 1) / tile);
  Extents extents = {rows, columns}, ofScale = {rows};
  if (isGated) {
    extents = {2, outputs, columns};
    ofScale = {2, outputs};
  }
  Shared<bf16> x = onDevice(drawn(fewRows, columns, 2), {fewRows, columns});
  auto scale =
      Tensor<float>::copyFrom(
          std::vector<float>(static_cast<size_t>(rows), scaleOfF8), ofScale)
          .share();
  auto launch = [&](Recording &run, const Shared<W> &w, auto y) {
    const NamedValues values = {{"P", blocks}};
    if constexpr (isF8) {
      auto [a, b, s, c] = run(kernel.launch(values, x, w, scale, std::move(y)));
      return std::move(c);
    } else {
      auto [a, b, c] = run(kernel.launch(values, x, w, std::move(y)));
      return std::move(c);
    }
  };
  if (isSplit) {
    runInto<W, float>(name, numbers, extents, {splits, fewRows, outputs},
                      blocks * splits, splits, limit, stream, launch);
  } else {
    runInto<W, bf16>(name, numbers, extents, {fewRows, outputs}, blocks, 1,
                     limit, stream, launch);
  }
}

} // namespace

void runProducts(const ProductOptions &options, const Limit &limit,
                 const Stream &stream) {
  for (auto [rows, columns, isOf4B] : alone) {
    // Of splits there is none in f16.
    bool isNone = options.weights == "f16" && columns > fewColumns;
    if (options.few && (!isOf4B || isNone)) {
      continue;
    }
    if (options.weights == "f16") {
      runF16(options, rows, columns, limit, stream);
    } else if (!options.few) {
      runAlone(options, rows, columns, limit, stream);
    } else if (options.weights == "f8") {
      runFew(options, rows, columns, drawnInF8(rows, columns, 1), limit,
             stream);
    } else {
      runFew(options, rows, columns, drawn(rows, columns, 1), limit, stream);
    }
  }
}

} // namespace girih::bench
