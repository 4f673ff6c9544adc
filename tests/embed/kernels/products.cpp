// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products, and the orders in which blocks take their tiles.

#include "../Kernels.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, K{"K"}, P{"P"}, G{"G"}, KS{"KS"}, KG{"KG"};

// The tile (i, j) of a b.
template <int BM, int BN, int BK, class A, class B>
auto product(const A &a, const B &b, const Index &i, const Index &j) {
  auto acc = zeros<f32, BM, BN>();
  for (Index k : range(ceildiv(K, BK))) {
    auto x = load<BM, BK>(a, {i, k}, pad::zero);
    auto y = load<BK, BN>(b, {k, j}, pad::zero);
    acc = mma(x, y, acc);
  }
  return acc;
}
inline void hints() {
  hint("sm_90", "worker_warps", 8);
  hint("sm_90", "occupancy", 1);
  hint("sm_90", "latency", 6);
}

// c = a b
template <int BM, int BN, int BK> struct gemm {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Out<f32, M, N> c;
  void operator()() {
    hints();
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto out = claim<BM, BN>(c, {i, j});
    store(out, product<BM, BN, BK>(a, b, i, j));
  }
};

// By P programs, each of which takes every P-th tile, in panels of eight rows
template <int BM, int BN, int BK> struct gemm_persistent {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Out<f32, M, N> c;
  void operator()() {
    require(P >= 1);
    hints();
    auto [first] = grid(P);
    auto rows = tiles<BM, BN>(c, axis<0>), columns = tiles<BM, BN>(c, axis<1>);
    auto panel = columns * 8;
    for (Index t : range(first, ceildiv(rows, 8) * panel, P)) {
      auto rest = t % panel;
      auto j = rest / 8;
      auto i = t / panel * 8 + rest % 8;
      if_(i < rows, [&] {
        auto out = claim<BM, BN>(c, {i, j});
        store(out, product<BM, BN, BK>(a, b, i, j));
      });
    }
  }
};

// Tiles in bands of G rows, each band column by column; the last is as high as
// what is left. The inverse says who writes a tile, and when.
constexpr Sym rows{"rows"}, columns{"columns"};
struct bands : Map<rows, columns, G> {
  static constexpr Property property = Property::bijective;
  Extents<1> from() const { return {rows * columns}; }
  Extents<2> into() const { return {rows, columns}; }
  Ids<2> operator()(const Index &t) const {
    auto bandTiles = G * Index(columns);
    auto rest = t % bandTiles;
    auto top = t / bandTiles * G;
    auto height = min(rows - top, G);
    return {top + rest % height, rest / height};
  }
  Ids<1> inverse(const Index &i, const Index &j) const {
    auto band = i / G;
    auto height = min(rows - band * G, G);
    return {band * (G * Index(columns)) + j * height + i % G};
  }
};
template <int BM, int BN, int BK> struct gemm_persistent_swizzled {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Out<f32, M, N> c;
  void operator()() {
    require(P >= 1);
    require(G >= 1);
    require(ceildiv(M, BM) * ceildiv(N, BN) <= 2147483647);
    require(G * ceildiv(N, BN) <= 2147483647);
    hints();
    auto [first] = grid(P);
    auto gm = tiles<BM, BN>(c, axis<0>), gn = tiles<BM, BN>(c, axis<1>);
    for (Index t : range(first, gm * gn, P)) {
      auto [i, j] = apply<bands>({t}, {gm, gn, G});
      auto out = claim<BM, BN>(c, {i, j});
      store(out, product<BM, BN, BK>(a, b, i, j));
    }
  }
};

// A block a tile, in the same order, which a covers clause inverts
template <int BM, int BN, int BK> struct gemm_swizzled {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Out<bf16, M, N> c;
  void operator()() {
    require(G >= 1);
    require(G <= 1024);
    hints();
    auto [t] = grid(ceildiv(M, BM) * ceildiv(N, BN));
    constexpr Sym i{"i"}, j{"j"};
    covers(c, {i, j},
           block(i / G * G * ceildiv(N, BN) +
                 j * min(ceildiv(M, BM) - i / G * G, G) + i % G));
    auto gm = tiles<BM, BN>(c, axis<0>), gn = tiles<BM, BN>(c, axis<1>);
    auto bandTiles = G * gn;
    auto band = t / bandTiles;
    auto rest = t % bandTiles;
    auto top = band * G;
    auto height = min(gm - top, G);
    auto row = top + rest % height, column = rest / height;
    auto out = claim<BM, BN>(c, {row, column});
    store(out, to<bf16>(product<BM, BN, BK>(a, b, row, column)));
  }
};

// z = alpha x y^T in NVFP4: every 16 elements of a row share a scale
template <int BM, int BN, int BK> struct gemm_nvfp4 {
  Shared<f4e2m1, M, K> x;
  Shared<f8e4m3, M, KS> x_scales;
  Shared<f4e2m1, N, K> y;
  Shared<f8e4m3, N, KS> y_scales;
  Out<f32, M, N> z;
  Scalar<f32> alpha;
  void operator()() {
    require(K == 16 * KS);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto out = claim<BM, BN>(z, {i, j});
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(K, BK))) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto as = load<BM, BK / 16>(x_scales, {i, k}, pad::zero);
      auto b = load<BN, BK>(y, {j, k}, pad::zero);
      auto bs = load<BN, BK / 16>(y_scales, {j, k}, pad::zero);
      acc = mmaScaled(a, transpose(b), acc, as, transpose(bs));
    }
    store(out, acc * alpha);
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

// c = gelu(a b + bias)
template <int... D> auto gelu(const Tile<f32, D...> &x) {
  return 0.5 * x * (1 + erf(x * 0.70710678));
}
template <int BM, int BN, int BK> struct gemm_bias_gelu {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Shared<f32, N> bias;
  Out<bf16, M, N> c;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto acc = product<BM, BN, BK>(a, b, i, j);
    auto shift = load<BN>(bias, {j}, pad::zero);
    store(c, {i, j}, to<bf16>(gelu(acc + shift)));
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

int main(int argc, char **argv) {
  return test::writeAll(
      argc, argv,
      {{"gemm", record<gemm<128, 256, 64>>},
       {"gemm_persistent", record<gemm_persistent<128, 256, 64>>},
       {"gemm_persistent_swizzled",
        record<gemm_persistent_swizzled<128, 256, 64>>},
       {"gemm_swizzled", record<gemm_swizzled<128, 256, 64>>},
       {"gemm_nvfp4", record<gemm_nvfp4<128, 128, 128>>},
       {"gemv_w4a16", record<gemv_w4a16<32, 128>>},
       {"split_k", record<split_k<64, 64, 64>>},
       {"gemm_bias_gelu", record<gemm_bias_gelu<128, 256, 64>>}});
}
