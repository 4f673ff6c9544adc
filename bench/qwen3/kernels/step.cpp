// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library does not have of a token that is replayed as a graph: token
// and position stand in device memory, written by the replay before, so nobody
// has looked at them. They are clamped: what is out of range reads or writes
// another row, and touches nothing else.

#include "Told.h"
using namespace girih::kernel;

constexpr Sym B{"B"}, V{"V"}, W{"W"}, N{"N"};

// A number in device memory, at least 0 and below a limit of at least 1.
template <class Numbers>
Index clamped(const Numbers &numbers, const Index &at, const Index &end) {
  Index asked = load<_>(numbers, {at});
  return min(max(asked, 0), end - 1);
}

// y[b] = row ids[b] of the table, in bf16
// any B and W, zero and ragged included, and V from 1
template <int BN> struct step_embedding {
  Shared<i32, B> ids;
  Shared<bf16, V, W> table;
  Out<bf16, B, W> y;
  void operator()() {
    require(V >= 1);
    hint("sm_90", "early", 1);
    auto [j, b] = grid(ceildiv(W, BN), B);
    auto out = claim<_, BN>(y, {b, j});
    auto row = clamped(ids, b, V);
    store(out, load<_, BN>(table, {row, j}, pad::zero));
  }
};

// Of the maxima of stretches, as argmax_blocks leaves them with indices that
// ascend, the index of the largest, and of equal ones the first. Of none, or
// where one is NaN, 2^31 - 1, which is no token.
template <int BN, class Max, class Numbers>
auto bestOf(const Max &max, const Numbers &index, const Index &b) {
  // Lane by lane the largest of every BN-th; an equal one that comes later
  // loses, and nothing is larger than NaN.
  auto best = fill<f32, BN>(-inf);
  auto number = fill<i32, BN>(2147483647);
  for (Index j : range(ceildiv(N, BN))) {
    auto x = load<_, BN>(max, {b, j}, pad::neg_inf);
    auto i = load<_, BN>(index, {b, j}, pad::zero);
    auto better = (x > best) | (x != x);
    best = where(better, x, best);
    number = where(better, i, number);
  }
  return min(where(best == girih::kernel::max(best), number, 2147483647));
}

// The token of each row
// any B and N, zero and ragged included
template <int BN> struct step_tokens {
  Shared<f32, B, N> max;
  Shared<i32, B, N> index;
  Out<i32, B> token;
  void operator()() {
    hint("sm_90", "early", 1);
    auto [b] = grid(B);
    auto out = claim<_>(token, {b});
    store(out, bestOf<BN>(max, index, b));
  }
};

// The token of one row, left as Told.h says
// any N, zero and ragged included
template <int BN> struct step_argmax {
  Shared<f32, 1, N> max;
  Shared<i32, 1, N> index;
  Own<i32, 1> position;
  Own<i32, 1> token;
  Own<i32, 1> number;
  Out<i64, 2> told;
  void operator()() {
    hint("sm_90", "early", 1);
    auto [one] = grid(1);
    told::leave(one, bestOf<BN>(max, index, one), position, token, number,
                told);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"step_embedding", record<step_embedding<1024>>},
                            {"step_tokens", record<step_tokens<256>>},
                            {"step_argmax", record<step_argmax<256>>}});
}
