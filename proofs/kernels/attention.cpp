// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention over whole sequences.

#include "Attention.h"
using namespace girih::kernel;
using library::log2e, library::Softmax;

constexpr Sym B{"B"}, H{"H"}, G{"G"}, R{"R"}, S{"S"}, T{"T"};

// Rows of D may lie apart, as those of queries, keys and values that one
// product makes do, and batch, head and position may come in any order.
constexpr Sym qb{"qb"}, qh{"qh"}, qs{"qs"}, kb{"kb"}, kh{"kh"}, ks{"ks"},
    vb{"vb"}, vh{"vh"}, vs{"vs"}, yb{"yb"}, yh{"yh"}, ys{"ys"};
template <class X, Sym b, Sym h, Sym s>
using Apart = With<X, strides<b, h, s, 1>>;

// Tile i of the queries of a head over all keys of head g; only what is left
// behind the last whole tile of keys is masked.
template <int BQ, int BK, int D, class Q, class K, class V, class Y>
void attend(const Q &q, const K &k, const V &v, const Y &y,
            const Scalar<f32> &scale, const Index &b, const Index &h,
            const Index &g, const Index &i) {
  auto factor = scale * log2e;
  auto out = claim<_, _, BQ, D>(y, {b, h, i, 0});
  auto query = load<_, _, BQ, D>(q, {b, h, i, 0}, pad::zero);
  Index length = T;
  auto full = length / BK;
  auto n = ceildiv(length, BK);
  Softmax<BQ, D, Approximate> state;
  auto products = [&](const Index &j) {
    auto keys = load<_, _, BK, D>(k, {b, g, j, 0}, pad::zero);
    return dot(query, transpose(keys));
  };
  auto values = [&](const Index &j) {
    return [&, j] { return load<_, _, BK, D>(v, {b, g, j, 0}, pad::zero); };
  };
  for (Index j : range(full)) {
    state.add(products(j), factor, values(j));
  }
  for (Index j : range(full, n)) {
    auto scores = products(j) * factor;
    // Keys from the length on are not there.
    auto some = to<i32>(min(length - j * BK, BK));
    auto isThere = iota<i32, BQ, BK>(axis<1>) < some;
    state.add(where(isThere, scores, -inf), values(j));
  }
  store(out, to<bf16>(state.mean()));
}

// Attention over whole sequences, y[b, h] = softmax(scale q k^T) v over T keys,
// with a running maximum and sum (flash attention); only what is left behind
// the last whole tile of keys is masked; in bf16, sums in f32, heads of 128,
// scale above 0 any B, H, S and T, zero and ragged included
template <int BQ, int BK, int D> struct attention {
  Apart<Shared<bf16, B, H, S, D>, qb, qh, qs> q;
  Apart<Shared<bf16, B, H, T, D>, kb, kh, ks> k;
  Apart<Shared<bf16, B, H, T, D>, vb, vh, vs> v;
  Apart<Out<bf16, B, H, S, D>, yb, yh, ys> y;
  Scalar<f32> scale;
  void operator()() {
    hint("sm_90", "occupancy", 2);
    hint("sm_90", "grain", 16); // heads of 128 seldom begin elsewhere
    auto [b, h, i] = grid(B, H, ceildiv(S, BQ));
    attend<BQ, BK, D>(q, k, v, y, scale, b, h, h, i);
  }
};

// As attention, where R heads of the queries share one of the G heads of the
// keys and values; any B, H = G * R, S and T, zero and ragged included
template <int BQ, int BK, int D> struct attention_gqa {
  Apart<Shared<bf16, B, H, S, D>, qb, qh, qs> q;
  Apart<Shared<bf16, B, G, T, D>, kb, kh, ks> k;
  Apart<Shared<bf16, B, G, T, D>, vb, vh, vs> v;
  Apart<Out<bf16, B, H, S, D>, yb, yh, ys> y;
  Scalar<f32> scale;
  void operator()() {
    require(H == G * R);
    hint("sm_90", "occupancy", 2);
    hint("sm_90", "grain", 16); // heads of 128 seldom begin elsewhere
    auto [b, h, i] = grid(B, H, ceildiv(S, BQ));
    attend<BQ, BK, D>(q, k, v, y, scale, b, h, h / R, i);
  }
};

// Causal attention over whole sequences, y[b, h] = softmax(scale q k^T, of the
// keys that are not behind the query) v, with a running maximum and sum (flash
// attention). Tiles of keys that every row of a block sees whole are taken
// without a mask; blocks with the most of them start first; in bf16, sums in
// f32, heads of 128, scale above 0
// any B, H and S, zero and ragged included
template <int BQ, int BK, int D> struct attention_causal {
  Apart<Shared<bf16, B, H, S, D>, qb, qh, qs> q;
  Apart<Shared<bf16, B, H, S, D>, kb, kh, ks> k;
  Apart<Shared<bf16, B, H, S, D>, vb, vh, vs> v;
  Apart<Out<bf16, B, H, S, D>, yb, yh, ys> y;
  Scalar<f32> scale;
  void operator()() {
    hint("sm_90", "occupancy", 2);
    hint("sm_90", "grain", 16); // heads of 128 seldom begin elsewhere
    auto [b, h, turn] = grid(B, H, ceildiv(S, BQ));
    auto i = gridDim(2) - turn - 1;
    auto factor = scale * log2e;
    auto out = claim<_, _, BQ, D>(y, {b, h, i, 0});
    auto query = load<_, _, BQ, D>(q, {b, h, i, 0}, pad::zero);
    Softmax<BQ, D, Approximate> state;
    auto products = [&](const Index &j) {
      auto keys = load<_, _, BK, D>(k, {b, h, j, 0}, pad::zero);
      return dot(query, transpose(keys));
    };
    auto values = [&](const Index &j) {
      return [&, j] { return load<_, _, BK, D>(v, {b, h, j, 0}, pad::zero); };
    };
    auto full = i / (BK / BQ);
    for (Index j : range(full)) {
      state.add(products(j), factor, values(j));
    }
    // In the last tile key c is seen by row r when c <= r + ahead.
    auto scores = products(full) * factor;
    auto ahead = to<i32>(i % (BK / BQ) * BQ);
    auto seen =
        iota<i32, BQ, BK>(axis<1>) <= iota<i32, BQ, BK>(axis<0>) + ahead;
    state.add(where(seen, scores, -inf), values(full));
    store(out, to<bf16>(state.mean()));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"attention", record<attention<64, 128, 128>>},
       {"attention_gqa", record<attention_gqa<64, 128, 128>>},
       {"attention_causal", record<attention_causal<64, 128, 128>>}});
}
