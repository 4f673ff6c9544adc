// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that reduce rows: softmax and norms.

#include "Library.h"
using namespace girih::kernel;

constexpr double log2e = 1.44269504;

constexpr Sym M{"M"}, N{"N"}, S{"S"}, HQ{"HQ"}, HK{"HK"};

// Rows may lie apart: a part of wider ones.
constexpr Sym ldx{"ldx"}, ldy{"ldy"}, ldr{"ldr"}, lds{"lds"}, ldq{"ldq"},
    ldk{"ldk"};
template <class T, Sym ld> using InRows = With<Shared<T, M, N>, strides<ld, 1>>;
template <class T, Sym ld> using OutRows = With<Out<T, M, N>, strides<ld, 1>>;

// Softmax over each row of x[M, N] in f32, BM rows a block, in one tile: each
// element is read once; a row of -inf gives nan any M, and N up to BN, zero and
// ragged included
template <int BM, int BN, int warps, int occupancy> struct softmax_rows {
  InRows<f32, ldx> x;
  OutRows<f32, ldy> y;
  void operator()() {
    require(N <= BN);
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    hint("sm_90", "tma", 0);
    auto [rows] = grid(ceildiv(M, BM));
    if_(Index(ceildiv(N, BN)) > 0, [&] {
      // Padding is -inf: it never wins, and its exponential is 0.
      auto t = load<BM, BN>(x, {rows, 0}, pad::neg_inf);
      auto e = exp(t - max(t, axis<1>));
      store(y, {rows, 0}, e / sum(e, axis<1>));
    });
  }
};

// y[M, N] = softmax over each row of x[M, N] in f32, a row a block, in one
// tile: each element is read once; a row of -inf gives nan any M, and N up to
// 8192, zero and ragged included
template <int BN, int warps, int occupancy> struct softmax_row {
  InRows<f32, ldx> x;
  OutRows<f32, ldy> y;
  void operator()() {
    require(N <= BN);
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    hint("sm_90", "tma", 0);
    auto [row] = grid(M);
    if_(Index(ceildiv(N, BN)) > 0, [&] {
      // Padding is -inf: it never wins, and its exponential is 0.
      auto t = load<_, BN>(x, {row, 0}, pad::neg_inf);
      auto e = exp(t - max(t));
      store(y, {row, 0}, e / sum(e));
    });
  }
};

// Rows longer than a tile, in two passes: lane by lane, the largest element so
// far and the sum of exponentials over it; then the quotients.
template <int BN> struct softmax_long {
  InRows<f32, ldx> x;
  OutRows<f32, ldy> y;
  void operator()() {
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 2);
    auto [row] = grid(M);
    // Below all numbers but -inf, so that the difference to it is one.
    auto maxima = fill<f32, BN>(-3.4028234663852886e38);
    auto sums = zeros<f32, BN>();
    for (Index k : range(ceildiv(N, BN))) {
      // Padding is -inf: it never wins, and its exponential is 0.
      auto t = load<_, BN>(x, {row, k}, pad::neg_inf);
      auto larger = max(maxima, t);
      sums = sums * exp(maxima - larger) + exp(t - larger);
      maxima = larger;
    }
    auto largest = max(maxima);
    auto scale = broadcast<BN>(1.0 / sum(sums * exp(maxima - largest)));
    auto shift = broadcast<BN>(largest);
    for (Index k : range(ceildiv(N, BN))) {
      auto e = exp(load<_, BN>(x, {row, k}, pad::neg_inf) - shift);
      store(y, {row, k}, e * scale);
    }
  }
};

// y[M, N] = softmax over each row of x[M, N] in f32; a row of -inf gives nan.
// Short rows several a block, rows up to 32768 in one tile, longer ones in two
// passes; few rows have a block each. As measured by tile-tune.
// any M and N, zero and ragged included
struct softmax
    : Variants<softmax_row<2048, 8, 8>, softmax_row<2048, 8, 4>,
               softmax_rows<16, 128, 4, 12>, softmax_rows<4, 512, 4, 16>,
               softmax_rows<16, 128, 8, 8>, softmax_rows<8, 256, 8, 8>,
               softmax_rows<4, 512, 8, 8>, softmax_rows<2, 1024, 4, 12>,
               softmax_row<2048, 4, 8>, softmax_row<4096, 8, 8>,
               softmax_row<8192, 8, 3>, softmax_row<32768, 16, 1>,
               softmax_long<4096>> {
  void operator()() {
    when<softmax_row<2048, 8, 8>>(N <= 128, M * N <= 3328);
    when<softmax_row<2048, 8, 4>>(N > 128, N <= 1024, M <= 384);
    // Very many rows: the more blocks at a time the better.
    when<softmax_rows<16, 128, 4, 12>>(N <= 128, M >= 131072);
    when<softmax_rows<4, 512, 4, 16>>(N > 256, N <= 512, M >= 131072);
    when<softmax_rows<16, 128, 8, 8>>(N <= 128);
    when<softmax_rows<8, 256, 8, 8>>(N <= 256);
    when<softmax_rows<4, 512, 8, 8>>(N <= 512);
    when<softmax_rows<2, 1024, 4, 12>>(N <= 1024);
    when<softmax_row<2048, 4, 8>>(N <= 2048);
    when<softmax_row<4096, 8, 8>>(N <= 4096);
    when<softmax_row<8192, 8, 3>>(N <= 8192);
    when<softmax_row<32768, 16, 1>>(N > 24576, N <= 32768);
  }
};

// The number of columns, for means.
inline auto columns() { return to<f32>(to<i64>(Index(N))); }

// Rows of at most BN, BM of them a block, in one tile: each element of x is
// read once.
template <int BM, int BN, int warps, int occupancy> struct rms_norm_rows {
  InRows<bf16, ldx> x;
  Shared<bf16, N> weight;
  OutRows<bf16, ldy> y;
  Scalar<f32> eps;
  void operator()() {
    require(N <= BN);
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    auto [rows] = grid(ceildiv(M, BM));
    if_(Index(ceildiv(N, BN)) > 0, [&] {
      auto out = claim<BM, BN>(y, {rows, 0});
      auto t = to<f32>(load<BM, BN>(x, {rows, 0}, pad::zero));
      auto w = to<f32>(load<BN>(weight, {0}, pad::zero));
      auto mean = sum(t * t, axis<1>) / columns();
      store(out, to<bf16>(t * rsqrt(mean + eps) * w));
    });
  }
};

// Rows of any length, a row a block, tile by tile; the second pass finds them
// in the L1 cache.
template <int BN, int warps, int occupancy> struct rms_norm_long {
  InRows<bf16, ldx> x;
  Shared<bf16, N> weight;
  OutRows<bf16, ldy> y;
  Scalar<f32> eps;
  void operator()() {
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    hint("sm_90", "tma", 0);
    auto [row] = grid(M);
    auto squares = zeros<f32, BN>();
    for (Index k : range(ceildiv(N, BN))) {
      auto t = to<f32>(load<_, BN>(x, {row, k}, pad::zero));
      squares += t * t;
    }
    auto mean = sum(squares) / columns();
    auto scale = broadcast<BN>(rsqrt(mean + eps));
    for (Index k : range(ceildiv(N, BN))) {
      auto unit = to<f32>(load<_, BN>(x, {row, k}, pad::zero)) * scale;
      auto w = to<f32>(load<BN>(weight, {k}, pad::zero));
      store(y, {row, k}, to<bf16>(unit * w));
    }
  }
};

// y[m, n] = x[m, n] * weight[n] / sqrt(mean over n of x[m, n]^2 + eps), in
// bf16. Short rows several a block, few or long ones tile by tile. As measured
// by tile-tune.
// any M and N, zero and ragged included
struct rms_norm
    : Variants<rms_norm_long<1024, 8, 8>, rms_norm_rows<2, 4096, 4, 2>,
               rms_norm_long<1024, 8, 2>, rms_norm_rows<16, 128, 4, 8>,
               rms_norm_rows<8, 512, 4, 4>, rms_norm_rows<8, 512, 4, 8>,
               rms_norm_rows<4, 1024, 8, 8>, rms_norm_rows<4, 2048, 4, 4>,
               rms_norm_rows<2, 4096, 4, 4>, rms_norm_long<1024, 8, 4>,
               rms_norm_long<1024, 4, 16>> {
  void operator()() {
    when<rms_norm_long<1024, 8, 8>>(M <= 320 + 640 * min(N % 8, 1), N <= 2048);
    when<rms_norm_rows<2, 4096, 4, 2>>(M <= 320, N <= 4096);
    when<rms_norm_long<1024, 8, 2>>(M <= 320);
    when<rms_norm_rows<16, 128, 4, 8>>(N <= 128);
    when<rms_norm_rows<8, 512, 4, 4>>(N <= 512, N % 2 == 1);
    when<rms_norm_rows<8, 512, 4, 8>>(N <= 512);
    when<rms_norm_rows<4, 1024, 8, 8>>(N <= 1024);
    when<rms_norm_rows<4, 2048, 4, 4>>(N <= 2048);
    when<rms_norm_rows<2, 4096, 4, 4>>(N <= 4096);
    when<rms_norm_long<1024, 8, 4>>(N % 8 >= 1);
  }
};

// y[m, n] = x[m, n] * weight[n] / sqrt(mean over n of x[m, n]^2 + eps), in
// bf16, a row a block, in one tile: each element of x is read once any M, and N
// up to 8192, zero and ragged included
template <int BN> struct rms_norm_row {
  InRows<bf16, ldx> x;
  Shared<bf16, N> weight;
  OutRows<bf16, ldy> y;
  Scalar<f32> eps;
  void operator()() {
    require(N <= BN);
    hint("sm_90", "occupancy", 4);
    auto [row] = grid(M);
    if_(Index(ceildiv(N, BN)) > 0, [&] {
      auto out = claim<_, BN>(y, {row, 0});
      auto t = to<f32>(load<_, BN>(x, {row, 0}, pad::zero));
      auto w = to<f32>(load<BN>(weight, {0}, pad::zero));
      auto mean = sum(t * t) / columns();
      auto unit = t * rsqrt(mean + eps);
      store(out, to<bf16>(unit * w));
    });
  }
};

// Rows of at most BN, BM of them a block, in one tile: each element is read
// once.
template <int BM, int BN, int warps, int occupancy> struct add_rms_norm_rows {
  InRows<bf16, ldx> x;
  InRows<bf16, ldr> residual;
  Shared<bf16, N> weight;
  OutRows<bf16, lds> sum;
  OutRows<bf16, ldy> y;
  Scalar<f32> eps;
  void operator()() {
    require(N <= BN);
    hint("sm_90", "early", 1);
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    auto [rows] = grid(ceildiv(M, BM));
    if_(Index(ceildiv(N, BN)) > 0, [&] {
      auto outSum = claim<BM, BN>(sum, {rows, 0});
      auto outY = claim<BM, BN>(y, {rows, 0});
      auto a = to<f32>(load<BM, BN>(x, {rows, 0}, pad::zero));
      auto b = to<f32>(load<BM, BN>(residual, {rows, 0}, pad::zero));
      auto rounded = to<bf16>(a + b);
      store(outSum, rounded);
      auto t = to<f32>(rounded);
      auto w = to<f32>(load<BN>(weight, {0}, pad::zero));
      auto mean = girih::kernel::sum(t * t, axis<1>) / columns();
      store(outY, to<bf16>(t * rsqrt(mean + eps) * w));
    });
  }
};

// A row a block, in one tile, its rows at multiples of 16 bytes.
template <int BN, int warps, int occupancy> struct add_rms_norm_row {
  InRows<bf16, ldx> x;
  InRows<bf16, ldr> residual;
  Shared<bf16, N> weight;
  OutRows<bf16, lds> sum;
  OutRows<bf16, ldy> y;
  Scalar<f32> eps;
  void operator()() {
    require(N >= 1);
    require(N <= BN);
    for (const Sym &each : {N, ldx, ldr, lds, ldy}) {
      require(each % 8 == 0);
    }
    hint("sm_90", "early", 1);
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    hint("sm_90", "tma", 0);
    auto [row] = grid(M);
    auto outSum = claim<_, BN>(sum, {row, 0});
    auto outY = claim<_, BN>(y, {row, 0});
    auto a = to<f32>(load<_, BN>(x, {row, 0}, pad::zero));
    auto b = to<f32>(load<_, BN>(residual, {row, 0}, pad::zero));
    auto w = to<f32>(load<BN>(weight, {0}, pad::zero));
    auto rounded = to<bf16>(a + b);
    store(outSum, rounded);
    auto t = to<f32>(rounded);
    auto mean = girih::kernel::sum(t * t) / columns();
    store(outY, to<bf16>(t * rsqrt(mean + eps) * w));
  }
};

// Rows of any length, a row a block, tile by tile.
template <int BN, int warps, int occupancy> struct add_rms_norm_long {
  InRows<bf16, ldx> x;
  InRows<bf16, ldr> residual;
  Shared<bf16, N> weight;
  OutRows<bf16, lds> sum;
  OutRows<bf16, ldy> y;
  Scalar<f32> eps;
  void operator()() {
    hint("sm_90", "early", 1);
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    hint("sm_90", "tma", 0);
    auto [row] = grid(M);
    auto squares = zeros<f32, BN>();
    for (Index k : range(ceildiv(N, BN))) {
      auto out = claim<_, BN>(sum, {row, k});
      auto rounded = both(row, k);
      store(out, rounded);
      auto t = to<f32>(rounded);
      squares += t * t;
    }
    auto mean = girih::kernel::sum(squares) / columns();
    auto scale = broadcast<BN>(rsqrt(mean + eps));
    for (Index k : range(ceildiv(N, BN))) {
      auto out = claim<_, BN>(y, {row, k});
      auto unit = to<f32>(both(row, k)) * scale;
      auto w = to<f32>(load<BN>(weight, {k}, pad::zero));
      store(out, to<bf16>(unit * w));
    }
  }
  auto both(const Index &row, const Index &k) {
    auto a = to<f32>(load<_, BN>(x, {row, k}, pad::zero));
    auto b = to<f32>(load<_, BN>(residual, {row, k}, pad::zero));
    return to<bf16>(a + b);
  }
};

// sum = x + residual, y[m, n] = sum[m, n] * weight[n] / sqrt(mean over n of
// sum[m, n]^2 + eps), in bf16; the sum is rounded once, and the norm is of what
// was rounded, so that y is the norm of the residual that the next layer reads.
// Variants as measured by tile-tune.
// any M and N, zero and ragged included
struct add_rms_norm
    : Variants<
          add_rms_norm_long<1024, 8, 8>, add_rms_norm_long<1024, 8, 2>,
          add_rms_norm_rows<16, 128, 8, 8>, add_rms_norm_rows<16, 128, 4, 8>,
          add_rms_norm_rows<8, 512, 8, 8>, add_rms_norm_rows<8, 512, 4, 4>,
          add_rms_norm_rows<8, 512, 4, 6>, add_rms_norm_rows<4, 1024, 8, 8>,
          add_rms_norm_rows<4, 2048, 4, 4>, add_rms_norm_long<1024, 4, 4>,
          add_rms_norm_long<1024, 8, 4>, add_rms_norm_row<4096, 8, 4>,
          add_rms_norm_rows<2, 8192, 8, 2>, add_rms_norm_long<1024, 4, 16>> {
  void operator()() {
    when<add_rms_norm_long<1024, 8, 8>>(M <= 320, N <= 960);
    when<add_rms_norm_long<1024, 8, 2>>(M <= 320);
    when<add_rms_norm_rows<16, 128, 8, 8>>(N <= 128, M <= 8192);
    when<add_rms_norm_rows<16, 128, 4, 8>>(N <= 128);
    when<add_rms_norm_rows<8, 512, 8, 8>>(N <= 512, N % 8 == 0);
    when<add_rms_norm_rows<8, 512, 4, 4>>(N <= 512, N % 2 == 1);
    when<add_rms_norm_rows<8, 512, 4, 6>>(N <= 256);
    when<add_rms_norm_rows<4, 1024, 8, 8>>(N <= 1024, N % 2 == 0);
    when<add_rms_norm_rows<4, 2048, 4, 4>>(N <= 2048, N % 8 == 0);
    when<add_rms_norm_long<1024, 4, 4>>(N <= 2560, N % 8 >= 1);
    when<add_rms_norm_long<1024, 8, 4>>(N % 8 >= 1);
    when<add_rms_norm_row<4096, 8, 4>>(M <= 1024, N >= 1, N <= 4096,
                                       ldx % 8 == 0, ldr % 8 == 0, lds % 8 == 0,
                                       ldy % 8 == 0);
    when<add_rms_norm_rows<2, 8192, 8, 2>>(M >= 3072, N >= 4608, N <= 8192);
  }
};

// Rows that begin at multiples of 16 bytes, for the schedule rows of sm_90: a
// row stays in registers from its one load to its one store.
template <class... Strides> void requireVectors(Strides... strides) {
  require(N % 8 == 0);
  (require(strides % 8 == 0), ...);
}

template <int BM, int BN, int warps, int occupancy>
struct softmax_in_registers {
  InRows<bf16, ldx> x;
  OutRows<bf16, ldy> y;
  void operator()() {
    requireVectors(ldx, ldy);
    require(N <= BN);
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    hint("sm_90", "streams", 1);
    hint("sm_90", "tma", 0);
    auto [rows] = grid(ceildiv(M, BM));
    if_(Index(ceildiv(N, BN)) > 0, [&] {
      auto out = claim<BM, BN>(y, {rows, 0});
      // Padding is -inf: it never wins, and its power is 0.
      auto t = to<f32>(load<BM, BN>(x, {rows, 0}, pad::neg_inf));
      auto top = max(t, axis<1>) * log2e;
      auto e = exp2(fma(t, log2e, -top), Approximate{});
      store(out, to<bf16>(e * (1.0 / sum(e, axis<1>))));
    });
  }
};

// y[M, N] = softmax over each row of x[M, N] in bf16, sums in f32; a row of
// -inf gives nan. In powers of two, and with one division a row: elements are
// as many as the hardware has time for. Of sm_90 the schedule rows takes them.
// any M, and N up to 16384, multiples of 8, zero and ragged included
struct softmax_by_row : Variants<softmax_in_registers<4, 1024, 4, 8>,
                                 softmax_in_registers<1, 2048, 2, 16>,
                                 softmax_in_registers<1, 4096, 4, 8>,
                                 softmax_in_registers<1, 8192, 8, 4>,
                                 softmax_in_registers<1, 16384, 16, 2>> {
  void operator()() {
    when<softmax_in_registers<4, 1024, 4, 8>>(N <= 1024);
    when<softmax_in_registers<1, 2048, 2, 16>>(N <= 2048);
    when<softmax_in_registers<1, 4096, 4, 8>>(N <= 4096);
    when<softmax_in_registers<1, 8192, 8, 4>>(N <= 8192);
  }
};

template <int BM, int BN, int warps, int occupancy>
struct rms_norm_in_registers {
  InRows<bf16, ldx> x;
  Shared<bf16, N> weight;
  OutRows<bf16, ldy> y;
  Scalar<f32> eps;
  void operator()() {
    requireVectors(ldx, ldy);
    require(N <= BN);
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    hint("sm_90", "streams", 1);
    auto [rows] = grid(ceildiv(M, BM));
    if_(Index(ceildiv(N, BN)) > 0, [&] {
      auto out = claim<BM, BN>(y, {rows, 0});
      auto t = to<f32>(load<BM, BN>(x, {rows, 0}, pad::zero));
      auto w = to<f32>(load<BN>(weight, {0}, pad::zero));
      auto mean = sum(t * t, axis<1>) / columns();
      store(out, to<bf16>(t * rsqrt(mean + eps) * w));
    });
  }
};

// y[m, n] = x[m, n] * weight[n] / sqrt(mean over n of x[m, n]^2 + eps), in
// bf16. Of sm_90 the schedule rows takes them.
// any M, and N up to 16384, multiples of 8, zero and ragged included
struct rms_norm_by_row : Variants<rms_norm_in_registers<4, 1024, 4, 8>,
                                  rms_norm_in_registers<1, 2048, 2, 16>,
                                  rms_norm_in_registers<1, 4096, 8, 6>,
                                  rms_norm_in_registers<1, 8192, 8, 4>,
                                  rms_norm_in_registers<1, 16384, 16, 2>> {
  void operator()() {
    when<rms_norm_in_registers<4, 1024, 4, 8>>(N <= 1024);
    when<rms_norm_in_registers<1, 2048, 2, 16>>(N <= 2048);
    when<rms_norm_in_registers<1, 4096, 8, 6>>(N <= 4096);
    when<rms_norm_in_registers<1, 8192, 8, 4>>(N <= 8192);
  }
};

template <int BM, int BN, int warps, int occupancy>
struct add_rms_norm_in_registers {
  InRows<bf16, ldx> x;
  InRows<bf16, ldr> residual;
  Shared<bf16, N> weight;
  OutRows<bf16, lds> sum;
  OutRows<bf16, ldy> y;
  Scalar<f32> eps;
  void operator()() {
    requireVectors(ldx, ldr, lds, ldy);
    require(N <= BN);
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    hint("sm_90", "streams", 1);
    auto [rows] = grid(ceildiv(M, BM));
    if_(Index(ceildiv(N, BN)) > 0, [&] {
      auto outSum = claim<BM, BN>(sum, {rows, 0});
      auto outY = claim<BM, BN>(y, {rows, 0});
      auto a = to<f32>(load<BM, BN>(x, {rows, 0}, pad::zero));
      auto b = to<f32>(load<BM, BN>(residual, {rows, 0}, pad::zero));
      auto rounded = to<bf16>(a + b);
      store(outSum, rounded);
      auto t = to<f32>(rounded);
      auto w = to<f32>(load<BN>(weight, {0}, pad::zero));
      auto mean = girih::kernel::sum(t * t, axis<1>) / columns();
      store(outY, to<bf16>(t * rsqrt(mean + eps) * w));
    });
  }
};

// sum = x + residual, y[m, n] = sum[m, n] * weight[n] / sqrt(mean over n of
// sum[m, n]^2 + eps), in bf16; the sum is rounded once, and the norm is of what
// was rounded. Of sm_90 the schedule rows takes them.
// any M, and N up to 16384, multiples of 8, zero and ragged included
struct add_rms_norm_by_row
    : Variants<add_rms_norm_in_registers<4, 1024, 4, 6>,
               add_rms_norm_in_registers<1, 2048, 2, 12>,
               add_rms_norm_in_registers<1, 4096, 4, 6>,
               add_rms_norm_in_registers<1, 8192, 16, 3>,
               add_rms_norm_in_registers<1, 16384, 16, 1>> {
  void operator()() {
    when<add_rms_norm_in_registers<4, 1024, 4, 6>>(N <= 1024);
    when<add_rms_norm_in_registers<1, 2048, 2, 12>>(N <= 2048);
    when<add_rms_norm_in_registers<1, 4096, 4, 6>>(N <= 4096);
    when<add_rms_norm_in_registers<1, 8192, 16, 3>>(N <= 8192);
  }
};

// Each head of q and of k divided by its root mean square and scaled by the
// weights of its kind, in bf16, heads of 128, a head of BS positions a block;
// one launch for both any S, HQ and HK, zero included
template <int BS, int D> struct qk_norm {
  // A position's heads, beside others.
  With<Shared<bf16, S, HQ, D>, strides<ldq, D, 1>> q;
  With<Shared<bf16, S, HK, D>, strides<ldk, D, 1>> k;
  Shared<bf16, D> q_weight, k_weight;
  Out<bf16, S, HQ, D> q_out;
  Out<bf16, S, HK, D> k_out;
  Scalar<f32> eps;
  void operator()() {
    hint("sm_90", "worker_warps", 4);
    hint("sm_90", "occupancy", 8);
    hint("sm_90", "tma", 0);
    auto [s, h] = grid(ceildiv(S, BS), HQ + HK);
    auto kh = h - HQ;
    auto isQ = h < HQ;
    auto x = zeros<bf16, BS, D>();
    auto w = zeros<bf16, D>();
    if_(
        isQ,
        [&] {
          x = load<BS, _, D>(q, {s, h, 0}, pad::zero);
          w = load<D>(q_weight, {0});
        },
        [&] {
          x = load<BS, _, D>(k, {s, kh, 0}, pad::zero);
          w = load<D>(k_weight, {0});
        });
    auto t = to<f32>(x);
    auto mean = sum(t * t, axis<1>) / double(D);
    auto unit = t * rsqrt(mean + eps);
    auto y = to<bf16>(unit * to<f32>(w));
    if_(
        isQ, [&] { store(claim<BS, _, D>(q_out, {s, h, 0}), y); },
        [&] { store(claim<BS, _, D>(k_out, {s, kh, 0}), y); });
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"softmax", record<softmax>},
       {"softmax_row", record<softmax_row<8192, 8, 3>>},
       {"rms_norm", record<rms_norm>},
       {"rms_norm_row", record<rms_norm_row<8192>>},
       {"add_rms_norm", record<add_rms_norm>},
       {"softmax_by_row", record<softmax_by_row>},
       {"rms_norm_by_row", record<rms_norm_by_row>},
       {"add_rms_norm_by_row", record<add_rms_norm_by_row>},
       {"qk_norm", record<qk_norm<16, 128>>}});
}
