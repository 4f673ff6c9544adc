// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that treat each element for itself.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, W{"W"}, ldx{"ldx"}, ldy{"ldy"};

// z[N] = x[N] + y[N] in f32
// any N, zero and ragged included
template <int BN> struct add {
  Shared<f32, N> x, y;
  Out<f32, N> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, BN));
    auto a = load<BN>(x, {i}, pad::zero);
    auto b = load<BN>(y, {i}, pad::zero);
    store(z, {i}, a + b);
  }
};

// y[N] = alpha * x[N] + y[N] in f32, in place
// any N, zero and ragged included
template <int BN> struct saxpy {
  Scalar<f32> alpha;
  Shared<f32, N> x;
  Own<f32, N> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, BN));
    auto piece = claim<BN>(y, {i});
    auto a = load<BN>(x, {i}, pad::zero);
    auto b = load(piece, pad::zero);
    store(piece, alpha * a + b);
  }
};

template <int... E> auto silu(Tile<f32, E...> x) { return x / (1 + exp(-x)); }

// Rows may lie apart: a part of wider ones.
using GateAndUp = With<Shared<bf16, M, W>, strides<ldx, 1>>;
using Activated = With<Out<bf16, M, N>, strides<ldy, 1>>;

// y[m, n] = silu(gate[m, n]) * up[m, n] in bf16, where the columns of x[M, W]
// are those of gate, then those of up: what one GEMM for both leaves
template <int BN> struct silu_mul_whole {
  GateAndUp x;
  Activated y;
  void operator()() {
    require(W == 2 * N);
    require(N % BN == 0);
    hint("sm_90", "occupancy", 8);
    auto [row, j] = grid(M, N / BN);
    auto out = claim<_, BN>(y, {row, j});
    // Of parts as wide as y, which a launch asks for in whole vectors.
    auto gates = slice<M, N>(x, {0, 0});
    auto ups = slice<M, N>(x, {0, N});
    auto gate = to<f32>(load<_, BN>(gates, {row, j}));
    auto up = to<f32>(load<_, BN>(ups, {row, j}));
    store(out, to<bf16>(silu(gate) * up));
  }
};
template <int BN, int warps> struct silu_mul_ragged {
  GateAndUp x;
  Activated y;
  void operator()() {
    require(W == 2 * N);
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", 8);
    auto [row, j] = grid(M, ceildiv(N, BN));
    auto gates = slice<M, N>(x, {0, 0});
    auto ups = slice<M, N>(x, {0, N});
    auto out = claim<_, BN>(y, {row, j});
    auto gate = to<f32>(load<_, BN>(gates, {row, j}, pad::zero));
    auto up = to<f32>(load<_, BN>(ups, {row, j}, pad::zero));
    store(out, to<bf16>(silu(gate) * up));
  }
};

// y[m, n] = silu(gate[m, n]) * up[m, n] in bf16, where the columns of x[M, W]
// are those of gate, then those of up: what one GEMM for both leaves. Whole
// tiles are not masked.
// any M and N, zero and ragged included; W is 2 N
struct silu_mul : Variants<silu_mul_whole<1024>, silu_mul_whole<512>,
                           silu_mul_ragged<1024, 8>, silu_mul_ragged<1024, 4>> {
  void operator()() {
    when<silu_mul_whole<1024>>(N % 1024 == 0);
    when<silu_mul_whole<512>>(N % 512 == 0);
    when<silu_mul_ragged<1024, 8>>(M <= 320);
  }
};

// y[n] = x[n] * scale where the hash of (seed, n) is at least `threshold`, else
// 0: no mask is stored, the backward pass hashes again. Element n is dropped
// with the chance (threshold + 2^63) / 2^64. In f32.
// any N, zero and ragged included
template <int BN> struct dropout {
  Shared<f32, N> x;
  Out<f32, N> y;
  Scalar<f32> scale;
  void operator()() {
    constexpr SymOf<i64> seed{"seed"}, threshold{"threshold"};
    auto [i] = grid(ceildiv(N, BN));
    auto v = load<BN>(x, {i}, pad::zero);
    auto n = to<i64>(i * BN) + iota<i64, BN>(axis<0>);
    Scalar<i64> salt = seed, least = threshold;
    // Multiplications carry upwards, h (2 h + 1) turns every bit into those
    // above it, and the sign at the end is what all of them left; all modulo
    // 2^64.
    auto mixed = [](const Tile<i64, BN> &h) { return h * (h * 2 + 1); };
    auto spread = n * -7046029254386353131 ^ salt;
    auto hash = mixed(mixed(spread) * -4658895280553007687 + salt);
    store(y, {i}, where(hash >= least, v * scale, 0));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"add", record<add<1024>>},
                            {"saxpy", record<saxpy<1024>>},
                            {"silu_mul", record<silu_mul>},
                            {"dropout", record<dropout<1024>>}});
}
