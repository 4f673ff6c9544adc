// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/ProductTimes.h"

#include <cstdio>
#include <tuple>
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
/// Columns of a row that a block of skinny takes, and rows of its tiles.
constexpr int64_t fewColumns = 2560, ofGatedTile = 8, ofTile = 16;

//===-- Matrices ----------------------------------------------------------===//
//
// Each kind has its numbers on the host, once, and `made` of them on the
// device; what kernels take of a matrix, and how they take the columns of x.

/// So many numbers that repeat, as those of `drawn` do; `make` gives the first
/// ones in turn.
template <typename T, typename Make>
std::vector<T> repeated(int64_t count, Make make) {
  std::vector<T> all(static_cast<size_t>(count));
  for (size_t k = 0; k < all.size(); ++k) {
    all[k] = k < drawnCount ? make(k) : all[k - drawnCount];
  }
  return all;
}

/// The numbers of `drawn` in another type.
template <typename T, typename Of>
std::vector<T> drawnAs(int64_t rows, int64_t columns, unsigned seed, Of of) {
  std::vector<bf16> numbers = drawn(rows, columns, seed);
  return repeated<T>(rows * columns, [&](size_t k) { return of(numbers[k]); });
}

/// In bf16 or f16.
template <typename T> struct Plain {
  using Number = T; ///< of x and y
  static constexpr const char *suffix = std::is_same_v<T, f16> ? "_f16" : "";

  static std::vector<T> numbers(int64_t rows, int64_t columns, unsigned seed) {
    if constexpr (std::is_same_v<T, bf16>) {
      return drawn(rows, columns, seed);
    } else {
      return drawnAs<T>(rows, columns, seed, [](bf16 number) {
        return rounded<T>(toNumber(number));
      });
    }
  }
  Plain(int64_t rows, int64_t columns)
      : host(numbers(rows, columns, 1)), bytes(rows * columns * 2) {}
  std::tuple<Shared<T>> made(const Extents &extents) const {
    return {Tensor<T>::copyFrom(host, extents).share()};
  }
  static Shared<T> ofX(Shared<T> x) { return x; }

  std::vector<T> host;
  int64_t bytes;
};

/// In f8, with a scale of each row.
struct ScaledRows {
  using Number = bf16;
  static constexpr const char *suffix = "_f8";
  static constexpr float one = 0x1p-12F;

  ScaledRows(int64_t rows, int64_t columns)
      : host(drawnAs<f8e4m3>(rows, columns, 1,
                             [](bf16 number) {
                               return rounded<f8e4m3>(toNumber(number) /
                                                      double(one));
                             })),
        bytes(rows * columns), scales(static_cast<size_t>(rows), one) {}
  std::tuple<Shared<f8e4m3>, Shared<float>> made(const Extents &extents) const {
    return {
        Tensor<f8e4m3>::copyFrom(host, extents).share(),
        Tensor<float>::copyFrom(scales, {extents.begin(), extents.end() - 1})
            .share()};
  }
  static Shared<bf16> ofX(Shared<bf16> x) { return x; }

  std::vector<f8e4m3> host;
  int64_t bytes;
  std::vector<float> scales;
};

/// Of 4 bits, two numbers a byte, with a scale of each row and group of
/// columns.
struct ScaledGroups {
  using Number = bf16;
  static constexpr const char *suffix = "_int4";
  static constexpr int64_t groupColumns = 128;

  ScaledGroups(int64_t rows, int64_t columns)
      : host(repeated<int8_t>(rows * columns / 2,
                              [random = std::mt19937(1)](size_t) mutable {
                                return static_cast<int8_t>(random() & 0xFF);
                              })),
        bytes(rows * (columns / 2 + 2 * columns / groupColumns)),
        // Of a uniform distribution from -8 to 7, so that products keep their
        // size.
        scales(static_cast<size_t>(rows * columns / groupColumns),
               rounded<bf16>(1 / (4.6 * std::sqrt(double(columns))))) {}
  std::tuple<Shared<int8_t>, Shared<bf16>> made(const Extents &extents) const {
    Extents groups = inGroups(extents), elements = groups;
    elements.push_back(groupColumns / 2);
    return {Tensor<int8_t>::copyFrom(host, elements).share(),
            onDevice(scales, groups)};
  }
  static Shared<bf16> ofX(const Shared<bf16> &x) {
    Extents groups = inGroups({x.extents().begin(), x.extents().end()});
    groups.insert(groups.end(), {2, groupColumns / 2});
    return x.reshape(groups);
  }
  static Extents inGroups(Extents extents) {
    extents.back() /= groupColumns;
    return extents;
  }

  std::vector<int8_t> host;
  int64_t bytes;
  std::vector<bf16> scales;
};

//===-- Launches ----------------------------------------------------------===//

/// A launch for each of as many matrices as pass the cache many times over, one
/// after another; microseconds of one.
/// \param launch of a matrix and of what the launch before gives, or `first`.
template <typename W, typename First, typename Launch>
Times timesOfEach(const W &weights, const Extents &extents, First first,
                  const Limit &limit, const Stream &stream, Launch launch) {
  std::vector<decltype(weights.made(extents))> matrices;
  for (int64_t k = 0; k < 3'000'000'000 / weights.bytes + 1; ++k) {
    matrices.push_back(weights.made(extents));
  }
  auto recorded = [&](bool early) {
    return girih::record(
        [&](Recording &run) {
          auto now = first();
          for (const auto &matrix : matrices) {
            now = launch(run, matrix, std::move(now));
          }
          return now;
        },
        {.early = early});
  };
  auto full = recorded(false), early = recorded(true);
  Times times = timesOf(full, early, limit, stream, [] {});
  times.full /= static_cast<double>(matrices.size());
  times.early /= static_cast<double>(matrices.size());
  return times;
}

/// Each has the one before as its residual.
template <typename W>
void runAdded(const ProductOptions &options, int64_t rows, int64_t columns,
              const Limit &limit, const Stream &stream) {
  Kernel add = Kernel::load(options.folder + "/gemv_add" + W::suffix);
  int64_t blocks = blocksOf(columns, options.blocks);
  W weights(rows, columns);
  Shared<bf16> x = W::ofX(onDevice(drawn(1, columns, 2), {columns}));
  Shared<bf16> residual = onDevice(drawn(1, rows, 3), {rows});
  Times times = timesOfEach(
      weights, {rows, columns}, [&] { return residual; }, limit, stream,
      [&](Recording &run, const auto &matrix, Shared<bf16> now) {
        auto all = std::apply(
            [&](const auto &...of) {
              return run(add.launch({{"P", blocks}}, of..., x, std::move(now),
                                    Tensor<bf16>::empty({rows})));
            },
            matrix);
        return std::get<std::tuple_size_v<decltype(all)> - 1>(std::move(all))
            .share();
      });
  std::printf("{\"rows\": %lld, \"columns\": %lld, \"bytes\": %lld, "
              "\"blocks\": %lld, \"full_us\": %.2f, \"early_us\": %.2f, "
              "\"limit\": %.4g}\n",
              static_cast<long long>(rows), static_cast<long long>(columns),
              static_cast<long long>(weights.bytes),
              static_cast<long long>(blocks), times.full, times.early,
              times.limit);
}

/// A kernel that adds to nothing: each is written where the one before was.
struct Product {
  std::string name;
  Extents w, x, y;
  int64_t blocks = 0, splits = 1; ///< blocks of each split
};

/// \param xFirst whether a kernel takes x before the matrix.
template <typename W, typename Y, bool xFirst>
void runInto(const ProductOptions &options, const Product &product,
             const Limit &limit, const Stream &stream) {
  using Number = typename W::Number;
  Kernel kernel = Kernel::load(options.folder + "/" + product.name);
  int64_t columns = product.w.back(), rows = 1;
  for (auto at = product.w.begin(); at + 1 != product.w.end(); ++at) {
    rows *= *at;
  }
  W weights(rows, columns);
  int64_t ofX = product.x.size() == 1 ? 1 : product.x.front();
  Shared<Number> x =
      W::ofX(Tensor<Number>::copyFrom(Plain<Number>::numbers(ofX, columns, 2),
                                      product.x)
                 .share());
  Times times = timesOfEach(
      weights, product.w, [&] { return Tensor<Y>::empty(product.y); }, limit,
      stream,
      [&](Recording &run, const auto &matrix, Tensor<Y> y) {
        const NamedValues values = {{"P", product.blocks}};
        auto all = std::apply(
            [&](const auto &...of) {
              if constexpr (xFirst) {
                return run(kernel.launch(values, x, of..., std::move(y)));
              } else {
                return run(kernel.launch(values, of..., x, std::move(y)));
              }
            },
            matrix);
        return std::get<std::tuple_size_v<decltype(all)> - 1>(std::move(all));
      });
  std::printf(
      "{\"kernel\": \"%s\", \"rows\": %lld, \"columns\": %lld, "
      "\"bytes\": %lld, \"blocks\": %lld, \"splits\": %lld, "
      "\"us\": %.2f, \"share\": %.3f, \"limit\": %.4g}\n",
      product.name.c_str(), static_cast<long long>(rows),
      static_cast<long long>(columns), static_cast<long long>(weights.bytes),
      static_cast<long long>(product.blocks * product.splits),
      static_cast<long long>(product.splits), times.early,
      static_cast<double>(weights.bytes) * 1e6 / times.early / times.limit,
      times.limit);
}

/// Of 8 rows. In f16 there is a plain product alone.
template <typename W>
void runFew(const ProductOptions &options, int64_t rows, int64_t columns,
            const Limit &limit, const Stream &stream) {
  using Number = typename W::Number;
  bool isSplit = columns > fewColumns;
  bool isGated = rows == gated && !std::is_same_v<Number, f16>;
  if (isSplit && std::is_same_v<Number, f16>) {
    return;
  }
  int64_t outputs = isGated ? rows / 2 : rows;
  int64_t tile = isGated ? ofGatedTile : ofTile;
  Product product{.name = isGated   ? "skinny_silu_mul"
                          : isSplit ? "skinny_split_k"
                                    : "skinny",
                  .w = {rows, columns},
                  .x = {fewRows, columns},
                  .y = {fewRows, outputs},
                  .splits = isSplit ? fewSplits : 1};
  product.name += W::suffix;
  product.blocks =
      std::min(options.blocks / product.splits, (outputs + tile - 1) / tile);
  if (isGated) {
    product.w = {2, outputs, columns};
  }
  if (isSplit) {
    product.y.insert(product.y.begin(), fewSplits);
    runInto<W, float, true>(options, product, limit, stream);
  } else {
    runInto<W, Number, true>(options, product, limit, stream);
  }
}

template <typename W>
void runOne(const ProductOptions &options, int64_t rows, int64_t columns,
            const Limit &limit, const Stream &stream) {
  if constexpr (std::is_same_v<typename W::Number, f16>) {
    runInto<W, f16, false>(options,
                           {.name = "gemv_f16",
                            .w = {rows, columns},
                            .x = {columns},
                            .y = {rows},
                            .blocks = blocksOf(columns, options.blocks)},
                           limit, stream);
  } else {
    runAdded<W>(options, rows, columns, limit, stream);
  }
}

template <typename W>
void runAll(const ProductOptions &options, const Limit &limit,
            const Stream &stream) {
  for (auto [rows, columns, isOf4B] : alone) {
    if (!options.few) {
      runOne<W>(options, rows, columns, limit, stream);
    } else if (isOf4B) {
      runFew<W>(options, rows, columns, limit, stream);
    }
  }
}

} // namespace

void runProducts(const ProductOptions &options, const Limit &limit,
                 const Stream &stream) {
  auto run = options.weights == "f8"     ? runAll<ScaledRows>
             : options.weights == "int4" ? runAll<ScaledGroups>
             : options.weights == "f16"  ? runAll<Plain<f16>>
                                         : runAll<Plain<bf16>>;
  run(options, limit, stream);
}

} // namespace girih::bench
