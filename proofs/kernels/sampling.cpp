// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From logits to a token.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym B{"B"}, N{"N"}, V{"V"}, NB{"NB"}, K{"K"};

// The largest logit of each stretch of 4096 of a row, and the first index at
// which it stands: what argmax_reduce makes one token of. In bf16; of a stretch
// that has a NaN the maximum is NaN and the index V, which is none.
// any B and V up to 2^31 - 1, zero and ragged included; NB is ceildiv(V, 4096)
template <int BV> struct argmax_blocks {
  Shared<bf16, B, V> logits;
  Out<f32, B, NB> max;
  Out<i32, B, NB> index;
  void operator()() {
    require(NB == ceildiv(V, BV));
    require(V <= 2147483647);
    hint("sm_90", "early", 1);
    hint("sm_90", "occupancy", 8);
    auto [b, j] = grid(B, NB);
    auto outMax = claim<_, _>(max, {b, j});
    auto outIndex = claim<_, _>(index, {b, j});
    auto x = to<f32>(load<_, BV>(logits, {b, j}, pad::neg_inf));
    auto top = girih::kernel::max(x);
    auto numbers = to<i32>(j * BV) + iota<i32, BV>(axis<0>);
    auto candidates = where(x == top, numbers, to<i32>(Index(V)));
    store(outMax, top);
    store(outIndex, min(candidates));
  }
};

// The token of each row: of the maxima of its stretches the largest, of equal
// ones that with the smallest index
// any B and N, zero and ragged included; a row of no stretches has 2^31 - 1
template <int BN> struct argmax_reduce {
  Shared<f32, B, N> max;
  Shared<i32, B, N> index;
  Out<i32, B> token;
  void operator()() {
    hint("sm_90", "early", 1);
    auto [b] = grid(B);
    auto out = claim<_>(token, {b});
    // Lane by lane the largest of every 256th; an equal one that comes later
    // loses.
    auto best = fill<f32, BN>(-inf);
    auto at = fill<i32, BN>(2147483647);
    for (Index j : range(ceildiv(N, BN))) {
      auto x = load<_, BN>(max, {b, j}, pad::neg_inf);
      auto i = load<_, BN>(index, {b, j}, pad::zero);
      auto better = x > best;
      best = where(better, x, best);
      at = where(better, i, at);
    }
    auto candidates = where(best == girih::kernel::max(best), at, 2147483647);
    store(out, min(candidates));
  }
};

// Of BB hidden states at a time.
template <int BB, int BV, int BK> struct head_argmax {
  Shared<bf16, V, K> weights;
  Shared<bf16, B, K> hidden;
  Out<f32, B, NB> max;
  Out<i32, B, NB> index;
  void operator()() {
    require(NB == ceildiv(V, BV));
    require(V <= 2147483647);
    hint("sm_90", "occupancy", 2);
    auto [j, i] = grid(NB, ceildiv(B, BB));
    auto outMax = claim<BB, _>(max, {i, j});
    auto outIndex = claim<BB, _>(index, {i, j});
    auto logits = zeros<f32, BB, BV>();
    for (Index k : range(tiles<BV, BK>(weights, axis<1>))) {
      auto h = load<BB, BK>(hidden, {i, k}, pad::zero);
      auto w = load<BV, BK>(weights, {j, k}, pad::zero);
      logits = mma(h, transpose(w), logits);
    }
    // Rows behind the last have no logit.
    auto lane = iota<i32, BB, BV>(axis<1>);
    auto first = j * BV;
    auto some = to<i32>(min(V - first, BV));
    auto x = where(lane < some, logits, -inf);
    auto top = girih::kernel::max(x, axis<1>);
    auto numbers = to<i32>(first) + lane;
    auto candidates = where(x == top, numbers, to<i32>(Index(V)));
    store(outMax, reshape<BB>(top));
    store(outIndex, min(candidates, drop<1>));
  }
};

// The head of a language model without its logits: of the products of each
// hidden state with 128 rows of the weights the largest, and the first row that
// has it. argmax_reduce makes one token of what is left. In bf16, sums in f32.
// More states at a time where there are more than 16, so that the weights are
// read once.
// any B, K and V up to 2^31 - 1, zero and ragged included; NB is ceildiv(V,
// 128)
struct lm_head_argmax
    : Variants<head_argmax<16, 128, 128>, head_argmax<64, 128, 128>> {
  void operator()() { when<head_argmax<16, 128, 128>>(B <= 16); }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"argmax_blocks", record<argmax_blocks<4096>>},
                            {"argmax_reduce", record<argmax_reduce<256>>},
                            {"lm_head_argmax", record<lm_head_argmax>}});
}
