// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all kernels of attention share.

#ifndef GIRIH_PROOFS_KERNELS_ATTENTION_H
#define GIRIH_PROOFS_KERNELS_ATTENTION_H

#include "Library.h"

namespace girih::kernel::library {

constexpr double log2e = 1.44269504;

/// The running maximum and sum of a softmax in base 2, and the sum of values
/// that it weighs (flash attention), of BQ queries with heads of D.
template <int BQ, int D, class... Mode> struct Softmax {
  Tile<f32, BQ, 1> m = fill<f32, BQ, 1>(-1e30), l = zeros<f32, BQ, 1>();
  Tile<f32, BQ, D> acc = zeros<f32, BQ, D>();

  /// Takes a tile of keys by their scores.
  template <int BK, class Load>
  void add(const Tile<f32, BQ, BK> &scores, Load values) {
    auto top = max(m, max(scores, axis<1>));
    take(top, exp2(scores - top, Mode{}...), values);
  }
  /// The same of scores that are still to be multiplied by a factor above 0.
  template <int BK, class Load>
  void add(const Tile<f32, BQ, BK> &products, const Scalar<f32> &factor,
           Load values) {
    auto top = max(m, max(products, axis<1>) * factor);
    take(top, exp2(fma(products, factor, -top), Mode{}...), values);
  }
  /// The mean of the values; 0 where there were none. One division a row: as
  /// many as there are elements would take as long as several tiles of keys.
  auto mean() { return acc * (1.0 / max(l, 1e-30)); }
  /// The logarithm (base 2) of the weight of all keys.
  auto weight() { return m + log2(l); }

private:
  template <int BK, class Load>
  void take(const Tile<f32, BQ, 1> &top, const Tile<f32, BQ, BK> &e,
            Load values) {
    auto alpha = exp2(m - top, Mode{}...);
    l = l * alpha + sum(e, axis<1>);
    auto v = values();
    acc = mma(to<bf16>(e), v, acc * alpha);
    m = top;
  }
};

/// The same of few queries, up to BR: keys are the rows of a tile of scores and
/// queries its columns, since tensor cores take many rows at a time.
template <int BR, int D> struct SoftmaxOfRows {
  Tile<f32, 1, BR> m = fill<f32, 1, BR>(-1e30), l = zeros<f32, 1, BR>();
  Tile<f32, D, BR> acc = zeros<f32, D, BR>();

  /// Takes a tile of keys by their scores.
  template <int BK, class Load>
  void add(const Tile<f32, BK, BR> &scores, Load values) {
    auto top = max(m, max(scores, axis<0>));
    auto e = exp2(scores - top, Approximate{});
    auto alpha = exp2(m - top, Approximate{});
    l = l * alpha + sum(e, axis<0>);
    auto v = values();
    acc = mma(transpose(v), to<bf16>(e), acc * alpha);
    m = top;
  }
  /// The mean of the values; 0 where there were none.
  auto mean() { return transpose(acc * (1.0 / max(l, 1e-30))); }
  /// The logarithm (base 2) of the weight of all keys.
  auto weight() { return reshape<BR>(m + log2(l)); }
};

/// Scores of a tile of keys, which are its rows or its columns; of the keys
/// `some` are there.
template <int keys, int M, int N>
auto masked(const Tile<f32, M, N> &scores, const Index &some) {
  auto isThere = iota<i32, M, N>(axis<keys>) < to<i32>(some);
  return where(isThere, scores, -inf);
}

/// A query over tiles `from` to before `end` of the keys of a head, of which
/// `length` are there; `open` gives what loads a tile of keys, and of values.
template <int BR, int BK, int D, class Open>
auto attend(const Tile<bf16, BR, D> &query, const Open &open,
            const Index &length, const Scalar<f32> &scale, const Index &from,
            const Index &end) {
  auto [keysOf, valuesOf] = open();
  auto factor = scale * log2e;
  auto queries = transpose(query);
  SoftmaxOfRows<BR, D> state;
  for (Index j : range(from, end)) {
    auto keys = keysOf(j);
    auto scores = dot(keys, queries) * factor;
    state.add(masked<0>(scores, min(length - j * BK, BK)),
              [&] { return valuesOf(j); });
  }
  return state;
}

/// Split p of `splits` of that: its mean and the logarithm of its weight.
template <int BR, int BK, int D, class Open, class Mean, class Weight>
void attendSplit(const Tile<bf16, BR, D> &query, const Open &open,
                 const Index &p, const Sym &splits, const Index &length,
                 const Scalar<f32> &scale, const Mean &out,
                 const Weight &outLse) {
  auto tiles = ceildiv(length, BK);
  auto share = ceildiv(tiles, splits);
  auto from = p * share;
  auto end = min(from + share, tiles);
  auto state = attend<BR, BK, D>(query, open, length, scale, from, end);
  store(out, state.mean());
  store(outLse, state.weight());
}

} // namespace girih::kernel::library

#endif // GIRIH_PROOFS_KERNELS_ATTENTION_H
