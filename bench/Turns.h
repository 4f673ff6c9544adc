// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the measurements of decode_times share: numbers, graphs that are timed
// in turns, and what a whole buffer is read at in between.

#ifndef GIRIH_BENCH_TURNS_H
#define GIRIH_BENCH_TURNS_H

#include "bench/ReadLimit.h"
#include "runtime/graph/Graph.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

namespace girih::bench {

/// Random numbers that repeat, at no multiple of any row.
inline constexpr std::size_t drawnCount = 8191;

/// Of a normal distribution with variance 1 / columns, so that products keep
/// their size.
inline std::vector<bf16> drawn(int64_t rows, int64_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(
      0, 1 / std::sqrt(static_cast<float>(columns)));
  std::vector<bf16> some(drawnCount), all(static_cast<size_t>(rows * columns));
  for (bf16 &value : some) {
    value.bits =
        static_cast<uint16_t>(std::bit_cast<uint32_t>(normal(random)) >> 16);
  }
  for (size_t k = 0; k < all.size(); ++k) {
    all[k] = some[k % drawnCount];
  }
  return all;
}

inline Shared<bf16> onDevice(const std::vector<bf16> &numbers,
                             const Extents &extents) {
  return Tensor<bf16>::copyFrom(numbers, extents).share();
}

/// Columns for which a block of a product has half of a multiprocessor.
inline constexpr int64_t ofHalf = 10240;
inline int64_t blocksOf(int64_t columns, int64_t blocks) {
  return columns <= ofHalf ? blocks : blocks / 2;
}

inline double median(std::vector<double> times) {
  auto middle = times.begin() + static_cast<ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

/// Microseconds each of some runs of `queue`.
template <typename F>
double timeOf(int count, const Stream &stream, const F &queue) {
  auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < count; ++k) {
    queue();
  }
  stream.synchronize();
  std::chrono::duration<double, std::micro> taken =
      std::chrono::steady_clock::now() - start;
  return taken.count() / count;
}

/// What a whole buffer is read at, beside what else is measured.
class Limit {
public:
  double timeOnce(const Stream &stream, unsigned slots) const {
    return timeOf(2, stream, [&] {
      kernel.launch(buffer.address(), bytes, slots, stream.handle());
    });
  }
  static double bytesPerSecond(double us) { return bytes * 1e6 / us; }
  /// How much a multiprocessor has on its way, 16 KiB each: what reads fastest
  /// is another number on another machine.
  static constexpr unsigned depths[] = {3, 5, 8, 13};

private:
  static constexpr int64_t bytes = int64_t(1) << 32;
  ReadLimit kernel;
  Tensor<bf16> buffer = Tensor<bf16>::zeros({bytes / 2});
};

struct Times {
  double full = 0, early = 0; ///< median microseconds of a replay
  double limit = 0;           ///< bytes read a second
};

/// Of each graph, and how many replays are one measurement.
inline constexpr int rounds = 40, replays = 10;

/// Interleaved; `check` is called between.
template <typename G, typename F>
Times timesOf(G &full, G &early, const Limit &limit, const Stream &stream,
              F check) {
  std::vector<double> fulls, earlies, reads[std::size(Limit::depths)];
  for (int k = 0; k < rounds + 3; ++k) { // the first ones are not counted
    double one = timeOf(replays, stream, [&] { full.launch(stream); });
    double other = timeOf(replays, stream, [&] { early.launch(stream); });
    if (k >= 3) {
      fulls.push_back(one);
      earlies.push_back(other);
    }
    for (size_t i = 0; i < std::size(reads); ++i) {
      double read = limit.timeOnce(stream, Limit::depths[i]);
      if (k >= 3) {
        reads[i].push_back(read);
      }
    }
    check();
  }
  double best = 0;
  for (std::vector<double> &some : reads) {
    best = std::max(best, Limit::bytesPerSecond(median(std::move(some))));
  }
  return {median(std::move(fulls)), median(std::move(earlies)), best};
}

} // namespace girih::bench

#endif // GIRIH_BENCH_TURNS_H
