// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library does not have of a token that is replayed as a graph: token
// and position stand in device memory, written by the replay before, so nobody
// has looked at them. They are clamped: what is out of range reads or writes
// another row, and touches nothing else.

#include "Attention.h"
#include "Rotary.h"
using namespace girih::kernel;
using library::attendSplit, library::normed, library::rounded, library::turned,
    library::wide, library::Halves;

constexpr Sym B{"B"}, V{"V"}, W{"W"}, N{"N"}, G{"G"}, R{"R"}, T{"T"}, P{"P"},
    H{"H"};

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

// The token of one row; the position moves on by one
// any N, zero and ragged included
template <int BN> struct step_argmax {
  Shared<f32, 1, N> max;
  Shared<i32, 1, N> index;
  Own<i32, 1> position;
  Out<i32, 1> token;
  void operator()() {
    hint("sm_90", "early", 1);
    auto [one] = grid(1);
    auto out = claim<_>(token, {one});
    auto at = claim<_>(position, {one});
    store(out, bestOf<BN>(max, index, one));
    store(at, load(at) + 1);
  }
};

// Heads of one new token: each of q and k is divided by its root mean square,
// scaled and turned by the angles of its position; q goes to q_out, k and v to
// that row of the caches. In bf16, heads of 128
// any H and G, zero included, and T from 1
template <int D> struct step_heads {
  Shared<bf16, H, 2 * D> q;
  Shared<bf16, G, 2 * D> k, v;
  Shared<i32, 1> pos;
  Shared<bf16, 2 * D> q_weight, k_weight;
  Shared<f32, T, D> cos, sin;
  Out<bf16, H, 2 * D> q_out;
  Own<bf16, G, T, 2 * D> k_cache, v_cache;
  Scalar<f32> eps;
  void operator()() {
    require(T >= 1);
    hint("sm_90", "early", 1);
    hint("sm_90", "occupancy", 8);
    auto [h] = grid(H + G);
    auto row = clamped(pos, 0, T);
    auto isQ = h < H;
    auto g = h - H;
    auto a = zeros<bf16, D>(), b = a, wa = a, wb = a;
    if_(
        isQ,
        [&] {
          a = load<_, D>(q, {h, 0});
          b = load<_, D>(q, {h, 1});
          wa = load<D>(q_weight, {0});
          wb = load<D>(q_weight, {1});
        },
        [&] {
          a = load<_, D>(k, {g, 0});
          b = load<_, D>(k, {g, 1});
          wa = load<D>(k_weight, {0});
          wb = load<D>(k_weight, {1});
        });
    auto unit = normed(wide(Halves{a, b}), wide(Halves{wa, wb}), eps);
    auto c = load<_, D>(cos, {row, 0});
    auto d = load<_, D>(sin, {row, 0});
    auto r = rounded(turned(unit, c, d));
    if_(
        isQ,
        [&] {
          store(claim<_, D>(q_out, {h, 0}), r.low);
          store(claim<_, D>(q_out, {h, 1}), r.high);
        },
        [&] {
          store(claim<_, _, D>(k_cache, {g, row, 0}), r.low);
          store(claim<_, _, D>(k_cache, {g, row, 1}), r.high);
          store(claim<_, _, 2 * D>(v_cache, {g, row, 0}),
                load<_, 2 * D>(v, {g, 0}));
        });
  }
};

// As attention_decode_gqa_split of one sequence, whose keys are those up to a
// position in device memory
// any G and P, zero included, R from 1 to 16 and T from 1
template <int BR, int BK, int D> struct step_attention {
  Shared<bf16, G, R, D> q;
  Shared<bf16, G, T, D> k, v;
  Shared<i32, 1> pos;
  Out<f32, P, G, R, D> partial;
  Out<f32, P, G, R> lse;
  Scalar<f32> scale;
  void operator()() {
    require(R >= 1);
    require(R <= BR);
    require(T >= 1);
    hint("sm_90", "early", 1);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [p, g] = grid(P, G);
    auto length = clamped(pos, 0, T) + 1;
    auto out = claim<_, _, BR, D>(partial, {p, g, 0, 0});
    auto outLse = claim<_, _, BR>(lse, {p, g, 0});
    auto query = load<_, BR, D>(q, {g, 0, 0}, pad::zero);
    attendSplit<BR, BK, D>(
        query,
        [&] {
          auto keys = narrow<1>(k, 0, length), values = narrow<1>(v, 0, length);
          return std::pair(
              [=, g = g](const Index &j) {
                return load<_, BK, D>(keys, {g, j, 0}, pad::zero);
              },
              [=, g = g](const Index &j) {
                return load<_, BK, D>(values, {g, j, 0}, pad::zero);
              });
        },
        p, P, length, scale, out, outLse);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"step_embedding", record<step_embedding<1024>>},
       {"step_tokens", record<step_tokens<256>>},
       {"step_argmax", record<step_argmax<256>>},
       {"step_heads", record<step_heads<64>>},
       {"step_attention", record<step_attention<16, 256, 128>>}});
}
