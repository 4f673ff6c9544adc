// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of at most 16 rows (skinny GEMM), bound by the stream of the
// weights: a program takes every P-th tile of their rows, so that it brings x
// once. Tiles are narrow, so that they are dealt evenly.

#include "Int4.h"
using namespace girih::kernel;
using library::fromInt4, library::ofHalf;

constexpr Sym M{"M"}, N{"N"}, K{"K"}, P{"P"}, S{"S"}, G{"G"};

// Columns of a tile of x and w, the most of them that a program takes of a
// row, and the most splits of a row.
constexpr int BK = 64, depth = 2560, maxSplits = 16;

// At most BM rows. Those of x and w, of which 16 bytes are so many elements,
// begin at multiples of 16 bytes.
template <int BM, int step = 8> void contract() {
  require(M >= 1);
  require(M <= BM);
  require(P >= 1);
  require(K % step == 0);
}

// Every P-th tile of BN columns of y, of which there are so many.
template <class F>
void byTiles(const Index &first, const Index &count, const F &make) {
  for (Index t : range(first, count, P)) {
    make(t);
  }
}

// As tensor cores take them: bf16 has each f8.
template <class E, int R> auto factor(const Tile<E, R, BK> &w) { return w; }
template <int R> auto factor(const Tile<f8e4m3, R, BK> &w) {
  return to<bf16>(w);
}

// The scale of each row of w, for each row of y.
template <int BM, int BN> auto ofEachRow(const Tile<f32, BN> &scale) {
  return broadcast<BM, BN>(reshape<1, BN>(scale));
}

// Of elements E: y, rounded, of sums of which something is made.
template <int BM, class E, int step = 8, class X, class W, class Y, class F>
void product(const X &x, const W &w, const Y &y, const F &made) {
  constexpr int BN = 16;
  contract<BM, step>();
  require(K <= depth);
  auto [first] = grid(P);
  byTiles(first, tiles<BM, BN>(y, axis<1>), [&](const Index &t) {
    auto out = claim<BM, BN>(y, {0, t});
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(K, BK))) {
      auto a = load<BM, BK>(x, {0, k}, pad::zero);
      auto b = load<BN, BK>(w, {t, k}, pad::zero);
      auto right = factor(b);
      acc = mma(a, permute<1, 0>(right), acc);
    }
    store(out, to<E>(made(acc, t)));
  });
}
constexpr auto asItIs = [](const auto &acc, const Index &) { return acc; };

// Of w[2, N, K]: what is made of both sums, rounded.
template <int BM, int step = 8, class X, class W, class Y, class F>
void gatedProduct(const X &x, const W &w, const Y &y, const F &made) {
  constexpr int BN = 8;
  contract<BM, step>();
  require(K <= depth);
  auto [first] = grid(P);
  byTiles(first, tiles<BM, BN>(y, axis<1>), [&](const Index &t) {
    auto out = claim<BM, BN>(y, {0, t});
    auto gate = zeros<f32, BM, BN>(), up = gate;
    for (Index k : range(ceildiv(K, BK))) {
      auto a = load<BM, BK>(x, {0, k}, pad::zero);
      auto ofGate = load<_, BN, BK>(w, {0, t, k}, pad::zero);
      auto ofUp = load<_, BN, BK>(w, {1, t, k}, pad::zero);
      auto right = factor(ofGate);
      gate = mma(a, permute<1, 0>(right), gate);
      auto other = factor(ofUp);
      up = mma(a, permute<1, 0>(other), up);
    }
    store(out, to<bf16>(made(gate, up, t)));
  });
}

// Over split s of S of the tiles of K.
template <int BM, int step = 8, class X, class W, class Y, class F>
void splitProduct(const X &x, const W &w, const Y &partial, const F &made) {
  constexpr int BN = 16;
  contract<BM, step>();
  require(S >= 1);
  require(S <= maxSplits);
  require(K <= depth * S);
  auto [first, s] = grid(P, S);
  auto all = ceildiv(K, BK);
  auto share = ceildiv(all, S);
  auto from = s * share, end = min(from + share, all);
  byTiles(first, tiles<_, BM, BN>(partial, axis<2>),
          [&, s = s](const Index &t) {
            auto out = claim<_, BM, BN>(partial, {s, 0, t});
            auto acc = zeros<f32, BM, BN>();
            for (Index k : range(from, end)) {
              auto a = load<BM, BK>(x, {0, k}, pad::zero);
              auto b = load<BN, BK>(w, {t, k}, pad::zero);
              auto right = factor(b);
              acc = mma(a, permute<1, 0>(right), acc);
            }
            store(out, made(acc, t));
          });
}

template <int BM> struct skinny_rows {
  Shared<bf16, M, K> x;
  Shared<bf16, N, K> w;
  Out<bf16, M, N> y;
  void operator()() { product<BM, bf16>(x, w, y, asItIs); }
};

template <int BM> struct skinny_f16_rows {
  Shared<f16, M, K> x;
  Shared<f16, N, K> w;
  Out<f16, M, N> y;
  void operator()() { product<BM, f16>(x, w, y, asItIs); }
};

template <int BM> struct skinny_f8_rows {
  Shared<bf16, M, K> x;
  Shared<f8e4m3, N, K> w;
  Shared<f32, N> scale;
  Out<bf16, M, N> y;
  void operator()() {
    product<BM, bf16, 16>(x, w, y, [&](const auto &acc, const Index &t) {
      auto ofTile = load<16>(scale, {t}, pad::zero);
      return acc * ofEachRow<BM>(ofTile);
    });
  }
};

template <int BM> struct skinny_silu_mul_rows {
  Shared<bf16, M, K> x;
  Shared<bf16, 2, N, K> w;
  Out<bf16, M, N> y;
  void operator()() {
    gatedProduct<BM>(x, w, y,
                     [](const auto &gate, const auto &up, const Index &) {
                       return gate / (1 + exp(-gate)) * up;
                     });
  }
};

template <int BM> struct skinny_silu_mul_f8_rows {
  Shared<bf16, M, K> x;
  Shared<f8e4m3, 2, N, K> w;
  Shared<f32, 2, N> scale;
  Out<bf16, M, N> y;
  void operator()() {
    gatedProduct<BM, 16>(
        x, w, y, [&](const auto &gate, const auto &up, const Index &t) {
          auto gateScale = load<_, 8>(scale, {0, t}, pad::zero);
          auto upScale = load<_, 8>(scale, {1, t}, pad::zero);
          auto scaled = gate * ofEachRow<BM>(gateScale);
          auto scaledUp = up * ofEachRow<BM>(upScale);
          return scaled / (1 + exp(-scaled)) * scaledUp;
        });
  }
};

template <int BM> struct skinny_split_k_rows {
  Shared<bf16, M, K> x;
  Shared<bf16, N, K> w;
  Out<f32, S, M, N> partial;
  void operator()() { splitProduct<BM>(x, w, partial, asItIs); }
};

template <int BM> struct skinny_split_k_f8_rows {
  Shared<bf16, M, K> x;
  Shared<f8e4m3, N, K> w;
  Shared<f32, N> scale;
  Out<f32, S, M, N> partial;
  void operator()() {
    splitProduct<BM, 16>(x, w, partial, [&](const auto &acc, const Index &t) {
      auto ofTile = load<16>(scale, {t}, pad::zero);
      return acc * ofEachRow<BM>(ofTile);
    });
  }
};

// Groups of weights of 4 bits that a program takes of a row, at most.
constexpr int groups = 20;

template <int BM> void contractOfInt4() {
  require(M >= 1);
  require(M <= BM);
  require(P >= 1);
  if constexpr (BM > 8) {
    // Of 16 rows the schedule would spill registers.
    hint("sm_90", "schedule", 0);
  }
}

// The product of group g of all rows, with what it has in the bytes of w.
template <int BM, int BN, class X>
auto ofGroup(const X &x, const Index &g, const Tile<i8, BN, ofHalf> &bytes) {
  auto bits = to<i16>(bytes, asUnsigned);
  auto low = load<BM, _, _, ofHalf>(x, {0, g, 0, 0}, pad::zero);
  auto ofLow = fromInt4(bits);
  auto sums = mma(low, permute<1, 0>(ofLow), zeros<f32, BM, BN>());
  auto high = load<BM, _, _, ofHalf>(x, {0, g, 1, 0}, pad::zero);
  auto ofHigh = fromInt4(shiftRight(bits, 4));
  return mma(high, permute<1, 0>(ofHigh), sums);
}

template <int BM> struct skinny_int4_rows {
  Shared<bf16, M, G, 2, ofHalf> x;
  Shared<i8, N, G, ofHalf> w;
  Shared<bf16, N, G> scale;
  Out<bf16, M, N> y;
  void operator()() {
    constexpr int BN = 16;
    contractOfInt4<BM>();
    require(G <= groups);
    auto [first] = grid(P);
    byTiles(first, tiles<BM, BN>(y, axis<1>), [&](const Index &t) {
      auto out = claim<BM, BN>(y, {0, t});
      auto acc = zeros<f32, BM, BN>();
      for (Index g : range(Index(G))) {
        auto bytes = load<BN, _, ofHalf>(w, {t, g, 0}, pad::zero);
        auto sums = ofGroup<BM, BN>(x, g, bytes);
        auto ofTile = to<f32>(load<BN, _>(scale, {t, g}, pad::zero));
        auto scales = ofEachRow<BM>(ofTile);
        acc = acc + sums * scales;
      }
      store(out, to<bf16>(acc));
    });
  }
};

template <int BM> struct skinny_silu_mul_int4_rows {
  Shared<bf16, M, G, 2, ofHalf> x;
  Shared<i8, 2, N, G, ofHalf> w;
  Shared<bf16, 2, N, G> scale;
  Out<bf16, M, N> y;
  void operator()() {
    constexpr int BN = 8;
    contractOfInt4<BM>();
    require(G <= groups);
    auto [first] = grid(P);
    byTiles(first, tiles<BM, BN>(y, axis<1>), [&](const Index &t) {
      auto out = claim<BM, BN>(y, {0, t});
      auto gate = zeros<f32, BM, BN>(), up = gate;
      for (Index g : range(Index(G))) {
        auto bytes = load<_, BN, _, ofHalf>(w, {0, t, g, 0}, pad::zero);
        auto sums = ofGroup<BM, BN>(x, g, bytes);
        auto ofGate = to<f32>(load<_, BN, _>(scale, {0, t, g}, pad::zero));
        auto gateScale = ofEachRow<BM>(ofGate);
        gate = gate + sums * gateScale;
        auto more = load<_, BN, _, ofHalf>(w, {1, t, g, 0}, pad::zero);
        auto others = ofGroup<BM, BN>(x, g, more);
        auto ofUp = to<f32>(load<_, BN, _>(scale, {1, t, g}, pad::zero));
        auto upScale = ofEachRow<BM>(ofUp);
        up = up + others * upScale;
      }
      store(out, to<bf16>(gate / (1 + exp(-gate)) * up));
    });
  }
};

template <int BM> struct skinny_split_k_int4_rows {
  Shared<bf16, M, G, 2, ofHalf> x;
  Shared<i8, N, G, ofHalf> w;
  Shared<bf16, N, G> scale;
  Out<f32, S, M, N> partial;
  void operator()() {
    constexpr int BN = 16;
    contractOfInt4<BM>();
    require(S >= 1);
    require(S <= maxSplits);
    require(G <= groups * S);
    auto [first, s] = grid(P, S);
    auto all = Index(G);
    auto share = ceildiv(all, S);
    auto from = s * share, end = min(from + share, all);
    byTiles(first, tiles<_, BM, BN>(partial, axis<2>),
            [&, s = s](const Index &t) {
              auto out = claim<_, BM, BN>(partial, {s, 0, t});
              auto acc = zeros<f32, BM, BN>();
              for (Index g : range(from, end)) {
                auto bytes = load<BN, _, ofHalf>(w, {t, g, 0}, pad::zero);
                auto sums = ofGroup<BM, BN>(x, g, bytes);
                auto ofTile = to<f32>(load<BN, _>(scale, {t, g}, pad::zero));
                auto scales = ofEachRow<BM>(ofTile);
                acc = acc + sums * scales;
              }
              store(out, acc);
            });
  }
};

// y[M, N] = x[M, K] w[N, K]^T in bf16, sums in f32, of at most 16 rows, by P
// programs, each of which takes every P-th tile of 16 columns.
// any M from 1 to 16, any N, and K up to 2560, a multiple of 8, zero and ragged
// included; P at least 1
struct skinny : Variants<skinny_rows<8>, skinny_rows<16>> {
  void operator()() { when<skinny_rows<8>>(M <= 8); }
};

// y[M, N] = x[M, K] w[N, K]^T in f16, as skinny.
// any M from 1 to 16, any N, and K up to 2560, a multiple of 8, zero and ragged
// included; P at least 1
struct skinny_f16 : Variants<skinny_f16_rows<8>, skinny_f16_rows<16>> {
  void operator()() { when<skinny_f16_rows<8>>(M <= 8); }
};

// y[M, N] = silu(x w[0]^T) (x w[1]^T) of w[2, N, K] in bf16, sums and silu in
// f32, of at most 16 rows, by P programs, each of which takes every P-th tile
// of 8 columns; silu(z) is z / (1 + exp(-z)).
// any M from 1 to 16, any N, and K up to 2560, a multiple of 8, zero and ragged
// included; P at least 1
struct skinny_silu_mul
    : Variants<skinny_silu_mul_rows<8>, skinny_silu_mul_rows<16>> {
  void operator()() { when<skinny_silu_mul_rows<8>>(M <= 8); }
};

// partial[s, M, N] = x[M, K] w[N, K]^T in bf16, sums in f32, over split s of S
// of the tiles of K (split-K), of at most 16 rows, by P programs a split:
// add_rms_norm_split_k adds them up.
// any M from 1 to 16, any N, and K up to 2560 S, a multiple of 8, zero and
// ragged included; P at least 1, S from 1 to 16
struct skinny_split_k
    : Variants<skinny_split_k_rows<8>, skinny_split_k_rows<16>> {
  void operator()() { when<skinny_split_k_rows<8>>(M <= 8); }
};

// y[M, N] = x[M, K] w[N, K]^T diag(scale[N]) in bf16, as skinny: weights are
// f8E4M3FN with a scale a row. They are multiplied in bf16, which has each of
// them, and sums in f32 are scaled before they are rounded.
// any M from 1 to 16, any N, and K up to 2560, a multiple of 16, zero and
// ragged included; P at least 1
struct skinny_f8 : Variants<skinny_f8_rows<8>, skinny_f8_rows<16>> {
  void operator()() { when<skinny_f8_rows<8>>(M <= 8); }
};

// y[M, N] = silu(x w[0]^T diag(scale[0])) (x w[1]^T diag(scale[1])) of
// w[2, N, K] in f8E4M3FN with a scale a row, as skinny_silu_mul.
// any M from 1 to 16, any N, and K up to 2560, a multiple of 16, zero and
// ragged included; P at least 1
struct skinny_silu_mul_f8
    : Variants<skinny_silu_mul_f8_rows<8>, skinny_silu_mul_f8_rows<16>> {
  void operator()() { when<skinny_silu_mul_f8_rows<8>>(M <= 8); }
};

// partial[s, M, N] = x[M, K] w[N, K]^T diag(scale[N]) over split s of S of the
// tiles of K, as skinny_split_k, of weights in f8E4M3FN with a scale a row.
// any M from 1 to 16, any N, and K up to 2560 S, a multiple of 16, zero and
// ragged included; P at least 1, S from 1 to 16
struct skinny_split_k_f8
    : Variants<skinny_split_k_f8_rows<8>, skinny_split_k_f8_rows<16>> {
  void operator()() { when<skinny_split_k_f8_rows<8>>(M <= 8); }
};

// y[M, N] = x[M, G, 2, 64] w[N, G, 64]^T in bf16, as skinny: weights are of 4
// bits with a scale for each row and group, scale[N, G], as those of
// gemv_add_int4. They are multiplied in bf16, which has each of them; the sum
// of a group is in f32, and so is what it is scaled and added to. any M from 1
// to 16, any N, and G up to 20, zero and ragged included; P at least 1
struct skinny_int4 : Variants<skinny_int4_rows<8>, skinny_int4_rows<16>> {
  void operator()() { when<skinny_int4_rows<8>>(M <= 8); }
};

// y[M, N] = silu(x w[0]^T) (x w[1]^T) of w[2, N, G, 64] of 4 bits, as
// skinny_silu_mul, with a scale for each row and group, scale[2, N, G].
// any M from 1 to 16, any N, and G up to 20, zero and ragged included; P at
// least 1
struct skinny_silu_mul_int4
    : Variants<skinny_silu_mul_int4_rows<8>, skinny_silu_mul_int4_rows<16>> {
  void operator()() { when<skinny_silu_mul_int4_rows<8>>(M <= 8); }
};

// partial[s, M, N] = x[M, G, 2, 64] w[N, G, 64]^T over split s of S of the
// groups, as skinny_split_k, of weights of 4 bits with a scale for each row and
// group.
// any M from 1 to 16, any N, and G up to 20 S, zero and ragged included; P at
// least 1, S from 1 to 16
struct skinny_split_k_int4
    : Variants<skinny_split_k_int4_rows<8>, skinny_split_k_int4_rows<16>> {
  void operator()() { when<skinny_split_k_int4_rows<8>>(M <= 8); }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"skinny", record<skinny>},
       {"skinny_f16", record<skinny_f16>},
       {"skinny_f8", record<skinny_f8>},
       {"skinny_int4", record<skinny_int4>},
       {"skinny_silu_mul", record<skinny_silu_mul>},
       {"skinny_silu_mul_f8", record<skinny_silu_mul_f8>},
       {"skinny_silu_mul_int4", record<skinny_silu_mul_int4>},
       {"skinny_split_k", record<skinny_split_k>},
       {"skinny_split_k_f8", record<skinny_split_k_f8>},
       {"skinny_split_k_int4", record<skinny_split_k_int4>}});
}
