// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal attention of S new positions, from pos on, over a cache of keys and
// values that already holds them; heads of the queries share those of the
// cache.

#include "Attention.h"
using namespace girih::kernel;
using library::log2e, library::Softmax;

constexpr Sym S{"S"}, H{"H"}, G{"G"}, T{"T"}, P{"P"}, R{"R"}, C{"C"}, W{"W"},
    pos{"pos"};

// Queries may stand beside keys and values, and a cache may have its heads or
// its positions outside; keys and values lie alike.
constexpr Sym qs{"qs"}, qh{"qh"}, ch{"ch"}, ct{"ct"};

// The cache of one head up to the new positions.
template <int BK, int D, class Cache> struct Head {
  Head(const Cache &k, const Cache &v, const Index &head)
      : length(pos + Index(S)), keys(narrow<1>(k, 0, length)),
        values(narrow<1>(v, 0, length)), head(head) {}
  // Behind the length the cache may hold anything, NaN too: it reads as 0.
  Index length;
  decltype(narrow<1>(std::declval<Cache>(), 0, Index(0))) keys, values;
  Index head;
  template <int BQ>
  auto products(const Tile<bf16, BQ, D> &query, const Index &j) const {
    return dot(query, transpose(load<_, BK, D>(keys, {head, j, 0}, pad::zero)));
  }
  auto valuesOf(const Index &j) const {
    return
        [this, j] { return load<_, BK, D>(values, {head, j, 0}, pad::zero); };
  }
};

// Scores of the keys of tile j that rows see, which are at positions row0 +
// rows: key c of the tile is seen by row r when c <= r + d; beyond the tile,
// any d does.
template <int BQ, int BK>
auto seen(const Tile<f32, BQ, BK> &scores, const Tile<i32, BQ, BK> &rows,
          const Index &row0, const Index &j) {
  auto d = to<i32>(min(max(row0 - j * BK, -BK), BK));
  return where(iota<i32, BQ, BK>(axis<1>) <= rows + d, scores, -inf);
}

// Causal attention of S new positions, from pos on, over a cache of keys and
// values that already holds them; R heads of the queries share one of the G
// heads of the cache. With a running maximum and sum; tiles of keys that every
// row of a block sees whole are taken without a mask; blocks with the most of
// them start first, those of one position together, so that heads share what
// they read; in bf16, sums in f32, heads of 128, scale above 0
// any S, H = G * R and T >= pos + S, zero and ragged included
template <int BQ, int BK, int D> struct attention_prefill_gqa {
  With<Shared<bf16, S, H, D>, strides<qs, qh, 1>> q;
  With<Shared<bf16, G, T, D>, strides<ch, ct, 1>> k, v;
  Out<bf16, S, H, D> y;
  Scalar<f32> scale;
  void operator()() {
    require(H == G * R);
    require(pos + S <= T);
    hint("sm_90", "early", 1);
    hint("sm_90", "occupancy", 2);
    hint("sm_90", "grain", 16); // heads of 128 seldom begin elsewhere
    auto [turn, h] = grid(ceildiv(S, BQ), H);
    auto i = gridDim(0) - turn - 1;
    auto factor = scale * log2e;
    auto rows = iota<i32, BQ, BK>(axis<0>);
    auto out = claim<BQ, _, D>(y, {i, h, 0});
    auto query = load<BQ, _, D>(q, {i, h, 0}, pad::zero);
    // Keys that some row of this tile sees, and tiles that all rows see whole.
    Head<BK, D, decltype(k)> cache(k, v, h / R);
    auto row0 = pos + i * BQ;
    auto last = min(row0 + BQ, cache.length);
    auto n = ceildiv(last, BK);
    auto full = row0 / BK;
    Softmax<BQ, D, Approximate> state;
    for (Index j : range(full)) {
      state.add(cache.products(query, j), factor, cache.valuesOf(j));
    }
    for (Index j : range(full, n)) {
      auto scores = cache.products(query, j) * factor;
      state.add(seen(scores, rows, row0, j), cache.valuesOf(j));
    }
    store(out, to<bf16>(state.mean()));
  }
};

// As attention_prefill_gqa, for few queries and many keys: the tiles of keys
// are dealt to P splits, each of which leaves its mean and the logarithm (base
// 2) of its weight for attention_merge; a split without keys leaves 0 and -inf;
// in bf16, sums in f32, heads of 128 any S, H = G * R and T >= pos + S, zero
// and ragged included
template <int BQ, int BK, int D> struct attention_prefill_gqa_split {
  Shared<bf16, S, H, D> q;
  Shared<bf16, G, T, D> k, v;
  Out<f32, S, P, H, D> partial;
  Out<f32, S, P, H> lse;
  Scalar<f32> scale;
  void operator()() {
    require(H == G * R);
    require(pos + S <= T);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [i, h, p] = grid(ceildiv(S, BQ), H, P);
    auto factor = scale * log2e;
    auto rows = iota<i32, BQ, BK>(axis<0>);
    auto out = claim<BQ, _, _, D>(partial, {i, p, h, 0});
    auto outLse = claim<BQ, _, _>(lse, {i, p, h});
    auto query = load<BQ, _, D>(q, {i, h, 0}, pad::zero);
    // The tiles of keys that some row sees, and of those the share of this
    // split.
    Head<BK, D, decltype(k)> cache(k, v, h / R);
    auto row0 = pos + i * BQ;
    auto last = min(row0 + BQ, cache.length);
    auto tiles = ceildiv(last, BK);
    auto share = ceildiv(tiles, P);
    auto from = p * share;
    Softmax<BQ, D> state;
    auto end = min(from + share, tiles);
    for (Index j : range(from, end)) {
      auto scores = cache.products(query, j) * factor;
      state.add(seen(scores, rows, row0, j), cache.valuesOf(j));
    }
    store(out, state.mean());
    store(outLse, reshape<BQ>(state.weight()));
  }
};

// Of BQ positions of BH heads, which share head `hg / C` of the cache.
template <int BQ, int BH, int BK, int D, class Q, class Cache, class Y>
void attend(const Q &q, const Cache &k, const Cache &v, const Y &y,
            const Scalar<f32> &scale, const Index &i, const Index &hg) {
  auto factor = scale * log2e;
  auto rows = reshape<BQ * BH, BK>(iota<i32, BQ, BH, BK>(axis<0>));
  auto out = claim<BQ, BH, D>(y, {i, hg, 0});
  auto query = reshape<BQ * BH, D>(load<BQ, BH, D>(q, {i, hg, 0}, pad::zero));
  // Every row sees the keys before row0, some row those before the last.
  Head<BK, D, Cache> cache(k, v, hg / C);
  auto row0 = pos + i * BQ;
  auto whole = row0 / BK;
  auto last = min(row0 + BQ, cache.length);
  auto n = ceildiv(last, BK);
  Softmax<BQ * BH, D> state;
  for (Index j : range(whole)) {
    state.add(cache.products(query, j) * factor, cache.valuesOf(j));
  }
  for (Index j : range(whole, n)) {
    auto scores = cache.products(query, j) * factor;
    state.add(seen(scores, rows, row0, j), cache.valuesOf(j));
  }
  store(out, reshape<BQ, BH, D>(to<bf16>(state.mean())));
}

// As attention_prefill_gqa, for long prompts: a block takes 32 positions of 4
// heads, blocks are numbered from the last positions, whose keys are the most,
// to the first (longest processing time first), and tiles that every row sees
// whole are taken without a mask; in bf16, sums in f32, heads of 128
// any S, and T >= pos + S, zero and ragged included; H = G * R, R = 4 * C
template <int BQ, int BH, int BK, int D> struct attention_prefill_gqa_lpt {
  Shared<bf16, S, H, D> q;
  Shared<bf16, G, T, D> k, v;
  Out<bf16, S, H, D> y;
  Scalar<f32> scale;
  void operator()() {
    require(H == BH * (G * C));
    require(pos + S <= T);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [t] = grid(ceildiv(S, BQ) * (G * C));
    Index groups = G * C;
    auto turn = t / groups;
    auto hg = t % groups;
    auto i = tiles<BQ, BH, D>(y, axis<0>) - turn - 1;
    attend<BQ, BH, BK, D>(q, k, v, y, scale, i, hg);
  }
};

// Blocks in bands of s groups, of each band the last ones first; the last band
// has the groups that are left.
constexpr Sym blocks{"blocks"}, groups{"groups"}, s{"s"};
struct longest_first : Map<blocks, groups, s> {
  static constexpr Property property = Property::bijective;
  Extents<1> from() const { return {blocks * groups}; }
  Extents<2> into() const { return {blocks, groups}; }
  Ids<2> operator()(const Index &t) const {
    auto bandTiles = s * Index(blocks);
    auto band = t / bandTiles, rest = t % bandTiles;
    auto span = spanOf(band);
    return {blocks - rest / span - 1, band * s + rest % span};
  }
  Ids<1> inverse(const Index &i, const Index &hg) const {
    auto bandTiles = s * Index(blocks);
    auto band = hg / s;
    return {band * bandTiles + (blocks - i - 1) * spanOf(band) + hg % s};
  }
  // How many groups a band has.
  static Index spanOf(const Index &band) {
    Index whole = groups / s, some = groups % s;
    return where(band < whole, s, some);
  }
};

// Grout's fmha_prefill_gqa_lpt (view out): attention_prefill_gqa_lpt, whose
// blocks take W groups of heads at a time, so that their keys stay in the L2
// cache, and of these the last positions first; the last groups may be fewer
// than W
// any S, W, and T >= pos + S, zero and ragged included; H = G * R, R = 4 * C
template <int BQ, int BH, int BK, int D> struct grout_prefill_lpt {
  Shared<bf16, S, H, D> q;
  Shared<bf16, G, T, D> k, v;
  Out<bf16, S, H, D> y;
  Scalar<f32> scale;
  void operator()() {
    require(W >= 1);
    require(W <= G * C);
    require(H == BH * (G * C));
    require(pos + S <= T);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [t] = grid(ceildiv(S, BQ) * (G * C));
    auto [i, hg] =
        apply<longest_first>({t}, {tiles<BQ, BH, D>(y, axis<0>), G * C, W});
    attend<BQ, BH, BK, D>(q, k, v, y, scale, i, hg);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"attention_prefill_gqa", record<attention_prefill_gqa<64, 128, 128>>},
       {"attention_prefill_gqa_split",
        record<attention_prefill_gqa_split<128, 128, 128>>},
       {"attention_prefill_gqa_lpt",
        record<attention_prefill_gqa_lpt<32, 4, 128, 128>>},
       {"grout_prefill_lpt", record<grout_prefill_lpt<32, 4, 128, 128>>}});
}
