// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of many rows with what stands behind them in a layer, so that what
// lies between is not written and read again. Tiles as measured on an H200.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, K{"K"}, S{"S"};

// A layer is one launch of many: the next one may start while the last blocks
// of this one are under way, and waits for them.
inline void startEarly() { hint("sm_90", "early", 1); }

// Where sizes fit 31 bits and rows begin at multiples of 16 bytes, there is one
// entry point.
template <int warps, int occupancy, int latency> void describe() {
  startEarly();
  require(N % 8 == 0);
  require(K % 8 == 0);
  for (const Sym &size : {M, N, K}) {
    require(size <= 2147483647);
  }
  hint("sm_90", "worker_warps", warps);
  hint("sm_90", "occupancy", occupancy);
  hint("sm_90", "latency", latency);
}

template <class V> auto gated(const V &gate, const V &up) {
  return to<bf16>(gate / (1 + exp(-gate)) * up);
}

// The tile (i, j) of silu(x w[0]^T) (x w[1]^T).
template <int BM, int BN, int BK, class X, class W>
auto gatedProduct(const X &x, const W &w, const Index &i, const Index &j) {
  auto gate = zeros<f32, BM, BN>(), up = gate;
  for (Index k : range(ceildiv(K, BK))) {
    auto a = load<BM, BK>(x, {i, k}, pad::zero);
    auto ofGate = load<_, BN, BK>(w, {0, j, k}, pad::zero);
    auto ofUp = load<_, BN, BK>(w, {1, j, k}, pad::zero);
    gate = mma(a, permute<1, 0>(ofGate), gate);
    up = mma(a, permute<1, 0>(ofUp), up);
  }
  return gated(gate, up);
}

// Of few rows, which are columns of what is computed: tensor cores take 64 rows
// at a time, and those are of the weights.
template <int BM, int BN, int BK, int occupancy, int latency>
struct gated_turned {
  Shared<bf16, M, K> x;
  Shared<bf16, 2, N, K> w;
  Out<bf16, M, N> y;
  void operator()() {
    describe<4, occupancy, latency>();
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto gate = zeros<f32, BN, BM>(), up = gate;
    for (Index k : range(ceildiv(K, BK))) {
      auto columns = permute<1, 0>(load<BM, BK>(x, {i, k}, pad::zero));
      auto ofGate = load<_, BN, BK>(w, {0, j, k}, pad::zero);
      auto ofUp = load<_, BN, BK>(w, {1, j, k}, pad::zero);
      gate = mma(ofGate, columns, gate);
      up = mma(ofUp, columns, up);
    }
    store(y, {i, j}, permute<1, 0>(gated(gate, up)));
  }
};

// A block a tile, row by row.
template <int BM, int BN, int BK, int occupancy, int latency>
struct gated_rows {
  Shared<bf16, M, K> x;
  Shared<bf16, 2, N, K> w;
  Out<bf16, M, N> y;
  void operator()() {
    describe<4, occupancy, latency>();
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    store(y, {i, j}, gatedProduct<BM, BN, BK>(x, w, i, j));
  }
};

// Column by column, from the first rows to the last: for a few rows of tiles.
template <int BM, int BN, int BK, int warps> struct gated_columns {
  Shared<bf16, M, K> x;
  Shared<bf16, 2, N, K> w;
  Out<bf16, M, N> y;
  void operator()() {
    describe<warps, 1, 6>();
    auto [j, i] = grid(ceildiv(N, BN), ceildiv(M, BM));
    store(y, {i, j}, gatedProduct<BM, BN, BK>(x, w, i, j));
  }
};

// Tiles in bands of 2048 rows, each band column by column, so that blocks that
// run at a time share what they read in the L2 cache; in the last band, those
// whose row is behind the last one do nothing. Tiles of 256 rows are of two
// blocks, which share what they read.
template <int BM, int BN, int BK, int warps> struct gated_bands {
  Shared<bf16, M, K> x;
  Shared<bf16, 2, N, K> w;
  Out<bf16, M, N> y;
  void operator()() {
    describe<warps, 1, 6>();
    if constexpr (BM == 256) {
      hint("sm_90", "ctas", 2);
    }
    constexpr int band = 2048 / BM;
    auto [t] = grid(ceildiv(M, band * BM) * (band * ceildiv(N, BN)));
    auto bandTiles = band * tiles<BM, BN>(y, axis<1>);
    auto i = t / bandTiles * band + t % bandTiles % band;
    auto j = t % bandTiles / band;
    if_(i < tiles<BM, BN>(y, axis<0>), [&] {
      auto out = claim<BM, BN>(y, {i, j});
      store(out, gatedProduct<BM, BN, BK>(x, w, i, j));
    });
  }
};

// Where tiles of half the columns leave so much less of the machine idle in the
// last round over its 132 multiprocessors that they make up for being slower.
inline Comparison endsSoonerHalf() {
  auto rounds = [](int columns) {
    return ceildiv(ceildiv(M, 128) * ceildiv(N, columns), 132);
  };
  return 23 * rounds(64) < 40 * rounds(128);
}

// y[M, N] = silu(x w[0]^T) (x w[1]^T) of x[M, K] and w[2, N, K] in bf16, sums
// and silu in f32: two layers and the gate between them, as in models like
// Llama and Qwen; silu(z) is z / (1 + exp(-z)).
// any M, N and K, multiples of 8 but for M, zero and ragged included
struct linear_silu_mul
    : Variants<gated_turned<16, 64, 256, 1, 3>, gated_turned<32, 64, 256, 1, 3>,
               gated_turned<32, 64, 128, 2, 4>, gated_rows<64, 64, 128, 1, 6>,
               gated_rows<64, 64, 64, 2, 6>, gated_rows<128, 64, 64, 1, 6>,
               gated_rows<128, 64, 64, 2, 4>, gated_bands<256, 128, 64, 8>,
               gated_columns<128, 64, 64, 4>, gated_columns<128, 128, 64, 8>,
               gated_bands<128, 128, 64, 8>> {
  void operator()() {
    when<gated_turned<16, 64, 256, 1, 3>>(M <= 16);
    when<gated_turned<32, 64, 256, 1, 3>>(M <= 32, N <= 8448);
    when<gated_turned<32, 64, 128, 2, 4>>(M <= 32);
    // A tile a multiprocessor, or so many tiles that a round more is little.
    auto tiles = ceildiv(M, 64) * ceildiv(N, 64);
    when<gated_rows<64, 64, 128, 1, 6>>(
        min(tiles - 132, max(M - 64, 16897 - N)) <= 0);
    when<gated_rows<64, 64, 64, 2, 6>>(M <= 64);
    when<gated_rows<128, 64, 64, 1, 6>>(ceildiv(M, 128) * ceildiv(N, 64) <=
                                        132);
    when<gated_rows<128, 64, 64, 2, 4>>(M <= 128);
    when<gated_bands<256, 128, 64, 8>>(M > 256, N >= 16000);
    when<gated_columns<128, 64, 64, 4>>(M <= 896, endsSoonerHalf());
    when<gated_columns<128, 128, 64, 8>>(M <= 896);
  }
};

// Tiles of BM rows and all W columns of a panel of both matrices, W1 and W2 of
// them apart, as those of linear_panels. Panel by panel, each from the first
// rows to the last.
constexpr Sym B{"B"}, W{"W"};
template <int BM, int W1, int W2, int BK> struct gated_panels {
  Shared<bf16, M, K> x;
  Shared<bf16, B, W, K> gate, up;
  Out<bf16, M, B, W> y;
  void operator()() {
    static_assert(W1 % W2 == 0);
    require(W == W1 + W2);
    // All that makes one entry point.
    for (const Sym &size : {M, B, W, K}) {
      require(size >= 1);
      require(size <= 2147483647);
    }
    for (const Comparison &each :
         {B * W <= 2147483647, W * K <= 2147483647, W % 8 == 0, K % 8 == 0}) {
      require(each);
    }
    startEarly();
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    hint("sm_90", "latency", 6);
    auto [j, i] = grid(B, ceildiv(M, BM));
    auto leftGate = zeros<f32, BM, W1>(), leftUp = leftGate;
    auto rightGate = zeros<f32, BM, W2>(), rightUp = rightGate;
    for (Index k : range(ceildiv(K, BK))) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto b = load<_, W1, BK>(gate, {j, 0, k}, pad::zero);
      auto c = load<_, W2, BK>(gate, {j, W1 / W2, k}, pad::zero);
      auto d = load<_, W1, BK>(up, {j, 0, k}, pad::zero);
      auto e = load<_, W2, BK>(up, {j, W1 / W2, k}, pad::zero);
      leftGate = mma(a, permute<1, 0>(b), leftGate);
      rightGate = mma(a, permute<1, 0>(c), rightGate);
      leftUp = mma(a, permute<1, 0>(d), leftUp);
      rightUp = mma(a, permute<1, 0>(e), rightUp);
    }
    auto outLeft = claim<BM, _, W1>(y, {i, j, 0});
    store(outLeft, gated(leftGate, leftUp));
    auto outRight = claim<BM, _, W2>(y, {i, j, W1 / W2});
    store(outRight, gated(rightGate, rightUp));
  }
};

// y[M, B, W] = silu(x gate^T) (x up^T) of x[M, K] and of B panels of both
// matrices, [B, W, K] in bf16: linear_silu_mul of W = 80 or 160 columns a tile,
// where tiles of powers of two leave many multiprocessors idle in their last
// round. The last panel may reach beyond a matrix, into rows of which nobody
// reads the results. As measured on an H200.
// any M, B and K from 1 to 2147483647, K a multiple of 8
struct linear_silu_mul_panels
    : Variants<gated_panels<128, 64, 16, 128>, gated_panels<128, 128, 32, 64>> {
  void operator()() { when<gated_panels<128, 64, 16, 128>>(W == 80); }
};

// The product of split s of the columns of x and w.
template <int BK, class F> void splitDepth(const Index &s, const F &add) {
  auto all = ceildiv(K, BK);
  auto share = ceildiv(all, S);
  auto from = s * share;
  for (Index k : range(from, min(from + share, all))) {
    add(k);
  }
}

// Rows of x may lie apart: a part of wider ones.
constexpr Sym ldx{"ldx"};
using Input = With<Shared<bf16, M, K>, strides<ldx, 1>>;
inline void requireRows() {
  require(ldx % 8 == 0);
  require(ldx <= 2147483647);
}

template <int BM, int BN, int BK, int occupancy, int latency>
struct split_turned {
  Input x;
  Shared<bf16, N, K> w;
  Out<f32, S, M, N> partial;
  void operator()() {
    describe<4, occupancy, latency>();
    requireRows();
    require(S >= 1);
    auto [j, s, i] = grid(ceildiv(N, BN), S, ceildiv(M, BM));
    auto out = claim<_, BM, BN>(partial, {s, i, j});
    auto acc = zeros<f32, BN, BM>();
    splitDepth<BK>(s, [&, i = i, j = j](const Index &k) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto b = load<BN, BK>(w, {j, k}, pad::zero);
      acc = mma(b, permute<1, 0>(a), acc);
    });
    store(out, permute<1, 0>(acc));
  }
};

template <int BM, int BN, int BK, int warps, int occupancy, int latency>
struct split_rows {
  Input x;
  Shared<bf16, N, K> w;
  Out<f32, S, M, N> partial;
  void operator()() {
    describe<warps, occupancy, latency>();
    requireRows();
    require(S >= 1);
    auto [j, s, i] = grid(ceildiv(N, BN), S, ceildiv(M, BM));
    auto out = claim<_, BM, BN>(partial, {s, i, j});
    auto acc = zeros<f32, BM, BN>();
    splitDepth<BK>(s, [&, i = i, j = j](const Index &k) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto b = load<BN, BK>(w, {j, k}, pad::zero);
      acc = mma(a, permute<1, 0>(b), acc);
    });
    store(out, acc);
  }
};

// partial[s, M, N] = x[M, K] w[N, K]^T in bf16, sums in f32, over split s of S
// of the tiles of K (split-K): for products with too few tiles to keep all
// multiprocessors busy. add_rms_norm_split_k adds them up. 3 splits are best
// for most.
// any M, N and K, multiples of 8 but for M, zero and ragged included, rows of x
// at multiples of 16 bytes; S at least 1
struct linear_split_k
    : Variants<split_turned<16, 64, 256, 1, 4>, split_turned<32, 64, 128, 2, 4>,
               split_rows<64, 64, 128, 4, 2, 4>,
               split_rows<128, 64, 128, 4, 1, 4>,
               split_rows<128, 128, 64, 4, 1, 6>,
               split_rows<128, 256, 64, 8, 1, 6>> {
  void operator()() {
    when<split_turned<16, 64, 256, 1, 4>>(M <= 16);
    when<split_turned<32, 64, 128, 2, 4>>(M <= 32);
    when<split_rows<64, 64, 128, 4, 2, 4>>(M <= 64);
    when<split_rows<128, 64, 128, 4, 1, 4>>(M <= 128, N <= 2560);
    when<split_rows<128, 128, 64, 4, 1, 6>>(M <= 256);
  }
};

// Rows of at most BN, each a block.
template <int BN, int warps, int occupancy> struct add_norm_of_splits {
  Shared<f32, S, M, N> partial;
  Shared<bf16, M, N> residual;
  Shared<bf16, N> weight;
  Out<bf16, M, N> sum, y;
  Scalar<f32> eps;
  void operator()() {
    require(N <= BN);
    startEarly();
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", occupancy);
    hint("sm_90", "tma", 0);
    auto [row] = grid(M);
    if_(Index(ceildiv(N, BN)) > 0, [&, row = row] {
      auto outSum = claim<_, BN>(sum, {row, 0});
      auto out = claim<_, BN>(y, {row, 0});
      auto acc = zeros<f32, BN>();
      for (Index s : range(Index(S))) {
        acc += load<_, _, BN>(partial, {s, row, 0}, pad::zero);
      }
      auto before = to<f32>(load<_, BN>(residual, {row, 0}, pad::zero));
      auto w = to<f32>(load<BN>(weight, {0}, pad::zero));
      auto rounded = to<bf16>(acc + before);
      store(outSum, rounded);
      auto t = to<f32>(rounded);
      auto mean = girih::kernel::sum(t * t) / to<f32>(to<i64>(Index(N)));
      store(out, to<bf16>(t * rsqrt(mean + eps) * w));
    });
  }
};

// What linear_split_k leaves, added up and to a residual, in sum[M, N], which
// is rounded to bf16 once, and of that y[M, N] = sum / sqrt(mean of its squares
// + eps) weight, as add_rms_norm.
// any S and M, and N up to 8192, zero and ragged included
struct add_rms_norm_split_k
    : Variants<add_norm_of_splits<1024, 4, 4>, add_norm_of_splits<4096, 16, 1>,
               add_norm_of_splits<4096, 8, 2>,
               add_norm_of_splits<8192, 16, 1>> {
  void operator()() {
    when<add_norm_of_splits<1024, 4, 4>>(N <= 1024);
    when<add_norm_of_splits<4096, 16, 1>>(N <= 4096, M <= 128);
    when<add_norm_of_splits<4096, 8, 2>>(N <= 4096);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"linear_silu_mul", record<linear_silu_mul>},
       {"linear_silu_mul_panels", record<linear_silu_mul_panels>},
       {"linear_split_k", record<linear_split_k>},
       {"add_rms_norm_split_k", record<add_rms_norm_split_k>}});
}
