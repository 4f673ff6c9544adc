// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flash attention: over whole sequences, and of one query against a paged
// cache.

#include "../Kernels.h"
using namespace girih::kernel;

constexpr Sym B{"B"}, H{"H"}, S{"S"}, P{"P"}, G{"G"}, R{"R"}, N{"N"}, M{"M"};
constexpr double log2e = 1.44269504;

// The running maximum and sum of a softmax, and the sum of values that it
// weighs.
template <int BQ, int D> struct Softmax {
  Tile<f32, BQ, 1> m = fill<f32, BQ, 1>(-1e30), l = zeros<f32, BQ, 1>();
  Tile<f32, BQ, D> acc = zeros<f32, BQ, D>();

  template <int BK, class Load>
  void add(const Tile<f32, BQ, 1> &top, const Tile<f32, BQ, BK> &e,
           Load values) {
    auto alpha = exp2(m - top, approximate);
    l = l * alpha + sum(e, axis<1>);
    acc = mma(to<bf16>(e), values(), acc * alpha);
    m = top;
  }
  auto mean() { return acc / max(l, 1e-30); }
};

// y[b, h] = softmax(scale q k^T, of keys that are not behind the query) v
template <int BQ, int BK, int D> struct attention_causal {
  Shared<bf16, B, H, S, D> q, k, v;
  Out<bf16, B, H, S, D> y;
  Scalar<f32> scale;
  void operator()() {
    hint("sm_90", "occupancy", 2);
    auto [b, h, turn] = grid(B, H, ceildiv(S, BQ));
    auto i = gridDim(2) - turn - 1; // long rows first
    auto factor = scale * log2e;
    auto out = claim<_, _, BQ, D>(y, {b, h, i, 0});
    auto query = load<_, _, BQ, D>(q, {b, h, i, 0}, pad::zero);
    Softmax<BQ, D> state;
    auto score = [&](const Index &j) {
      auto keys = load<_, _, BK, D>(k, {b, h, j, 0}, pad::zero);
      return dot(query, transpose(keys));
    };
    auto valuesOf = [&](const Index &j) {
      return [&, j] { return load<_, _, BK, D>(v, {b, h, j, 0}, pad::zero); };
    };
    auto full = i / (BK / BQ);
    for (Index j : range(full)) { // every row sees all of these keys
      auto s = score(j);
      auto top = max(state.m, max(s, axis<1>) * factor);
      state.add(top, exp2(fma(s, factor, -top), approximate), valuesOf(j));
    }
    // In the last tile key c is seen by row r when c <= r + ahead.
    auto s = score(full) * factor;
    auto ahead = to<i32>(i % (BK / BQ) * BQ);
    auto seen =
        iota<i32, BQ, BK>(axis<1>) <= iota<i32, BQ, BK>(axis<0>) + ahead;
    s = where(seen, s, -inf);
    auto top = max(state.m, max(s, axis<1>));
    state.add(top, exp2(s - top, approximate), valuesOf(full));
    store(out, to<bf16>(state.mean()));
  }
};

// Part p of P of each sequence, whose keys and values stand in pages of `page`
template <int BR, int page, int D> struct attention_decode_paged {
  Shared<bf16, B, G, R, D> q;
  Shared<bf16, N, page, G, D> k, v;
  Shared<i32, B, M> table;
  Shared<i32, B> lengths;
  Out<f32, B, P, G, R, D> partial;
  Out<f32, B, P, G, R> lse;
  Scalar<f32> scale;
  void operator()() {
    require(R >= 1);
    require(R <= BR);
    given(within(table, 0, N));
    given(within(lengths, 0, page * M + 1));
    hint("sm_90", "occupancy", 4);
    auto [p, g, b] = grid(P, G, B);
    Index length = load<_>(lengths, {b});
    auto out = claim<_, _, _, BR, D>(partial, {b, p, g, 0, 0});
    auto outLse = claim<_, _, _, BR>(lse, {b, p, g, 0});
    auto query = load<_, _, BR, D>(q, {b, g, 0, 0}, pad::zero);
    auto factor = scale * log2e;
    auto pages = ceildiv(length, page), share = ceildiv(pages, P);
    auto from = p * share;
    Softmax<BR, D> state;
    for (Index j : range(from, min(from + share, pages))) {
      Index id = load<_, _>(table, {b, j});
      auto some = min(length - j * page, page);
      // Behind the length a page may hold anything, NaN too: it reads as 0.
      auto keysThere = narrow<1>(k, 0, some),
           valuesThere = narrow<1>(v, 0, some);
      auto keys = load<_, page, _, D>(keysThere, {id, 0, g, 0}, pad::zero);
      auto s = dot(query, transpose(keys)) * factor;
      s = where(iota<i32, BR, page>(axis<1>) < to<i32>(some), s, -inf);
      auto top = max(state.m, max(s, axis<1>));
      state.add(top, exp2(s - top), [&] {
        return load<_, page, _, D>(valuesThere, {id, 0, g, 0}, pad::zero);
      });
    }
    store(out, state.mean());
    store(outLse, reshape<BR>(state.m + log2(state.l)));
  }
};

int main(int argc, char **argv) {
  return test::writeAll(
      argc, argv,
      {{"attention_causal", record<attention_causal<64, 128, 128>>},
       {"attention_decode_paged",
        record<attention_decode_paged<16, 64, 128>>}});
}
