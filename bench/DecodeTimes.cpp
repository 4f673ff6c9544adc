// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// decode_times GEMV [LAYERS [BLOCKS]]: the products of one token, a matrix with
// a vector each, as a chain in one graph: of each layer of a model like
// Qwen3-4B 4096 x 2560, 2560 x 4096, 9728 x 2560 and 2560 x 9728, all matrices
// distinct in memory. GEMV is what tile-compile made of
// proofs/kernels/gemv_by_depth. Graphs whose launches start early and graphs
// whose launches wait for those before are interleaved. Prints JSON: medians in
// microseconds a replay, bytes a replay, and whether both gave equal bits each
// time.

#include "runtime/graph/Graph.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace girih;

namespace {

constexpr int rounds = 40, replays = 10;
/// Rows and columns of a layer's products; each takes what the last one gave.
constexpr int64_t products[][2] = {
    {4096, 2560}, {2560, 4096}, {9728, 2560}, {2560, 9728}};
constexpr int64_t width = 2560;

/// Random numbers of a normal distribution with variance 1 / columns, so that
/// products keep their size. Some thousands of them repeat, at no multiple of
/// any row.
std::vector<bf16> drawn(int64_t rows, int64_t columns, unsigned seed) {
  constexpr size_t count = 8191;
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(
      0, 1 / std::sqrt(static_cast<float>(columns)));
  std::vector<bf16> some(count), all(static_cast<size_t>(rows * columns));
  for (bf16 &value : some) {
    value.bits =
        static_cast<uint16_t>(std::bit_cast<uint32_t>(normal(random)) >> 16);
  }
  for (size_t k = 0; k < all.size(); ++k) {
    all[k] = some[k % count];
  }
  return all;
}

struct Chain {
  Kernel gemv;
  int64_t blocks;
  std::vector<std::vector<Shared<bf16>>> layers; ///< matrices
  Shared<bf16> x;

  Chain(const char *folder, int count, int64_t blocks)
      : gemv(Kernel::load(folder)), blocks(blocks), layers(count),
        x(Tensor<bf16>::copyFrom(drawn(1, width, 1), {width}).share()) {
    unsigned seed = 2;
    for (auto [rows, columns] : products) {
      std::vector<bf16> numbers = drawn(rows, columns, seed++);
      for (std::vector<Shared<bf16>> &layer : layers) {
        layer.push_back(
            Tensor<bf16>::copyFrom(numbers, {rows, columns}).share());
      }
    }
  }

  int64_t bytes() const {
    int64_t sum = 0;
    for (auto [rows, columns] : products) {
      sum += rows * columns * 2;
    }
    return sum * static_cast<int64_t>(layers.size());
  }

  auto record(bool early) const {
    return girih::record(
        [&](Recording &run) {
          Shared<bf16> now = x;
          Tensor<bf16> out = Tensor<bf16>::empty({width});
          for (const std::vector<Shared<bf16>> &layer : layers) {
            for (const Shared<bf16> &w : layer) {
              auto [a, b, y] =
                  run(gemv.launch({{"P", blocks}}, w, now,
                                  Tensor<bf16>::empty({w.extents()[0]})));
              out = std::move(y);
              if (&layer != &layers.back() || &w != &layer.back()) {
                now = std::move(out).share();
              }
            }
          }
          return out;
        },
        {.early = early});
  }
};

double median(std::vector<double> times) {
  auto middle = times.begin() + static_cast<ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

template <typename G> double timeOf(G &graph, const Stream &stream) {
  auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < replays; ++k) {
    graph.launch(stream);
  }
  stream.synchronize();
  std::chrono::duration<double, std::micro> taken =
      std::chrono::steady_clock::now() - start;
  return taken.count() / replays;
}

template <typename G> std::vector<uint16_t> bitsOf(const G &graph) {
  std::vector<uint16_t> out;
  for (bf16 value : graph.template get<0>().toHost()) {
    out.push_back(value.bits);
  }
  return out;
}

int run(const char *folder, int layers, int64_t blocks) {
  Chain chain(folder, layers, blocks);
  auto full = chain.record(false), early = chain.record(true);
  Stream stream = Stream::create();
  full.launch(stream);
  std::vector<uint16_t> wanted = bitsOf(full);
  std::vector<double> fulls, earlies;
  bool equal = true;
  for (int k = 0; k < rounds + 3; ++k) { // the first ones are not counted
    double one = timeOf(full, stream), other = timeOf(early, stream);
    if (k >= 3) {
      fulls.push_back(one);
      earlies.push_back(other);
    }
    equal &= bitsOf(early) == wanted && bitsOf(full) == wanted;
  }
  double one = median(fulls), other = median(earlies);
  auto bytes = static_cast<double>(chain.bytes());
  std::printf("{\"layers\": %d, \"blocks\": %lld, \"bytes\": %.0f, "
              "\"full_us\": %.1f, \"early_us\": %.1f, \"full_TBs\": %.3f, "
              "\"early_TBs\": %.3f, \"equal_bits\": %s}\n",
              layers, static_cast<long long>(blocks), bytes, one, other,
              bytes / one / 1e6, bytes / other / 1e6, equal ? "true" : "false");
  return equal ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4) {
    std::fprintf(stderr, "usage: decode_times GEMV [LAYERS [BLOCKS]]\n");
    return 3;
  }
  int layers = argc > 2 ? std::atoi(argv[2]) : 36;
  long long blocks = argc > 3 ? std::atoll(argv[3]) : 132;
  try {
    return run(argv[1], layers, blocks);
  } catch (const RuntimeError &error) {
    std::fprintf(stderr, "decode_times: error: %s\n", error.what());
    return error.code();
  }
}
