// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays from nothing: constants, sequences, random numbers.

#include "Random.h"
using namespace girih::kernel;

constexpr Sym N{"N"};
constexpr int BN = 1024;

// y[n] = value, rounded from f32
// any N, zero and ragged included
template <class T> struct fill_floats {
  Out<T, N> y;
  Scalar<f32> value;
  void operator()() {
    auto [i] = grid(ceildiv(N, BN));
    store(y, {i}, broadcast<BN>(to<T>(value)));
  }
};

// y[n] = value in i32
// any N, zero and ragged included
struct fill_i32 {
  Out<i32, N> y;
  void operator()() {
    constexpr SymOf<i32> value{"value"};
    auto [i] = grid(ceildiv(N, BN));
    store(y, {i}, broadcast<BN>(Scalar<i32>(value)));
  }
};

// The numbers of the elements of a block.
template <class T> auto numbers(const Index &i) {
  return to<T>(i * BN) + iota<T, BN>(axis<0>);
}

// y[n] = first + n * step in f32, where n is rounded to f32 before
// any N, zero and ragged included
struct arange {
  Out<f32, N> y;
  Scalar<f32> first, step;
  void operator()() {
    auto [i] = grid(ceildiv(N, BN));
    store(y, {i}, fma(to<f32>(numbers<i64>(i)), step, first));
  }
};

// y[n] = first + n * step in i32, modulo 2^32
// any N, zero and ragged included
struct arange_i32 {
  Out<i32, N> y;
  void operator()() {
    constexpr SymOf<i32> first{"first"}, step{"step"};
    auto [i] = grid(ceildiv(N, BN));
    store(y, {i}, Scalar<i32>(first) + numbers<i32>(i) * Scalar<i32>(step));
  }
};

// y[n] = a normal number with mean 0 and deviation 1, rounded from f32:
// Box-Muller on two words of Philox 4x32-10 (Salmon et al., 2011) with counter
// (n, 0) and key `seed`. Element n depends on seed and n alone, whatever N and
// the grid.
// any N, zero and ragged included
template <class T> struct randn {
  Out<T, N> y;
  void operator()() {
    constexpr SymOf<i64> seed{"seed"};
    auto [i] = grid(ceildiv(N, BN));
    auto n = numbers<i64>(i);
    Scalar<i64> key = seed;
    auto k = to<i32>(key), l = to<i32>(shiftRight(key, 32));
    // The words of the counter
    auto a = to<i32>(n), b = to<i32>(shiftRight(n, 32));
    auto c = zeros<i32, BN>(), d = zeros<i32, BN>();
    library::philox(a, b, c, d, k, l);
    // u in (0, 1] and v in [0, 1]: the logarithm is finite.
    constexpr double unit = 1.0 / 4294967296, turn = 6.28318548;
    auto u = (to<f32>(a, asUnsigned) + 0.5) * unit;
    auto v = to<f32>(b, asUnsigned) * unit;
    auto radius = sqrt(log(u) * -2.0);
    store(y, {i}, to<T>(radius * cos(v * turn)));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"fill", record<fill_floats<f32>>},
                            {"fill_bf16", record<fill_floats<bf16>>},
                            {"fill_f16", record<fill_floats<f16>>},
                            {"fill_i32", record<fill_i32>},
                            {"arange", record<arange>},
                            {"arange_i32", record<arange_i32>},
                            {"randn", record<randn<f32>>},
                            {"randn_bf16", record<randn<bf16>>},
                            {"randn_f16", record<randn<f16>>}});
}
