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
inline constexpr SymOf<i32> bias{"bias"}, first{"first"}, step{"step"};

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

/// z[M, N] = value, of rows that may lie apart. The simulated driver has it.
inline constexpr Sym ld{"ld"};
struct fill_rows {
  With<Out<f32, M, N>, strides<ld, 1>> z;
  Scalar<f32> value;
  void operator()() {
    auto [i] = grid(M);
    for (Index j : range(ceildiv(N, 128))) {
      store(z, {i, j}, broadcast<128>(value));
    }
  }
};

/// z = low, low + by, ...: two scalars, and an output of which not every
/// element need be written. The simulated driver has it.
struct arange {
  OutPartial<f32, N> z;
  Scalar<f32> low, by;
  void operator()() {
    auto [i] = grid(ceildiv(N, 128));
    auto number = to<f32>(to<i32>(i)) * 128 + to<f32>(iota<i32, 128>(axis<0>));
    store(z, {i}, low + by * number);
  }
};

/// z = first, first + step, ...: two symbols that are no extents. The simulated
/// driver has it.
struct count_from {
  Out<i32, N> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, 128));
    auto number = to<i32>(i) * 128 + iota<i32, 128>(axis<0>);
    store(z, {i}, Scalar<i32>(first) + Scalar<i32>(step) * number);
  }
};

/// The simulated driver runs these when its gates are open.
struct gated_copy {
  Shared<f32, N> x;
  Out<f32, N> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, 128));
    store(z, {i}, load<128>(x, {i}, pad::zero));
  }
};
struct gated_fill {
  Out<i32, N> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, 128));
    store(z, {i}, broadcast<128>(Scalar<i32>(bias)));
  }
};

/// z = ids, of which something is given. The simulated driver has it.
struct numbered {
  Shared<i32, N> ids;
  Out<i32, N> z;
  void operator()() {
    given(within(ids, 0, N));
    auto [i] = grid(ceildiv(N, 128));
    store(z, {i}, load<128>(ids, {i}, pad::zero));
  }
};

/// count += blocks, best = max(best, blocks).
struct counted {
  Shared<f32, N> x;
  AtomicAdd<i32, 1> count;
  AtomicMax<i32, 1> best;
  void operator()() {
    auto [i] = grid(ceildiv(N, 128));
    atomic(count, {0}, Scalar<i32>(1));
    atomic(best, {0}, to<i32>(i + 1));
  }
};
/// x = 2 x.
struct doubled {
  Raw<f32, N> x;
  void operator()() {
    auto [i] = grid(ceildiv(N, 128));
    auto here = claim<128>(x, {i});
    store(here, load(here, pad::zero) * 2);
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
