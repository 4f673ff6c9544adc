// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose lanes go where they like: gathers, scatters, the best few of a
// row.

#include "../Kernels.h"
using namespace girih::kernel;

constexpr Sym B{"B"}, H{"H"}, W{"W"}, C{"C"}, R{"R"}, S{"S"}, K{"K"}, P{"P"},
    Q{"Q"}, stride{"stride"}, padding{"pad"}, M{"M"}, N{"N"}, NB{"NB"};

// y[b, p, q, k] = sum over r, s, c of
//     x[b, p * stride + r - pad, q * stride + s - pad, c] f[r, s, c, k]
template <int BM, int BC, int BK> struct conv2d_scatter {
  Shared<bf16, B, H, W, C> x;
  Shared<bf16, R, S, C, K> f;
  Out<f32, B, P, Q, K> y;
  void operator()() {
    require(stride >= 1);
    require(stride <= 64);
    require(padding <= 64);
    require(H + 2 * padding >= R);
    require(W + 2 * padding >= S);
    require(R >= 1);
    require(S >= 1);
    require(P == (H + 2 * padding - R) / stride + 1);
    require(Q == (W + 2 * padding - S) / stride + 1);
    auto [i, j] = grid(ceildiv(B * P * Q, BM), ceildiv(K, BK));
    Index pixels = B * (P * Q);
    // Rows of a tile are pixels of the output.
    auto m = i * BM + iota<idx, BM, BC>(axis<0>);
    auto isPixel = m < pixels;
    auto b = m / Q / P;
    auto h0 = m / Q % P * stride - padding, w0 = m % Q * stride - padding;
    auto acc = zeros<f32, BM, BK>();
    for (Index r : range(R)) {
      auto h = h0 + r;
      auto hIn = (h >= 0) & (h < H) & isPixel;
      for (Index s : range(S)) {
        auto w = w0 + s;
        auto hwIn = hIn & (w >= 0) & (w < W);
        for (Index k : range(ceildiv(C, BC))) {
          auto c = k * BC + iota<idx, BM, BC>(axis<1>);
          auto image = gather(x, lanes(b, h, w, c), hwIn & (c < C), pad::zero);
          auto filter = load<_, _, BC, BK>(f, {r, s, k, j}, pad::zero);
          acc = mma(image, filter, acc);
        }
      }
    }
    auto row = i * BM + iota<idx, BM, BK>(axis<0>);
    auto channel = j * BK + iota<idx, BM, BK>(axis<1>);
    scatter(y, lanes(row / Q / P, row / Q % P, row % Q, channel), acc,
            (row < pixels) & (channel < K));
  }
};

// The K largest of each row and where they stand, in K passes
template <int BN> struct topk {
  Shared<f32, M, N> x;
  Out<f32, M, K> values;
  Out<i32, M, K> indices;
  void operator()() {
    require(K <= 8);
    require(N <= 2147483647);
    constexpr i32 none = 2147483647;
    auto [row] = grid(M);
    auto count = to<i32>(Index(N));
    Scalar<f32> value = inf;
    Scalar<i32> index = -1;
    for (Index t : range(K)) {
      auto outValue = claim<_, _>(values, {row, t});
      auto outIndex = claim<_, _>(indices, {row, t});
      // Of each lane the best that comes after the winner before
      auto best = fill<f32, BN>(-inf);
      auto at = fill<i32, BN>(none);
      for (Index j : range(ceildiv(N, BN))) {
        auto v = load<_, BN>(x, {row, j}, pad::neg_inf);
        auto place = to<i32>(j * BN) + iota<i32, BN>(axis<0>);
        auto comes = (v < value) | ((v == value) & (place > index));
        auto take = ((v > best) | (at == none)) & (comes & (place < count));
        best = where(take, v, best);
        at = where(take, place, at);
      }
      value = max(best);
      index = min(where(best == value, at, none));
      store(outValue, value);
      store(outIndex, where(index == none, -1, index));
    }
  }
};

// The sum of each stretch of BN
template <int BN> struct scan_sums {
  Shared<i32, N> x;
  Out<i32, NB> sums;
  void operator()() {
    require(NB == ceildiv(N, BN));
    auto [i] = grid(NB);
    store(sums, {i}, sum(load<BN>(x, {i}, pad::zero)));
  }
};

int main(int argc, char **argv) {
  return test::writeAll(argc, argv,
                        {{"conv2d_scatter", record<conv2d_scatter<64, 32, 64>>},
                         {"topk", record<topk<1024>>},
                         {"scan_sums", record<scan_sums<4096>>}});
}
