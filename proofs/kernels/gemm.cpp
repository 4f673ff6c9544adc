// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products in bf16, and the orders in which blocks take their tiles.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, K{"K"}, Z{"Z"}, P{"P"}, G{"G"};

// What large tiles are fastest with.
template <int BM, int BN> void hints() {
  if constexpr (BM * BN >= 128 * 256) {
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    hint("sm_90", "latency", 6);
  }
}

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

// C[M, N] = A[M, K] * B[K, N], factors in bf16, sums in f32
// any M, N and K, zero and ragged included
template <int BM, int BN, int BK> struct gemm {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Out<f32, M, N> c;
  void operator()() {
    hints<BM, BN>();
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto out = claim<BM, BN>(c, {i, j});
    store(out, product<BM, BN, BK>(a, b, i, j));
  }
};

// Large tiles where there are enough of them for the machine, else small ones,
// with which large ones would leave most of it idle
struct gemm_by_size : Variants<gemm<128, 256, 64>, gemm<64, 128, 64>> {
  void operator()() { when<gemm<128, 256, 64>>(M * N >= 2097152); }
};

// C[b] = A[b] * B[b] for each of the Z matrices of a batch, in bf16, sums in
// f32 any Z, M, N and K, zero and ragged included
template <int BM, int BN, int BK> struct gemm_batched {
  Shared<bf16, Z, M, K> a;
  Shared<bf16, Z, K, N> b;
  Out<bf16, Z, M, N> c;
  void operator()() {
    hints<BM, BN>();
    auto [i, j, z] = grid(ceildiv(M, BM), ceildiv(N, BN), Z);
    auto out = claim<_, BM, BN>(c, {z, i, j});
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(K, BK))) {
      auto x = load<_, BM, BK>(a, {z, i, k}, pad::zero);
      auto y = load<_, BK, BN>(b, {z, k, j}, pad::zero);
      acc = mma(x, y, acc);
    }
    store(out, to<bf16>(acc));
  }
};

// C[M, N] = A[M, K] * B[K, N] in bf16, sums in f32, a block a tile of C. Tiles
// are taken in bands of eight rows, each band column by column, so that blocks
// that run at a time share what they read in the L2 cache; in the last band,
// those whose row is behind the last one do nothing.
// any M, N and K, zero and ragged included
template <int BM, int BN, int BK> struct gemm_grouped_order {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Out<bf16, M, N> c;
  void operator()() {
    hints<BM, BN>();
    auto [t] = grid(ceildiv(M, 8 * BM) * (8 * ceildiv(N, BN)));
    auto gm = tiles<BM, BN>(c, axis<0>);
    auto gn = tiles<BM, BN>(c, axis<1>);
    auto bandTiles = 8 * gn;
    auto band = t / bandTiles;
    auto rest = t % bandTiles;
    auto i = band * 8 + rest % 8;
    auto j = rest / 8;
    if_(i < gm, [&] {
      auto out = claim<BM, BN>(c, {i, j});
      store(out, to<bf16>(product<BM, BN, BK>(a, b, i, j)));
    });
  }
};

// C[M, N] = A[M, K] * B[K, N] by P programs, each of which takes every P-th
// tile of C. Panels of eight rows of tiles, each column by column, so that what
// programs read at a time stays in the L2 cache; the last panel may be ragged.
// any M, N and K, zero and ragged included; P at least 1
template <int BM, int BN, int BK> struct gemm_persistent {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Out<f32, M, N> c;
  void operator()() {
    require(P >= 1);
    hints<BM, BN>();
    auto [first] = grid(P);
    auto rows = tiles<BM, BN>(c, axis<0>);
    auto columns = tiles<BM, BN>(c, axis<1>);
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

// C[M, N] = A[M, K] * B[K, N] by P programs, each of which takes every P-th
// tile of C in the order of a map: bands of G rows of tiles, each band column
// by column, so that what programs read at a time stays in the L2 cache; the
// last band is as high as what is left. The inverse of the map says who writes
// a tile, and when. any M, N and K, zero and ragged included; P and G at least
// 1
template <int BM, int BN, int BK> struct gemm_persistent_swizzled {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Out<f32, M, N> c;
  void operator()() {
    require(P >= 1);
    require(G >= 1);
    require(ceildiv(M, BM) * ceildiv(N, BN) <= 2147483647);
    require(G * ceildiv(N, BN) <= 2147483647);
    hints<BM, BN>();
    auto [first] = grid(P);
    auto gm = tiles<BM, BN>(c, axis<0>);
    auto gn = tiles<BM, BN>(c, axis<1>);
    for (Index t : range(first, gm * gn, P)) {
      auto [i, j] = apply<bands>({t}, {gm, gn, G});
      auto out = claim<BM, BN>(c, {i, j});
      store(out, product<BM, BN, BK>(a, b, i, j));
    }
  }
};

// C[M, N] = A[M, K] * B[K, N] in bf16, sums in f32, a block a tile of C. Tiles
// are taken in bands of G rows, each band column by column, so that blocks that
// run at a time share what they read in the L2 cache; the last band is as high
// as what is left.
// any M, N and K, zero and ragged included; G at least 1
template <int BM, int BN, int BK> struct gemm_swizzled {
  Shared<bf16, M, K> a;
  Shared<bf16, K, N> b;
  Out<bf16, M, N> c;
  void operator()() {
    require(G >= 1);
    require(G <= 1024);
    hints<BM, BN>();
    auto [t] = grid(ceildiv(M, BM) * ceildiv(N, BN));
    constexpr Sym i{"i"}, j{"j"};
    covers(c, {i, j},
           block(i / G * G * ceildiv(N, BN) +
                 j * min(ceildiv(M, BM) - i / G * G, G) + i % G));
    auto gm = tiles<BM, BN>(c, axis<0>);
    auto gn = tiles<BM, BN>(c, axis<1>);
    auto bandTiles = G * gn;
    auto band = t / bandTiles;
    auto rest = t % bandTiles;
    auto top = band * G;
    auto height = min(gm - top, G);
    auto row = top + rest % height;
    auto column = rest / height;
    auto out = claim<BM, BN>(c, {row, column});
    store(out, to<bf16>(product<BM, BN, BK>(a, b, row, column)));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"gemm", record<gemm<128, 256, 64>>},
       {"gemm_small", record<gemm<64, 128, 64>>},
       {"gemm_by_size", record<gemm_by_size>},
       {"gemm_batched", record<gemm_batched<128, 256, 64>>},
       {"gemm_grouped_order", record<gemm_grouped_order<128, 256, 64>>},
       {"gemm_persistent", record<gemm_persistent<128, 256, 64>>},
       {"gemm_persistent_swizzled",
        record<gemm_persistent_swizzled<128, 256, 64>>},
       {"gemm_swizzled", record<gemm_swizzled<128, 256, 64>>}});
}
