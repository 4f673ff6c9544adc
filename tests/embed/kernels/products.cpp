// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products: dense, grouped, split, of packed weights, and convolutions.

#include "proofs/kernels/Library.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, K{"K"}, P{"P"}, E{"E"}, E1{"E1"}, KG{"KG"},
    B{"B"}, H{"H"}, W{"W"}, C{"C"}, R{"R"}, S{"S"}, Q{"Q"}, stride{"stride"},
    padding{"pad"}, V{"V"}, G{"G"};

// c = gelu(a b + bias), tanh form
template <int BM, int BN, int BK> struct gemm_bias_gelu {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Shared<bf16, N> bias;
  Out<bf16, M, N> c;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(K, BK))) {
      auto x = load<BM, BK>(a, {i, k}, pad::zero);
      auto y = load<BK, BN>(b, {k, j}, pad::zero);
      acc = mma(x, y, acc);
    }
    auto x = acc + load<BN>(bias, {j}, pad::zero);
    auto inner = x * 0.79788456 * fma(x * x, 0.044715, 1);
    store(c, {i, j}, to<bf16>(x * 0.5 * (tanh(inner) + 1)));
  }
};

// Rows offsets[e] .. offsets[e + 1] of a are of expert e
template <int BM, int BN, int BK> struct grouped_gemm_partial {
  Shared<bf16, P, K> a;
  Shared<i32, E1> offsets;
  Shared<bf16, E, K, N> w;
  OutPartial<bf16, P, N> c;
  void operator()() {
    require(E1 == E + 1);
    given(splits(offsets, P));
    auto [e, j] = grid(E, ceildiv(N, BN));
    Index lo = load<_>(offsets, {e}), hi = load<_>(offsets, {e + 1});
    auto rows = narrow<0>(a, lo, hi - lo);
    auto out = narrow<0>(c, lo, hi - lo);
    for (Index i : range(tiles<BM, BK>(rows, axis<0>))) {
      auto acc = zeros<f32, BM, BN>();
      for (Index k : range(ceildiv(K, BK))) {
        auto x = load<BM, BK>(rows, {i, k}, pad::zero);
        auto y = load<_, BK, BN>(w, {e, k, j}, pad::zero);
        acc = mma(x, y, acc);
      }
      store(out, {i, j}, to<bf16>(acc));
    }
  }
};

// The same, a block a tile; blocks without one leave
template <int BM, int BN, int BK> struct grouped_gemm_wide {
  Shared<bf16, P, K> a;
  Shared<i32, E1> offsets;
  Shared<bf16, E, K, N> w;
  Out<bf16, P, N> c;
  void operator()() {
    require(E1 == E + 1);
    given(splits(offsets, P));
    auto [e, j, i] = grid(E, ceildiv(N, BN), ceildiv(P, BM));
    Index lo = load<_>(offsets, {e}), hi = load<_>(offsets, {e + 1});
    auto rows = narrow<0>(a, lo, hi - lo);
    auto out = narrow<0>(c, lo, hi - lo);
    if_(i < tiles<BM, BK>(rows, axis<0>), [&] {
      auto acc = zeros<f32, BM, BN>();
      for (Index k : range(ceildiv(K, BK))) {
        auto x = load<BM, BK>(rows, {i, k}, pad::zero);
        auto y = load<_, BK, BN>(w, {e, k, j}, pad::zero);
        acc = mma(x, y, acc);
      }
      store(out, {i, j}, to<bf16>(acc));
    });
  }
};

// The same, a block a tile of all rows, which takes of each expert those that
// are its own
template <int BM, int BN, int BK> struct grouped_gemm_dense {
  Shared<bf16, P, K> a;
  Shared<i32, E1> offsets;
  Shared<bf16, E, K, N> w;
  Out<bf16, P, N> c;
  void operator()() {
    require(E1 == E + 1);
    given(splits(offsets, P));
    auto [i, j] = grid(ceildiv(P, BM), ceildiv(N, BN));
    auto row = i * BM + iota<idx, BM, BK>(axis<0>);
    auto acc = zeros<f32, BM, BN>();
    for (Index e : range(E)) {
      Index lo = load<_>(offsets, {e}), hi = load<_>(offsets, {e + 1});
      auto isMine = (row >= lo) & (row < hi);
      if_((lo < i * BM + BM) & (i * BM < hi), [&] {
        for (Index k : range(ceildiv(K, BK))) {
          auto x = load<BM, BK>(a, {i, k}, pad::zero);
          auto y = load<_, BK, BN>(w, {e, k, j}, pad::zero);
          acc = mma(where(isMine, x, 0), y, acc);
        }
      });
    }
    store(c, {i, j}, to<bf16>(acc));
  }
};

// y[n] = sum over k of w[n, k] s[n, k / BK] x[k], w in i4
template <int BN, int BK> struct gemv_w4a16 {
  Shared<i4, N, K> w;
  Shared<f16, N, KG> s;
  Shared<f16, K> x;
  Out<f16, N> y;
  void operator()() {
    require(KG == ceildiv(K, BK));
    require(K % 2 == 0);
    auto [i] = grid(ceildiv(N, BN));
    auto out = claim<BN>(y, {i});
    auto acc = zeros<f32, BN, BK>();
    for (Index k : range(ceildiv(K, BK))) {
      auto weights = to<f32>(to<i8>(load<BN, BK>(w, {i, k}, pad::zero)));
      auto scale = to<f32>(load<BN, _>(s, {i, k}, pad::zero));
      auto t = to<f32>(load<BK>(x, {k}, pad::zero));
      acc = fma(weights * reshape<BN, 1>(scale), t, acc);
    }
    store(out, to<f16>(sum(acc, drop<1>)));
  }
};

// The same of w as bytes of two, the even one low
template <int BN, int BH> struct gemv_w4a16_bytes {
  Shared<i8, N, H> w;
  Shared<f16, N, KG> s;
  Shared<f16, K> x;
  Out<f16, N> y;
  void operator()() {
    require(K == 2 * H);
    require(KG == ceildiv(H, BH));
    auto [i] = grid(ceildiv(N, BN));
    auto pairs = unfold<0, H, 2>(x);
    auto acc = zeros<f32, BN, BH>();
    for (Index k : range(ceildiv(H, BH))) {
      auto bytes = load<BN, BH>(w, {i, k}, pad::zero);
      auto low = to<f32>(bytes << 4 >> 4), high = to<f32>(bytes >> 4);
      auto scale = reshape<BN, 1>(load<BN, _>(s, {i, k}, pad::zero));
      auto even = load<BH>(fix<1>(pairs, 0), {k}, pad::zero);
      auto odd = load<BH>(fix<1>(pairs, 1), {k}, pad::zero);
      acc = fma(low * even + high * odd, scale, acc);
    }
    store(y, {i}, to<f16>(sum(acc, drop<1>)));
  }
};

// c += a b, where P blocks share the sum of each tile
template <int BM, int BN, int BK> struct split_k {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  AtomicAdd<f32, M, N> c;
  void operator()() {
    auto [i, j, p] = grid(ceildiv(M, BM), ceildiv(N, BN), P);
    Index count = ceildiv(K, BK);
    auto share = ceildiv(count, gridDim(2));
    auto from = p * share;
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(from, min(from + share, count))) {
      auto x = load<BM, BK>(a, {i, k}, pad::zero);
      auto y = load<BK, BN>(b, {k, j}, pad::zero);
      acc = mma(x, y, acc);
    }
    atomic(c, {i, j}, acc);
  }
};

// y[m, k] = sum over r, s, c of
//     x[b, p * stride + r - pad, q * stride + s - pad, c] f[r, s, c, k]
// for m = (b, p, q): rows of a tile are pixels of the output
template <int BM, int BC, int BK> struct conv2d {
  Shared<bf16, B, H, W, C> x;
  Shared<bf16, R, S, C, K> f;
  Out<f32, M, K> y;
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
    require(M == B * P * Q);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(K, BK));
    auto m = i * BM + iota<idx, BM, BC>(axis<0>);
    auto b = m / Q / P;
    auto h0 = m / Q % P * stride - padding, w0 = m % Q * stride - padding;
    auto acc = zeros<f32, BM, BK>();
    for (Index r : range(R)) {
      auto h = h0 + r;
      for (Index s : range(S)) {
        auto w = w0 + s;
        auto in = (m < M) & (h >= 0) & (h < H) & (w >= 0) & (w < W);
        for (Index k : range(ceildiv(C, BC))) {
          auto c = k * BC + iota<idx, BM, BC>(axis<1>);
          auto image = gather(x, lanes(b, h, w, c), in & (c < C), pad::zero);
          auto filter = load<_, _, BC, BK>(f, {r, s, k, j}, pad::zero);
          acc = mma(image, filter, acc);
        }
      }
    }
    store(y, {i, j}, acc);
  }
};

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

// hist[v] += how often v stands in x, element by element
struct histogram_scalar {
  Shared<i32, N> x;
  AtomicAdd<i32, V> hist;
  void operator()() {
    require(G >= 1);
    given(within(x, 0, V));
    auto [g] = grid(G);
    for (Index k : range(g, tiles<_>(x, axis<0>), G)) {
      atomic(hist, {load<_>(x, {k})}, Scalar<i32>(1));
    }
  }
};

// The same, one-hot in a tile of numbers and bins
template <int BN, int BV> struct histogram_one_hot {
  Shared<i32, N> x;
  AtomicAdd<i32, V> hist;
  void operator()() {
    require(G >= 1);
    require(V <= 1000000000);
    auto [g, j] = grid(G, ceildiv(V, BV));
    auto bins = to<i32>(j * BV) + iota<i32, BN, BV>(axis<1>);
    auto counts = zeros<i32, BV>();
    for (Index k : range(g, tiles<BN>(x, axis<0>), G)) {
      auto numbers = load<BN>(x, {k}, pad::zero);
      numbers = where(inside<BN>(x, {k}), numbers, -1);
      auto isIn = reshape<BN, 1>(numbers) == bins;
      counts += sum(to<i32>(isIn), drop<0>);
    }
    atomic(hist, {j}, counts);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"gemm_bias_gelu", record<gemm_bias_gelu<128, 128, 64>>},
       {"grouped_gemm_partial", record<grouped_gemm_partial<64, 128, 64>>},
       {"grouped_gemm_wide", record<grouped_gemm_wide<64, 128, 64>>},
       {"grouped_gemm_dense", record<grouped_gemm_dense<64, 128, 64>>},
       {"gemv_w4a16", record<gemv_w4a16<32, 128>>},
       {"gemv_w4a16_bytes", record<gemv_w4a16_bytes<32, 64>>},
       {"split_k", record<split_k<64, 64, 64>>},
       {"conv2d", record<conv2d<64, 32, 64>>},
       {"conv2d_scatter", record<conv2d_scatter<64, 32, 64>>},
       {"histogram_scalar", record<histogram_scalar>},
       {"histogram_one_hot", record<histogram_one_hot<64, 256>>}});
}
