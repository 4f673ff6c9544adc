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

} // namespace girih::kernel::library

#endif // GIRIH_PROOFS_KERNELS_ATTENTION_H
