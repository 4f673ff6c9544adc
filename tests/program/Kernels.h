// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in C++ that the tests launch and execute.

#ifndef GIRIH_TESTS_PROGRAM_KERNELS_H
#define GIRIH_TESTS_PROGRAM_KERNELS_H

#include <girih/kernel.h>

namespace tested {

using namespace girih::kernel;

inline constexpr Sym M{"M"}, N{"N"}, K{"K"}, start{"start"};
inline constexpr SymOf<i32> bias{"bias"};

/// z[N] = x[N]: the simulated driver has it.
struct copy {
  Shared<f32, N> x;
  Out<f32, N> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, 128));
    store(z, {i}, load<128>(x, {i}, pad::zero));
  }
};

struct copy_wide {
  Shared<f32, N> x;
  Out<f32, N> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, 256));
    store(z, {i}, load<256>(x, {i}, pad::zero));
  }
};
struct copies : Variants<copy_wide, copy> {
  void operator()() { when<copy_wide>(N >= 1000); }
};

/// z[N] = bias: a symbol that is no extent. The simulated driver has it.
struct fill_i32 {
  Out<i32, N> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, 128));
    store(z, {i}, broadcast<128>(Scalar<i32>(bias)));
  }
};

/// c = scale * (a * b).
template <int BM, int BN, int BK> struct gemm {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Scalar<f32> scale;
  Out<f32, M, N> c;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(K, BK))) {
      auto x = load<BM, BK>(a, {i, k}, pad::zero);
      auto y = load<BK, BN>(b, {k, j}, pad::zero);
      acc = mma(x, y, acc);
    }
    store(c, {i, j}, acc * scale);
  }
};

/// Rows of a table by their numbers, and a symbol that is no extent.
template <int B> struct lookup {
  Shared<i32, M> ids;
  Shared<f32, N, 4> table;
  Own<i32, M> counts;
  Out<f32, M, 4> y;
  void operator()() {
    given(within(ids, 0, N));
    auto [i] = grid(ceildiv(M, B));
    auto row = reshape<B, 1>(load<B>(ids, {i}, pad::zero));
    auto live = reshape<B, 1>(inside<B>(ids, {i}));
    store(y, {i, 0},
          gather(table, lanes(row, iota<idx, 1, 4>(axis<1>)), live, pad::zero));
    auto piece = claim<B>(counts, {i});
    store(piece, load(piece, pad::zero) + Scalar<i32>(bias));
  }
};

/// Two blocks write one element.
struct race {
  Shared<f32, N> x;
  Out<f32, N> z;
  void operator()() {
    auto [i, j] = grid(ceildiv(N, 128), 2);
    store(z, {i}, load<128>(x, {i}, pad::zero));
  }
};

} // namespace tested

#endif // GIRIH_TESTS_PROGRAM_KERNELS_H
