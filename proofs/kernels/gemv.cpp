// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a matrix with a vector, bound by the stream of the matrix.

#include "Library.h"
#include <tuple>
using namespace girih::kernel;

constexpr Sym N{"N"}, K{"K"}, P{"P"}, G{"G"};

constexpr int BK = 512;
// Columns of half a group of int4.
constexpr int H = 64;

// Rows of w begin at multiples of 16 bytes, `step` elements.
template <int maxK, int step, int slots> void contract() {
  require(P >= 1);
  require(K % step == 0);
  require(K <= maxK);
  hint("sm_90", "slots", slots);
}
template <int BN, int maxK, int slots> void contractOfHalves() {
  contract<maxK, 8, slots>();
  if constexpr (maxK > 10240) {
    // Slices of rows of models, 14336, 25600 or 28672 long, are a copy or two.
    hint("sm_90", "slot_bytes", 3584);
  } else if constexpr (BN * maxK == 8192) {
    // One of 8 slices of the rows of a tile is a copy of so many bytes.
    hint("sm_90", "slot_bytes", 2048);
  }
}
// Of half as many bytes: copies are as long where tiles have twice the rows.
template <int maxK, int slots, int slotBytes> void contractOfF8() {
  contract<maxK, 16, slots>();
  hint("sm_90", "slot_bytes", slotBytes);
}

// G groups of 128 columns; a slice of a row is one copy at most.
template <int maxG, int slots, int slotBytes> void contractOfInt4() {
  require(P >= 1);
  require(G <= maxG);
  hint("sm_90", "slots", slots);
  hint("sm_90", "slot_bytes", slotBytes);
}

// A program takes every P-th tile of BN rows of y, each of which is `value` of
// its number.
template <int BN, class E = bf16, class Y, class F>
void byTiles(const Y &y, F value) {
  auto [first] = grid(P);
  auto rows = tiles<BN>(y, axis<0>);
  for (Index t : range(first, rows, P)) {
    auto out = claim<BN>(y, {t});
    store(out, to<E>(value(t)));
  }
}

// Tile t of w x.
template <int BN, class W, class X>
auto product(const W &w, const X &x, const Index &t) {
  auto acc = zeros<f32, BN>();
  for (Index k : range(ceildiv(K, BK))) {
    auto a = load<BN, BK>(w, {t, k}, pad::zero);
    auto b = load<BK>(x, {k}, pad::zero);
    acc = acc + sum(to<f32>(a) * to<f32>(b), drop<1>);
  }
  return acc;
}

// What x gain is multiplied with in a norm of x.
template <class T> auto scaleOfNorm(T squares, const Scalar<f32> &eps) {
  return rsqrt(sum(squares, axis<0>) / to<f32>(to<i64>(Index(K))) + eps);
}

// Tile t of w (x gain), and the sums of the squares of x.
template <int BN, class W, class X>
auto productOfNorm(const W &w, const X &x, const X &gain, const Index &t) {
  auto acc = zeros<f32, BN>();
  auto squares = zeros<f32, BK>();
  for (Index k : range(ceildiv(K, BK))) {
    auto b = to<f32>(load<BK>(x, {k}, pad::zero));
    auto g = to<f32>(load<BK>(gain, {k}, pad::zero));
    squares = squares + b * b;
    auto a = load<BN, BK>(w, {t, k}, pad::zero);
    acc = acc + sum(to<f32>(a) * to<f32>(to<bf16>(b * g)), drop<1>);
  }
  return std::pair(acc, squares);
}

// The same of both matrices.
template <int BN, class W, class X>
auto productsOfNorm(const W &w, const X &x, const X &gain, const Index &t) {
  auto gate = zeros<f32, BN>(), up = zeros<f32, BN>();
  auto squares = zeros<f32, BK>();
  for (Index k : range(ceildiv(K, BK))) {
    auto b = to<f32>(load<BK>(x, {k}, pad::zero));
    auto g = to<f32>(load<BK>(gain, {k}, pad::zero));
    squares = squares + b * b;
    auto scaled = to<f32>(to<bf16>(b * g));
    auto ofGate = load<_, BN, BK>(w, {0, t, k}, pad::zero);
    gate = gate + sum(to<f32>(ofGate) * scaled, drop<1>);
    auto ofUp = load<_, BN, BK>(w, {1, t, k}, pad::zero);
    up = up + sum(to<f32>(ofUp) * scaled, drop<1>);
  }
  return std::tuple(gate, up, squares);
}

// Rows of a group of int4, times the halves of x that go with both halves of a
// byte, and times a scale a row.
template <int BN>
auto ofGroup(const Tile<i8, BN, H> &w, const Tile<f32, H> &low,
             const Tile<f32, H> &high, const Tile<bf16, BN> &scale) {
  auto ofLow = sum((to<f32>(w & 15) - 8) * low, drop<1>);
  auto ofHigh = sum((to<f32>(shiftRight(w, 4)) - 8) * high, drop<1>);
  return (ofLow + ofHigh) * to<f32>(scale);
}

// Tile t of w x, where w is of int4.
template <int BN, class W, class S, class X>
auto productOfInt4(const W &w, const S &scale, const X &x, const Index &t) {
  auto acc = zeros<f32, BN>();
  for (Index g : range(Index(G))) {
    auto low = to<f32>(load<_, _, H>(x, {g, 0, 0}));
    auto high = to<f32>(load<_, _, H>(x, {g, 1, 0}));
    auto a = load<BN, _, H>(w, {t, g, 0}, pad::zero);
    auto s = load<BN, _>(scale, {t, g}, pad::zero);
    acc = acc + ofGroup(a, low, high, s);
  }
  return acc;
}

// What a norm of x multiplies w with, in group g, half h, and the squares of
// that half of x.
template <class X>
auto halfOfNorm(const X &x, const X &gain, const Index &g, int h) {
  auto b = to<f32>(load<_, _, H>(x, {g, h, 0}));
  auto a = to<f32>(load<_, _, H>(gain, {g, h, 0}));
  return std::pair(to<f32>(to<bf16>(b * a)), b * b);
}

// Tile t of w (x gain), and the sums of the squares of x.
template <int BN, class W, class S, class X>
auto productOfNormOfInt4(const W &w, const S &scale, const X &x, const X &gain,
                         const Index &t) {
  auto acc = zeros<f32, BN>();
  auto squares = zeros<f32, H>();
  for (Index g : range(Index(G))) {
    auto [low, ofLow] = halfOfNorm(x, gain, g, 0);
    auto [high, ofHigh] = halfOfNorm(x, gain, g, 1);
    squares = squares + (ofLow + ofHigh);
    auto a = load<BN, _, H>(w, {t, g, 0}, pad::zero);
    auto s = load<BN, _>(scale, {t, g}, pad::zero);
    acc = acc + ofGroup(a, low, high, s);
  }
  return std::pair(acc, squares);
}

// The same of both matrices.
template <int BN, class W, class S, class X>
auto productsOfNormOfInt4(const W &w, const S &scale, const X &x, const X &gain,
                          const Index &t) {
  auto gate = zeros<f32, BN>(), up = zeros<f32, BN>();
  auto squares = zeros<f32, H>();
  for (Index g : range(Index(G))) {
    auto [low, ofLow] = halfOfNorm(x, gain, g, 0);
    auto [high, ofHigh] = halfOfNorm(x, gain, g, 1);
    squares = squares + (ofLow + ofHigh);
    auto ofGate = load<_, BN, _, H>(w, {0, t, g, 0}, pad::zero);
    auto gateScale = load<_, BN, _>(scale, {0, t, g}, pad::zero);
    gate = gate + ofGroup(ofGate, low, high, gateScale);
    auto ofUp = load<_, BN, _, H>(w, {1, t, g, 0}, pad::zero);
    auto upScale = load<_, BN, _>(scale, {1, t, g}, pad::zero);
    up = up + ofGroup(ofUp, low, high, upScale);
  }
  return std::tuple(gate, up, squares);
}

// What x gain is multiplied with in a norm of x of G groups.
template <class T> auto scaleOfGroups(T squares, const Scalar<f32> &eps) {
  auto columns = to<f32>(to<i64>(Index(G))) * (2 * H);
  return rsqrt(sum(squares, axis<0>) / columns + eps);
}

// silu(gate) up.
template <class T> auto activated(const T &gated, const T &up) {
  return gated / (1 + exp(-gated)) * up;
}

// y[N] = w[N, K] x[K] in bf16, sums in f32, by P programs, each of which takes
// every P-th tile of BN rows. Of sm_90 the schedule gemv takes it: its hint
// `slots` says how many copies a warp has in flight. It reads rows by bulk
// copies, so they begin at multiples of 16 bytes.
// any N and K up to maxK, multiples of 8, zero and ragged included; P at least
// 1
template <int BN, int maxK, int slots> struct gemv_rows {
  Shared<bf16, N, K> w;
  Shared<bf16, K> x;
  Out<bf16, N> y;
  void operator()() {
    contractOfHalves<BN, maxK, slots>();
    byTiles<BN>(y, [&](const Index &t) { return product<BN>(w, x, t); });
  }
};

template <int BN, int maxK, int slots> struct gemv_f16_rows {
  Shared<f16, N, K> w;
  Shared<f16, K> x;
  Out<f16, N> y;
  void operator()() {
    contractOfHalves<BN, maxK, slots>();
    byTiles<BN, f16>(y, [&](const Index &t) { return product<BN>(w, x, t); });
  }
};

// The same with a residual that is added, before y is rounded.
template <int BN, int maxK, int slots> struct gemv_add_rows {
  Shared<bf16, N, K> w;
  Shared<bf16, K> x;
  Shared<bf16, N> residual;
  Out<bf16, N> y;
  void operator()() {
    contractOfHalves<BN, maxK, slots>();
    byTiles<BN>(y, [&](const Index &t) {
      auto acc = product<BN>(w, x, t);
      auto added = to<f32>(load<BN>(residual, {t}, pad::zero));
      return added + acc;
    });
  }
};
template <int BN, int maxK, int slots, int slotBytes> struct gemv_add_f8_rows {
  Shared<f8e4m3, N, K> w;
  Shared<f32, N> scale;
  Shared<bf16, K> x;
  Shared<bf16, N> residual;
  Out<bf16, N> y;
  void operator()() {
    contractOfF8<maxK, slots, slotBytes>();
    byTiles<BN>(y, [&](const Index &t) {
      auto acc = product<BN>(w, x, t);
      auto added = to<f32>(load<BN>(residual, {t}, pad::zero));
      return added + acc * load<BN>(scale, {t}, pad::zero);
    });
  }
};

template <int BN, int maxG, int slots, int slotBytes>
struct gemv_add_int4_rows {
  Shared<i8, N, G, H> w;
  Shared<bf16, N, G> scale;
  Shared<bf16, G, 2, H> x;
  Shared<bf16, N> residual;
  Out<bf16, N> y;
  void operator()() {
    contractOfInt4<maxG, slots, slotBytes>();
    byTiles<BN>(y, [&](const Index &t) {
      auto acc = productOfInt4<BN>(w, scale, x, t);
      auto added = to<f32>(load<BN>(residual, {t}, pad::zero));
      return added + acc;
    });
  }
};

// The same of a norm of x.
template <int BN, int maxK, int slots> struct gemv_norm_rows {
  Shared<bf16, N, K> w;
  Shared<bf16, K> x;
  Shared<bf16, K> gain;
  Out<bf16, N> y;
  Scalar<f32> eps;
  void operator()() {
    contractOfHalves<BN, maxK, slots>();
    byTiles<BN>(y, [&](const Index &t) {
      auto [acc, squares] = productOfNorm<BN>(w, x, gain, t);
      return acc * scaleOfNorm(squares, eps);
    });
  }
};
template <int BN, int maxK, int slots, int slotBytes> struct gemv_norm_f8_rows {
  Shared<f8e4m3, N, K> w;
  Shared<f32, N> scale;
  Shared<bf16, K> x;
  Shared<bf16, K> gain;
  Out<bf16, N> y;
  Scalar<f32> eps;
  void operator()() {
    contractOfF8<maxK, slots, slotBytes>();
    byTiles<BN>(y, [&](const Index &t) {
      auto [acc, squares] = productOfNorm<BN>(w, x, gain, t);
      auto ofRow = load<BN>(scale, {t}, pad::zero);
      return acc * ofRow * scaleOfNorm(squares, eps);
    });
  }
};

template <int BN, int maxG, int slots, int slotBytes>
struct gemv_norm_int4_rows {
  Shared<i8, N, G, H> w;
  Shared<bf16, N, G> scale;
  Shared<bf16, G, 2, H> x;
  Shared<bf16, G, 2, H> gain;
  Out<bf16, N> y;
  Scalar<f32> eps;
  void operator()() {
    contractOfInt4<maxG, slots, slotBytes>();
    byTiles<BN>(y, [&](const Index &t) {
      auto [acc, squares] = productOfNormOfInt4<BN>(w, scale, x, gain, t);
      return acc * scaleOfGroups(squares, eps);
    });
  }
};

// The same of two matrices, the first of which goes through silu.
template <int BN, int maxK, int slots> struct gemv_norm_silu_rows {
  Shared<bf16, 2, N, K> w;
  Shared<bf16, K> x;
  Shared<bf16, K> gain;
  Out<bf16, N> y;
  Scalar<f32> eps;
  void operator()() {
    contractOfHalves<BN, maxK, slots>();
    byTiles<BN>(y, [&](const Index &t) {
      auto [gate, up, squares] = productsOfNorm<BN>(w, x, gain, t);
      auto scale = scaleOfNorm(squares, eps);
      auto gated = gate * scale;
      return activated(gated, up * scale);
    });
  }
};
template <int BN, int maxK, int slots, int slotBytes>
struct gemv_norm_silu_f8_rows {
  Shared<f8e4m3, 2, N, K> w;
  Shared<f32, N> gate_scale;
  Shared<f32, N> up_scale;
  Shared<bf16, K> x;
  Shared<bf16, K> gain;
  Out<bf16, N> y;
  Scalar<f32> eps;
  void operator()() {
    contractOfF8<maxK, slots, slotBytes>();
    byTiles<BN>(y, [&](const Index &t) {
      auto [gate, up, squares] = productsOfNorm<BN>(w, x, gain, t);
      auto scale = scaleOfNorm(squares, eps);
      auto gated = gate * load<BN>(gate_scale, {t}, pad::zero) * scale;
      auto scaledUp = up * load<BN>(up_scale, {t}, pad::zero) * scale;
      return activated(gated, scaledUp);
    });
  }
};

template <int BN, int maxG, int slots, int slotBytes>
struct gemv_norm_silu_int4_rows {
  Shared<i8, 2, N, G, H> w;
  Shared<bf16, 2, N, G> scale;
  Shared<bf16, G, 2, H> x;
  Shared<bf16, G, 2, H> gain;
  Out<bf16, N> y;
  Scalar<f32> eps;
  void operator()() {
    contractOfInt4<maxG, slots, slotBytes>();
    byTiles<BN>(y, [&](const Index &t) {
      auto [gate, up, squares] = productsOfNormOfInt4<BN>(w, scale, x, gain, t);
      auto ofNorm = scaleOfGroups(squares, eps);
      auto gated = gate * ofNorm;
      return activated(gated, up * ofNorm);
    });
  }
};

// y[N] = w[N, K] x[K] in bf16, sums in f32, by P programs: as many rows at a
// time as leave slices of about one copy each, and for the longest rows one. Of
// sm_90 the schedule gemv takes them; up to K = 10240 two programs share a
// multiprocessor.
// any N and K up to 32768, multiples of 8, zero and ragged included; P at least
// 1
struct gemv_by_depth
    : Variants<gemv_rows<4, 2560, 4>, gemv_rows<2, 5120, 4>,
               gemv_rows<1, 10240, 4>, gemv_rows<1, 32768, 4>> {
  void operator()() {
    when<gemv_rows<4, 2560, 4>>(K <= 2560);
    when<gemv_rows<2, 5120, 4>>(K <= 5120);
    when<gemv_rows<1, 10240, 4>>(K <= 10240);
  }
};

// y[N] = w[N, K] x[K] in f16, sums in f32, by P programs, as gemv_by_depth.
// any N and K up to 32768, multiples of 8, zero and ragged included; P at least
// 1
struct gemv_f16
    : Variants<gemv_f16_rows<4, 2560, 4>, gemv_f16_rows<2, 5120, 4>,
               gemv_f16_rows<1, 10240, 4>, gemv_f16_rows<1, 32768, 4>> {
  void operator()() {
    when<gemv_f16_rows<4, 2560, 4>>(K <= 2560);
    when<gemv_f16_rows<2, 5120, 4>>(K <= 5120);
    when<gemv_f16_rows<1, 10240, 4>>(K <= 10240);
  }
};

// y[N] = residual[N] + w[N, K] x[K] in bf16, sums in f32, rounded once, by P
// programs, as gemv_by_depth.
// any N and K up to 32768, multiples of 8, zero and ragged included; P at least
// 1
struct gemv_add
    : Variants<gemv_add_rows<4, 2560, 4>, gemv_add_rows<2, 4096, 3>,
               gemv_add_rows<2, 5120, 4>, gemv_add_rows<1, 8192, 4>,
               gemv_add_rows<1, 10240, 4>, gemv_add_rows<1, 32768, 4>> {
  void operator()() {
    when<gemv_add_rows<4, 2560, 4>>(K <= 2560);
    when<gemv_add_rows<2, 4096, 3>>(K <= 4096);
    when<gemv_add_rows<2, 5120, 4>>(K <= 5120);
    when<gemv_add_rows<1, 8192, 4>>(K <= 8192);
    when<gemv_add_rows<1, 10240, 4>>(K <= 10240);
  }
};

// y[N] = w[N, K] norm(x)[K] in bf16, sums in f32, by P programs, as
// gemv_by_depth; norm(x) is x gain / sqrt(mean of squares + eps), where x gain
// is rounded to bf16. any N and K up to 10240, multiples of 8, zero and ragged
// included; P at least
// 1
struct gemv_norm
    : Variants<gemv_norm_rows<4, 2560, 3>, gemv_norm_rows<2, 5120, 3>,
               gemv_norm_rows<1, 10240, 4>> {
  void operator()() {
    when<gemv_norm_rows<4, 2560, 3>>(K <= 2560);
    when<gemv_norm_rows<2, 5120, 3>>(K <= 5120);
  }
};

// y[N] = silu(gate) up in bf16, where gate is w[0] norm(x) and up is w[1]
// norm(x) of w[2, N, K], sums in f32, by P programs, as gemv_norm; silu(z) is
// z / (1 + exp(-z)).
// any N and K up to 10240, multiples of 8, zero and ragged included; P at least
// 1
struct gemv_norm_silu
    : Variants<gemv_norm_silu_rows<2, 2560, 3>, gemv_norm_silu_rows<1, 5120, 3>,
               gemv_norm_silu_rows<1, 10240, 4>> {
  void operator()() {
    when<gemv_norm_silu_rows<2, 2560, 3>>(K <= 2560);
    when<gemv_norm_silu_rows<1, 5120, 3>>(K <= 5120);
  }
};

// y[N] = residual[N] + scale[N] (w[N, K] x[K]) in bf16: weights are f8E4M3FN,
// with a scale a row; sums in f32, rounded once, by P programs, as
// gemv_by_depth.
// any N and K up to 32768, multiples of 16, zero and ragged included; P at
// least 1
struct gemv_add_f8 : Variants<gemv_add_f8_rows<4, 2560, 4, 1536>,
                              gemv_add_f8_rows<2, 4096, 8, 1024>,
                              gemv_add_f8_rows<4, 5120, 4, 2560>,
                              gemv_add_f8_rows<2, 8192, 4, 2048>,
                              gemv_add_f8_rows<2, 10240, 4, 2560>,
                              gemv_add_f8_rows<1, 32768, 4, 3584>> {
  void operator()() {
    when<gemv_add_f8_rows<4, 2560, 4, 1536>>(K <= 2560);
    when<gemv_add_f8_rows<2, 4096, 8, 1024>>(K <= 4096);
    when<gemv_add_f8_rows<4, 5120, 4, 2560>>(K <= 5120);
    when<gemv_add_f8_rows<2, 8192, 4, 2048>>(K <= 8192);
    when<gemv_add_f8_rows<2, 10240, 4, 2560>>(K <= 10240);
  }
};

// y[N] = scale[N] (w[N, K] norm(x)[K]) in bf16, as gemv_norm, of weights in
// f8E4M3FN with a scale a row.
// any N and K up to 10240, multiples of 16, zero and ragged included; P at
// least 1
struct gemv_norm_f8 : Variants<gemv_norm_f8_rows<8, 2560, 3, 2560>,
                               gemv_norm_f8_rows<4, 5120, 3, 2560>,
                               gemv_norm_f8_rows<2, 10240, 4, 2560>> {
  void operator()() {
    when<gemv_norm_f8_rows<8, 2560, 3, 2560>>(K <= 2560);
    when<gemv_norm_f8_rows<4, 5120, 3, 2560>>(K <= 5120);
  }
};

// y[N] = silu(gate) up in bf16, as gemv_norm_silu, of weights in f8E4M3FN with
// a scale a row of each matrix.
// any N and K up to 10240, multiples of 16, zero and ragged included; P at
// least 1
struct gemv_norm_silu_f8 : Variants<gemv_norm_silu_f8_rows<4, 2560, 3, 2560>,
                                    gemv_norm_silu_f8_rows<2, 5120, 3, 2560>,
                                    gemv_norm_silu_f8_rows<1, 10240, 4, 2560>> {
  void operator()() {
    when<gemv_norm_silu_f8_rows<4, 2560, 3, 2560>>(K <= 2560);
    when<gemv_norm_silu_f8_rows<2, 5120, 3, 2560>>(K <= 5120);
  }
};

// y[N] = residual[N] + w[N, 128 G] x[128 G] in bf16: weights are of 4 bits,
// from -8 to 7, with a scale in bf16 for each row and group of 128 columns.
// Byte j of a group has column j in its low half and column j + 64 in its high
// one; sums in f32, rounded once, by P programs, as gemv_by_depth. any N and G
// up to 256, zero and ragged included; P at least 1
struct gemv_add_int4 : Variants<gemv_add_int4_rows<4, 16, 8, 512>,
                                gemv_add_int4_rows<4, 20, 8, 1024>,
                                gemv_add_int4_rows<2, 32, 12, 512>,
                                gemv_add_int4_rows<4, 40, 6, 1536>,
                                gemv_add_int4_rows<2, 64, 8, 1024>,
                                gemv_add_int4_rows<2, 80, 6, 1536>,
                                gemv_add_int4_rows<1, 128, 8, 1024>,
                                gemv_add_int4_rows<1, 208, 5, 2048>> {
  void operator()() {
    when<gemv_add_int4_rows<4, 16, 8, 512>>(G <= 16);
    when<gemv_add_int4_rows<4, 20, 8, 1024>>(G <= 20);
    when<gemv_add_int4_rows<2, 32, 12, 512>>(G <= 32);
    when<gemv_add_int4_rows<4, 40, 6, 1536>>(G <= 40);
    when<gemv_add_int4_rows<2, 64, 8, 1024>>(G <= 64);
    when<gemv_add_int4_rows<2, 80, 6, 1536>>(G <= 80);
    when<gemv_add_int4_rows<1, 128, 8, 1024>>(G <= 128);
  }
};

// y[N] = w[N, 128 G] norm(x)[128 G] in bf16, as gemv_norm, of weights as those
// of gemv_add_int4.
// any N and G up to 80, zero and ragged included; P at least 1
struct gemv_norm_int4 : Variants<gemv_norm_int4_rows<8, 8, 12, 512>,
                                 gemv_norm_int4_rows<8, 24, 6, 1536>,
                                 gemv_norm_int4_rows<2, 40, 8, 1024>,
                                 gemv_norm_int4_rows<1, 80, 8, 1024>> {
  void operator()() {
    when<gemv_norm_int4_rows<8, 8, 12, 512>>(G <= 8);
    when<gemv_norm_int4_rows<8, 24, 6, 1536>>(G <= 24);
    when<gemv_norm_int4_rows<2, 40, 8, 1024>>(G <= 40);
  }
};

// y[N] = silu(gate) up in bf16, as gemv_norm_silu, of weights as those of
// gemv_add_int4.
// any N and G up to 80, zero and ragged included; P at least 1
struct gemv_norm_silu_int4
    : Variants<gemv_norm_silu_int4_rows<4, 8, 12, 512>,
               gemv_norm_silu_int4_rows<4, 24, 6, 1536>,
               gemv_norm_silu_int4_rows<1, 40, 8, 1024>,
               gemv_norm_silu_int4_rows<1, 80, 6, 1536>> {
  void operator()() {
    when<gemv_norm_silu_int4_rows<4, 8, 12, 512>>(G <= 8);
    when<gemv_norm_silu_int4_rows<4, 24, 6, 1536>>(G <= 24);
    when<gemv_norm_silu_int4_rows<1, 40, 8, 1024>>(G <= 40);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"gemv", record<gemv_rows<4, 8192, 4>>},
       {"gemv_by_depth", record<gemv_by_depth>},
       {"gemv_f16", record<gemv_f16>},
       {"gemv_add", record<gemv_add>},
       {"gemv_norm", record<gemv_norm>},
       {"gemv_norm_silu", record<gemv_norm_silu>},
       {"gemv_add_f8", record<gemv_add_f8>},
       {"gemv_norm_f8", record<gemv_norm_f8>},
       {"gemv_norm_silu_f8", record<gemv_norm_silu_f8>},
       {"gemv_add_int4", record<gemv_add_int4>},
       {"gemv_norm_int4", record<gemv_norm_int4>},
       {"gemv_norm_silu_int4", record<gemv_norm_silu_int4>}});
}
