// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that reduce rows: softmax and norms.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, S{"S"}, HQ{"HQ"}, HK{"HK"};

// y[M, N] = softmax over each row of x[M, N] in f32, in three passes over tiles
// of a row; a row of -inf gives nan
// any M and N, zero and ragged included
template <int BN> struct softmax {
  Shared<f32, M, N> x;
  Out<f32, M, N> y;
  void operator()() {
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 4);
    auto [row] = grid(M);
    // The largest element of the row. Padding is -inf, so that it never wins.
    auto maxima = fill<f32, BN>(-inf);
    for (Index k : range(ceildiv(N, BN))) {
      maxima = max(maxima, load<_, BN>(x, {row, k}, pad::neg_inf));
    }
    auto shift = broadcast<BN>(max(maxima));
    // The sum of the exponentials. Padding adds exp(-inf) = 0.
    auto sums = zeros<f32, BN>();
    for (Index k : range(ceildiv(N, BN))) {
      sums += exp(load<_, BN>(x, {row, k}, pad::neg_inf) - shift);
    }
    auto scale = broadcast<BN>(sum(sums));
    for (Index k : range(ceildiv(N, BN))) {
      auto e = exp(load<_, BN>(x, {row, k}, pad::neg_inf) - shift);
      store(y, {row, k}, e / scale);
    }
  }
};

// y[M, N] = softmax over each row of x[M, N] in f32, a row a block, in one
// tile: each element is read once; a row of -inf gives nan any M, and N up to
// 8192, zero and ragged included
template <int BN> struct softmax_row {
  Shared<f32, M, N> x;
  Out<f32, M, N> y;
  void operator()() {
    require(N <= BN);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 3);
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

// The number of columns, for means.
inline auto columns() { return to<f32>(to<i64>(Index(N))); }

// y[m, n] = x[m, n] * weight[n] / sqrt(mean over n of x[m, n]^2 + eps), in bf16
// any M and N, zero and ragged included
template <int BN> struct rms_norm {
  Shared<bf16, M, N> x;
  Shared<bf16, N> weight;
  Out<bf16, M, N> y;
  Scalar<f32> eps;
  void operator()() {
    hint("sm_90", "occupancy", 8);
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
// bf16, a row a block, in one tile: each element of x is read once any M, and N
// up to 8192, zero and ragged included
template <int BN> struct rms_norm_row {
  Shared<bf16, M, N> x;
  Shared<bf16, N> weight;
  Out<bf16, M, N> y;
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

// sum = x + residual, y[m, n] = sum[m, n] * weight[n] / sqrt(mean over n of
// sum[m, n]^2 + eps), in bf16; the sum is rounded once, and the norm is of what
// was rounded, so that y is the norm of the residual that the next layer reads
// any M and N, zero and ragged included
template <int BN> struct add_rms_norm {
  Shared<bf16, M, N> x, residual;
  Shared<bf16, N> weight;
  Out<bf16, M, N> sum, y;
  Scalar<f32> eps;
  void operator()() {
    hint("sm_90", "occupancy", 8);
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

// Each head of q and of k divided by its root mean square and scaled by the
// weights of its kind, in bf16, heads of 128, 16 a block; one launch for both
// any S, HQ and HK, zero included
template <int BH, int D> struct qk_norm {
  Shared<bf16, S, HQ, D> q;
  Shared<bf16, S, HK, D> k;
  Shared<bf16, D> q_weight, k_weight;
  Out<bf16, S, HQ, D> q_out;
  Out<bf16, S, HK, D> k_out;
  Scalar<f32> eps;
  void operator()() {
    hint("sm_90", "occupancy", 8);
    auto [s, h] = grid(S, ceildiv(HQ, BH) + ceildiv(HK, BH));
    auto heads = tiles<_, BH, D>(q, axis<1>);
    auto kh = h - heads;
    auto isQ = h < heads;
    auto x = zeros<bf16, BH, D>();
    auto w = zeros<bf16, D>();
    if_(
        isQ,
        [&] {
          x = load<_, BH, D>(q, {s, h, 0}, pad::zero);
          w = load<D>(q_weight, {0});
        },
        [&] {
          x = load<_, BH, D>(k, {s, kh, 0}, pad::zero);
          w = load<D>(k_weight, {0});
        });
    auto t = to<f32>(x);
    auto mean = sum(t * t, axis<1>) / double(D);
    auto unit = t * rsqrt(mean + eps);
    auto y = to<bf16>(unit * to<f32>(w));
    if_(
        isQ, [&] { store(q_out, {s, h, 0}, y); },
        [&] { store(k_out, {s, kh, 0}, y); });
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"softmax", record<softmax<4096>>},
                            {"softmax_row", record<softmax_row<8192>>},
                            {"rms_norm", record<rms_norm<2048>>},
                            {"rms_norm_row", record<rms_norm_row<8192>>},
                            {"add_rms_norm", record<add_rms_norm<2048>>},
                            {"qk_norm", record<qk_norm<16, 128>>}});
}
