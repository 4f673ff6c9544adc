// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention of one new query a sequence over a cache. The tiles of keys are
// dealt to P splits, whose results attention_merge makes one of.

#include "Attention.h"
#include "Rotary.h"
using namespace girih::kernel;
using library::attend, library::attendSplit, library::masked;
using library::Halves, library::normed, library::rounded, library::turned,
    library::wide;
using library::log2e, library::Softmax, library::SoftmaxOfRows;

constexpr Sym B{"B"}, P{"P"}, G{"G"}, R{"R"}, T{"T"}, H{"H"}, L{"L"}, N{"N"},
    M{"M"};

// Head g of sequence b of a cache. Behind the length it may hold anything, NaN
// too: it reads as 0.
template <int BK, int D, class Cache>
auto headOf(const Cache &k, const Cache &v, const Index &b, const Index &g,
            const Index &length) {
  return [=] {
    auto keysThere = narrow<2>(k, 0, length),
         valuesThere = narrow<2>(v, 0, length);
    return std::pair(
        [=](const Index &j) {
          auto keys = load<_, _, BK, D>(keysThere, {b, g, j, 0}, pad::zero);
          return keys;
        },
        [=](const Index &j) {
          return load<_, _, BK, D>(valuesThere, {b, g, j, 0}, pad::zero);
        });
  };
}

// Attention of one new query a sequence over a cache of keys and values, of
// which the first L positions count; up to 16 heads of the queries share a head
// of the cache and make one tile, whose columns they are. A block for each head
// of the cache: for short sequences, or many; else attention_decode_gqa_split.
// In bf16, sums in f32, heads of 128
// any B, G, R from 1 to 16 and T >= L, zero and ragged included
template <int BR, int BK, int D> struct attention_decode_gqa {
  Shared<bf16, B, G, R, D> q;
  Shared<bf16, B, G, T, D> k, v;
  Out<bf16, B, G, R, D> y;
  Scalar<f32> scale;
  void operator()() {
    require(R >= 1);
    require(R <= BR);
    require(L <= T);
    hint("sm_90", "early", 1);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [g, b] = grid(G, B);
    auto out = claim<_, _, BR, D>(y, {b, g, 0, 0});
    auto query = load<_, _, BR, D>(q, {b, g, 0, 0}, pad::zero);
    auto state = attend<BR, BK, D>(query, headOf<BK, D>(k, v, b, g, L), L,
                                   scale, 0, ceildiv(L, BK));
    store(out, to<bf16>(state.mean()));
  }
};

// As attention_decode_gqa, in splits: the tiles of keys are dealt to P splits,
// each of which leaves its mean and the logarithm (base 2) of its weight for
// attention_merge; a split without keys leaves 0 and -inf; in bf16, sums in
// f32, heads of 128 any B, G, R from 1 to 16 and T >= L, zero and ragged
// included
template <int BR, int BK, int D> struct attention_decode_gqa_split {
  Shared<bf16, B, G, R, D> q;
  Shared<bf16, B, G, T, D> k, v;
  Out<f32, B, P, G, R, D> partial;
  Out<f32, B, P, G, R> lse;
  Scalar<f32> scale;
  void operator()() {
    require(R >= 1);
    require(R <= BR);
    require(L <= T);
    hint("sm_90", "early", 1);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [p, g, b] = grid(P, G, B);
    auto out = claim<_, _, _, BR, D>(partial, {b, p, g, 0, 0});
    auto outLse = claim<_, _, _, BR>(lse, {b, p, g, 0});
    auto query = load<_, _, BR, D>(q, {b, g, 0, 0}, pad::zero);
    attendSplit<BR, BK, D>(query, headOf<BK, D>(k, v, b, g, L), p, P, L, scale,
                           out, outLse);
  }
};

// As attention_decode_gqa_split, for sequences of different lengths, which
// stand in device memory: of the cache of sequence b the first lengths[b]
// positions count any B, P, G, T and R from 1 to 16, zero and ragged included;
// no length exceeds
// T
template <int BR, int BK, int D> struct attention_decode_gqa_ragged {
  Shared<bf16, B, G, R, D> q;
  Shared<bf16, B, G, T, D> k, v;
  Shared<i32, B> lengths;
  Out<f32, B, P, G, R, D> partial;
  Out<f32, B, P, G, R> lse;
  Scalar<f32> scale;
  void operator()() {
    require(R >= 1);
    require(R <= BR);
    given(within(lengths, 0, T + 1));
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [p, g, b] = grid(P, G, B);
    Index length = load<_>(lengths, {b});
    auto out = claim<_, _, _, BR, D>(partial, {b, p, g, 0, 0});
    auto outLse = claim<_, _, _, BR>(lse, {b, p, g, 0});
    auto query = load<_, _, BR, D>(q, {b, g, 0, 0}, pad::zero);
    attendSplit<BR, BK, D>(query, headOf<BK, D>(k, v, b, g, length), p, P,
                           length, scale, out, outLse);
  }
};

// Sequence b and head g of a cache in pages, pages `from` to before `end` of
// those that its table names.
template <int BR, int page, int D, class Query, class Cache, class Table>
auto attendPages(const Query &query, const Cache &k, const Cache &v,
                 const Table &table, const Index &b, const Index &g,
                 const Index &length, const Scalar<f32> &scale,
                 const Index &from, const Index &end) {
  auto factor = scale * log2e;
  Softmax<BR, D, Approximate> state;
  // Pages that are full are read as they lie, without a view of their own,
  // which would have to be made known to the copy engine each time.
  auto full = max(from, min(end, length / page));
  for (Index j : range(from, full)) {
    Index id = load<_, _>(table, {b, j});
    auto keys = load<_, page, _, D>(k, {id, 0, g, 0}, pad::zero);
    state.add(dot(query, transpose(keys)) * factor,
              [&] { return load<_, page, _, D>(v, {id, 0, g, 0}, pad::zero); });
  }
  for (Index j : range(full, end)) {
    Index id = load<_, _>(table, {b, j});
    auto some = min(length - j * page, page);
    // Behind the length a page may hold anything, NaN too: it reads as 0.
    auto keysThere = narrow<1>(k, 0, some), valuesThere = narrow<1>(v, 0, some);
    auto keys = load<_, page, _, D>(keysThere, {id, 0, g, 0}, pad::zero);
    auto scores = dot(query, transpose(keys)) * factor;
    state.add(masked<1>(scores, some), [&] {
      return load<_, page, _, D>(valuesThere, {id, 0, g, 0}, pad::zero);
    });
  }
  return state;
}

// As attention_decode_gqa_ragged, of a cache in pages of 64 positions that
// sequences own in any order (vLLM): position t of sequence b stands in page
// table[b, t / 64]
// any B, P, G, M, N and R from 1 to 16, zero and ragged included; no length
// exceeds the M pages that the table has for a sequence
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
    hint("sm_90", "occupancy", 2);
    auto [p, g, b] = grid(P, G, B);
    Index length = load<_>(lengths, {b});
    auto out = claim<_, _, _, BR, D>(partial, {b, p, g, 0, 0});
    auto outLse = claim<_, _, _, BR>(lse, {b, p, g, 0});
    auto query = load<_, _, BR, D>(q, {b, g, 0, 0}, pad::zero);
    auto pages = ceildiv(length, page);
    auto share = ceildiv(pages, P);
    auto from = p * share;
    auto end = min(from + share, pages);
    auto state = attendPages<BR, page, D>(query, k, v, table, b, g, length,
                                          scale, from, end);
    store(out, state.mean());
    store(outLse, reshape<BR>(state.weight()));
  }
};

template <int BR, int page, int D, int blocks> struct paged_whole {
  Shared<bf16, B, G, R, D> q;
  Shared<bf16, N, page, G, D> k, v;
  Shared<i32, B, M> table;
  Shared<i32, B> lengths;
  Out<bf16, B, G, R, D> y;
  Scalar<f32> scale;
  void operator()() {
    require(R >= 1);
    require(R <= BR);
    given(within(table, 0, N));
    given(within(lengths, 0, page * M + 1));
    hint("sm_90", "occupancy", 2);
    if constexpr (blocks > 1) {
      hint("sm_90", "schedule", 0); // it has one block a multiprocessor
    }
    auto [g, b] = grid(G, B);
    Index length = load<_>(lengths, {b});
    auto out = claim<_, _, BR, D>(y, {b, g, 0, 0});
    auto query = load<_, _, BR, D>(q, {b, g, 0, 0}, pad::zero);
    auto state = attendPages<BR, page, D>(query, k, v, table, b, g, length,
                                          scale, 0, ceildiv(length, page));
    store(out, to<bf16>(state.mean()));
  }
};

// The same in one split, rounded: for sequences enough that they keep all
// multiprocessors busy; of no keys the mean is 0. Where there are more blocks
// than an H200 has multiprocessors, two share one.
// any B, G, M, N and R from 1 to 16, zero and ragged included; no length
// exceeds the M pages that the table has for a sequence
struct attention_decode_paged_whole
    : Variants<paged_whole<16, 64, 128, 1>, paged_whole<16, 64, 128, 2>> {
  void operator()() { when<paged_whole<16, 64, 128, 1>>(G * B <= 132); }
};

// The mean of splits of the keys, each weighed by 2^lse; 0 where none has keys.
template <int BP, int D, class Weights, class Means>
auto merged(const Weights &weightsOf, const Means &meansOf) {
  Scalar<f32> top = -1e30, total = 0.0;
  auto acc = zeros<f32, D>();
  for (Index p : range(ceildiv(P, BP))) {
    auto l = weightsOf(p);
    auto x = meansOf(p);
    auto higher = max(top, girih::kernel::max(l));
    auto weight = exp2(l - higher);
    auto before = exp2(top - higher);
    total = total * before + sum(weight);
    acc = acc * before + sum(x * reshape<BP, 1>(weight), drop<0>);
    top = higher;
  }
  return to<bf16>(acc * (1.0 / max(total, 1e-30)));
}

template <int BP, int D> struct merge_of_splits {
  Shared<f32, B, P, H, D> partial;
  Shared<f32, B, P, H> lse;
  Out<bf16, B, H, D> y;
  void operator()() {
    hint("sm_90", "early", 1);
    hint("sm_90", "occupancy", 4);
    hint("sm_90", "tma", 0); // too little to wait for the engine
    auto [h, b] = grid(H, B);
    auto out = claim<_, _, D>(y, {b, h, 0});
    auto weightsOf = [&, h = h, b = b](const Index &p) {
      auto l = load<_, BP, _>(lse, {b, p, h}, pad::neg_inf);
      return l;
    };
    auto meansOf = [&, h = h, b = b](const Index &p) {
      auto x = load<_, BP, _, D>(partial, {b, p, h, 0}, pad::zero);
      return x;
    };
    store(out, merged<BP, D>(weightsOf, meansOf));
  }
};

// Attention over splits of the keys to attention over all of them: the partial
// outputs, each weighed by 2^lse and divided by the sum of the weights, in
// bf16, heads of 128; 8 splits at a time, or 16, so that no load waits for the
// ones before. A split without keys has an lse of -inf and counts nothing;
// where all are such, the output is 0. any B, H and P (splits), zero included
struct attention_merge
    : Variants<merge_of_splits<8, 128>, merge_of_splits<16, 128>> {
  void operator()() { when<merge_of_splits<8, 128>>(P <= 8); }
};

// Heads of the new token, in halves, divided by their root mean square, scaled
// and turned by the angles of its position.
template <int D> struct NewHeads {
  Tile<f32, D> cosine, sine;
  const Scalar<f32> &eps;

  template <class Angles>
  NewHeads(const Angles &cos, const Angles &sin, const Index &row,
           const Scalar<f32> &eps)
      : cosine(load<_, D>(cos, {row, 0})), sine(load<_, D>(sin, {row, 0})),
        eps(eps) {}

  template <class Half, class Weight>
  auto operator()(const Half &low, const Half &high,
                  const Weight &weight) const {
    auto scales = wide(Halves{load<D>(weight, {0}), load<D>(weight, {1})});
    auto unit = normed(wide(Halves{low, high}), scales, eps);
    return rounded(turned(unit, cosine, sine));
  }
};

// What stands between the projections of one new token and that of its
// attention, in one launch: its heads of q and k are divided by their root mean
// square, scaled and turned by the angles of its position, as
// qk_norm_rope_append does; k and v go to that row of the caches; attention
// goes over the rows up to it. A block for each head of the cache, for short
// sequences. The position stands in device memory, so that a step can be
// replayed as a graph; where it is no row of the caches, y is NaN, and they
// stay as they are. in bf16, sums in f32, heads of 128; any G, R from 1 to 8
// and T from 1, ragged included
template <int BR, int BK, int D> struct attention_step {
  Shared<bf16, G, R, 2 * D> q;
  Shared<bf16, G, 2 * D> k, v;
  Shared<i32, 1> pos;
  Shared<bf16, 2 * D> q_weight, k_weight;
  Shared<f32, T, D> cos, sin;
  Own<bf16, G, T, 2 * D> k_cache, v_cache;
  Out<bf16, G, R, 2 * D> y;
  Scalar<f32> eps, scale;
  void operator()() {
    require(R >= 1);
    require(R <= 8); // the schedule's; a tile has BR rows, as mma takes them
    require(T >= 1);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [g] = grid(G);
    auto out = claim<_, BR, 2 * D>(y, {g, 0, 0});
    Index asked = load<_>(pos, {0});
    auto row = min(max(asked, 0), T - 1);
    auto mean = fill<bf16, BR, 2 * D>(nan);
    if_(asked == row, [&] { mean = to<bf16>(step(g, row)); });
    store(out, mean);
  }

private:
  static constexpr double nan = __builtin_nan("");

  // Attention with the new row, which goes to the caches last.
  auto step(const Index &g, const Index &row) {
    NewHeads<D> head(cos, sin, row, eps);
    auto queries = head(load<_, BR, D>(q, {g, 0, 0}, pad::zero),
                        load<_, BR, D>(q, {g, 0, 1}, pad::zero), q_weight);
    auto key = head(load<_, D>(k, {g, 0}), load<_, D>(k, {g, 1}), k_weight);
    auto value = load<_, 2 * D>(v, {g, 0});
    auto length = row + 1;
    auto keys = narrow<1>(k_cache, 0, length);
    auto values = narrow<1>(v_cache, 0, length);
    SoftmaxOfRows<BR, 2 * D> state;
    for (Index j : range(ceildiv(length, BK))) {
      auto newest = iota<i32, BK, 1>(axis<0>) == to<i32>(row - j * BK);
      auto low = load(claim<_, BK, D>(keys, {g, j, 0}), pad::zero);
      auto high = load(claim<_, BK, D>(keys, {g, j, 1}), pad::zero);
      auto ofLow = dot(where(newest, key.low, low), transpose(queries.low));
      auto products =
          mma(where(newest, key.high, high), transpose(queries.high), ofLow);
      auto scores = products * (scale * log2e);
      state.add(masked<0>(scores, min(length - j * BK, BK)), [&] {
        auto some = load(claim<_, BK, 2 * D>(values, {g, j, 0}), pad::zero);
        return where(newest, value, some);
      });
    }
    store(claim<_, _, D>(k_cache, {g, row, 0}), key.low);
    store(claim<_, _, D>(k_cache, {g, row, 1}), key.high);
    store(claim<_, _, 2 * D>(v_cache, {g, row, 0}), value);
    return state.mean();
  }
};

// As attention_step for long sequences: the tiles of keys are dealt to P
// splits, as in attention_decode_gqa_split, and the caches are read alone.
// attention_step_merge makes one of the splits, and then adds the new row to
// the caches: of it nothing is read here, whatever it holds. Where the position
// is no row of the caches, all means are NaN and their weights 1. in bf16, sums
// in f32, heads of 128; any G and P, zero included, R from 1 to 8 and T from 1,
// ragged included
template <int BR, int BK, int D> struct attention_step_split {
  Shared<bf16, G, R, 2 * D> q;
  Shared<bf16, G, 2 * D> k, v;
  Shared<i32, 1> pos;
  Shared<bf16, 2 * D> q_weight, k_weight;
  Shared<f32, T, D> cos, sin;
  Shared<bf16, G, T, 2 * D> k_cache, v_cache;
  Out<f32, P, G, R, 2 * D> partial;
  Out<f32, P, G, R> lse;
  Scalar<f32> eps, scale;
  void operator()() {
    require(R >= 1);
    require(R <= 8); // the schedule's; a tile has BR rows, as mma takes them
    require(T >= 1);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [p, g] = grid(P, G);
    auto out = claim<_, _, BR, 2 * D>(partial, {p, g, 0, 0});
    auto outLse = claim<_, _, BR>(lse, {p, g, 0});
    Index asked = load<_>(pos, {0});
    auto row = min(max(asked, 0), T - 1);
    auto mean = fill<f32, BR, 2 * D>(__builtin_nan(""));
    auto weight = zeros<f32, BR>();
    if_(asked == row, [&, p = p, g = g] {
      auto state = split(p, g, row);
      mean = state.mean();
      weight = state.weight();
    });
    store(out, mean);
    store(outLse, weight);
  }

private:
  auto split(const Index &p, const Index &g, const Index &row) {
    NewHeads<D> head(cos, sin, row, eps);
    auto queries = head(load<_, BR, D>(q, {g, 0, 0}, pad::zero),
                        load<_, BR, D>(q, {g, 0, 1}, pad::zero), q_weight);
    auto key = head(load<_, D>(k, {g, 0}), load<_, D>(k, {g, 1}), k_weight);
    auto value = load<_, 2 * D>(v, {g, 0});
    auto length = row + 1;
    auto keys = narrow<1>(k_cache, 0, length);
    auto values = narrow<1>(v_cache, 0, length);
    auto tiles = ceildiv(length, BK);
    auto share = ceildiv(tiles, P);
    auto from = p * share;
    SoftmaxOfRows<BR, 2 * D> state;
    for (Index j : range(from, min(from + share, tiles))) {
      auto newest = iota<i32, BK, 1>(axis<0>) == to<i32>(row - j * BK);
      auto low = load<_, BK, D>(keys, {g, j, 0}, pad::zero);
      auto high = load<_, BK, D>(keys, {g, j, 1}, pad::zero);
      auto ofLow = dot(where(newest, key.low, low), transpose(queries.low));
      auto products =
          mma(where(newest, key.high, high), transpose(queries.high), ofLow);
      auto scores = products * (scale * log2e);
      state.add(masked<0>(scores, min(length - j * BK, BK)), [&] {
        auto some = load<_, BK, 2 * D>(values, {g, j, 0}, pad::zero);
        return where(newest, value, some);
      });
    }
    return state;
  }
};

template <int BP, int D> struct step_merge_of_splits {
  Shared<f32, P, H, 2 * D> partial;
  Shared<f32, P, H> lse;
  Shared<bf16, G, 2 * D> k, v;
  Shared<i32, 1> pos;
  Shared<bf16, 2 * D> k_weight;
  Shared<f32, T, D> cos, sin;
  Own<bf16, G, T, 2 * D> k_cache, v_cache;
  Out<bf16, H, 2 * D> y;
  Scalar<f32> eps;
  void operator()() {
    require(T >= 1);
    hint("sm_90", "early", 1);
    hint("sm_90", "occupancy", 4);
    hint("sm_90", "tma", 0); // too little to wait for the engine
    auto [h] = grid(H + G);
    if_(h < H, [&, h = h] { merge(h); }, [&, h = h] { append(h - H); });
  }

private:
  void merge(const Index &h) {
    auto out = claim<_, 2 * D>(y, {h, 0});
    auto weightsOf = [&](const Index &p) {
      auto l = load<BP, _>(lse, {p, h}, pad::neg_inf);
      return l;
    };
    auto meansOf = [&](const Index &p) {
      auto x = load<BP, _, 2 * D>(partial, {p, h, 0}, pad::zero);
      return x;
    };
    store(out, merged<BP, 2 * D>(weightsOf, meansOf));
  }

  void append(const Index &g) {
    Index asked = load<_>(pos, {0});
    auto row = min(max(asked, 0), T - 1);
    if_(asked == row, [&] {
      NewHeads<D> head(cos, sin, row, eps);
      auto key = head(load<_, D>(k, {g, 0}), load<_, D>(k, {g, 1}), k_weight);
      store(claim<_, _, D>(k_cache, {g, row, 0}), key.low);
      store(claim<_, _, D>(k_cache, {g, row, 1}), key.high);
      store(claim<_, _, 2 * D>(v_cache, {g, row, 0}),
            load<_, 2 * D>(v, {g, 0}));
    });
  }
};

// What attention_step_split leaves, to attention of one new token, as
// attention_merge; its key, with norm and angles, and its value go to the row
// of the caches. Where the position is no row of them, they stay as they are.
// in bf16, heads of 128; any G, H and P, zero included, and T from 1
struct attention_step_merge
    : Variants<step_merge_of_splits<8, 64>, step_merge_of_splits<16, 64>> {
  void operator()() { when<step_merge_of_splits<8, 64>>(P <= 8); }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"attention_decode_gqa", record<attention_decode_gqa<16, 256, 128>>},
       {"attention_decode_gqa_split",
        record<attention_decode_gqa_split<16, 256, 128>>},
       {"attention_decode_gqa_ragged",
        record<attention_decode_gqa_ragged<16, 256, 128>>},
       {"attention_decode_paged", record<attention_decode_paged<16, 64, 128>>},
       {"attention_decode_paged_whole", record<attention_decode_paged_whole>},
       {"attention_merge", record<attention_merge>},
       {"attention_step", record<attention_step<16, 128, 64>>},
       {"attention_step_split", record<attention_step_split<16, 128, 64>>},
       {"attention_step_merge", record<attention_step_merge>}});
}
