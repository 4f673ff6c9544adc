// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that reduce rows.

#include "../Kernels.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"};

// y = softmax over each row of x, in three passes over tiles of BN
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

// The same of rows that fit a tile, each element read once
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
      auto t = load<_, BN>(x, {row, 0}, pad::neg_inf);
      auto e = exp(t - max(t));
      store(y, {row, 0}, e / sum(e));
    });
  }
};

// y = x * weight / sqrt(mean of x^2 + eps)
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
    auto mean = sum(squares) / to<f32>(to<i64>(Index(N)));
    auto scale = broadcast<BN>(rsqrt(mean + eps));
    for (Index k : range(ceildiv(N, BN))) {
      auto unit = to<f32>(load<_, BN>(x, {row, k}, pad::zero)) * scale;
      auto w = to<f32>(load<BN>(weight, {k}, pad::zero));
      store(y, {row, k}, to<bf16>(unit * w));
    }
  }
};

// y = (x - mean) * rstd * w + b; lanes behind the row count for nothing
template <int BN> struct layer_norm {
  Shared<bf16, M, N> x;
  Shared<bf16, N> w, b;
  Out<bf16, M, N> y;
  Out<f32, M> mean, rstd;
  Scalar<f32> eps;
  void operator()() {
    auto [row] = grid(M);
    auto count = to<f32>(to<i64>(Index(N)));
    auto outMean = claim<_>(mean, {row});
    auto outRstd = claim<_>(rstd, {row});
    auto sums = zeros<f32, BN>();
    for (Index k : range(ceildiv(N, BN))) {
      sums += to<f32>(load<_, BN>(x, {row, k}, pad::zero));
    }
    auto mu = sum(sums) / count;
    auto mus = broadcast<BN>(mu);
    auto squares = zeros<f32, BN>();
    for (Index k : range(ceildiv(N, BN))) {
      auto d = to<f32>(load<_, BN>(x, {row, k}, pad::zero)) - mus;
      d = where(inside<_, BN>(x, {row, k}), d, 0);
      squares = fma(d, d, squares);
    }
    auto r = rsqrt(sum(squares) / count + eps);
    auto rs = broadcast<BN>(r);
    store(outMean, mu);
    store(outRstd, r);
    for (Index k : range(ceildiv(N, BN))) {
      auto t = to<f32>(load<_, BN>(x, {row, k}, pad::zero));
      auto scale = to<f32>(load<BN>(w, {k}, pad::zero));
      auto shift = to<f32>(load<BN>(b, {k}, pad::zero));
      store(y, {row, k}, to<bf16>(fma((t - mus) * rs, scale, shift)));
    }
  }
};

int main(int argc, char **argv) {
  return test::writeAll(argc, argv,
                        {{"softmax", record<softmax<4096>>},
                         {"softmax_row", record<softmax_row<8192>>},
                         {"rms_norm", record<rms_norm<2048>>},
                         {"layer_norm", record<layer_norm<1024>>}});
}
