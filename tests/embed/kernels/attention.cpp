// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention: with a sliding window, of one query against a paged cache in int8,
// and the backward pass.

#include "proofs/kernels/Attention.h"
using namespace girih::kernel;

constexpr Sym B{"B"}, H{"H"}, S{"S"}, W{"W"}, G{"G"}, R{"R"}, N{"N"}, M{"M"};

// Query s sees keys s - W + 1 .. s
template <int BQ, int D> struct sliding_attention {
  Shared<bf16, B, H, S, D> q, k, v;
  Out<bf16, B, H, S, D> y;
  Scalar<f32> scale;
  void operator()() {
    require(W >= 1);
    auto [i, h, b] = grid(ceildiv(S, BQ), H, B);
    auto query = load<_, _, BQ, D>(q, {b, h, i, 0}, pad::zero);
    auto rows = i * BQ + iota<idx, BQ, BQ>(axis<0>);
    library::Softmax<BQ, D> state;
    for (Index j : range(max(i * BQ + 1 - W, 0) / BQ, i + 1)) {
      auto keys = load<_, _, BQ, D>(k, {b, h, j, 0}, pad::zero);
      auto scores = dot(query, transpose(keys)) * (scale * library::log2e);
      auto cols = j * BQ + iota<idx, BQ, BQ>(axis<1>);
      auto seen = (cols <= rows) & (cols > rows - W);
      state.add(where(seen, scores, -inf),
                [&] { return load<_, _, BQ, D>(v, {b, h, j, 0}, pad::zero); });
    }
    store(y, {b, h, i, 0}, to<bf16>(state.mean()));
  }
};

// Keys and values of a slot and head have a scale of their own
template <int BR, int page, int D> struct paged_int8_decode {
  Shared<bf16, B, G, R, D> q;
  Shared<i8, N, page, G, D> k;
  Shared<f32, N, page, G> ks;
  Shared<i8, N, page, G, D> v;
  Shared<f32, N, page, G> vs;
  Shared<i32, B, M> table;
  Shared<i32, B> lengths;
  Out<bf16, B, G, R, D> y;
  Scalar<f32> scale;
  void operator()() {
    require(R >= 1);
    require(R <= BR);
    given(within(table, 0, N));
    given(within(lengths, 0, page * M + 1));
    auto [b, g] = grid(B, G);
    Index length = load<_>(lengths, {b});
    auto query = load<_, _, BR, D>(q, {b, g, 0, 0}, pad::zero);
    library::Softmax<BR, D> state;
    for (Index j : range(ceildiv(length, page))) {
      Index id = load<_, _>(table, {b, j});
      auto some = min(length - j * page, page);
      auto numbers = [&](auto x, auto s) {
        auto bytes = load<_, page, _, D>(narrow<1>(x, 0, some), {id, 0, g, 0},
                                         pad::zero);
        auto scales =
            load<_, page, _>(narrow<1>(s, 0, some), {id, 0, g}, pad::zero);
        return to<bf16>(to<f32>(bytes) * reshape<page, 1>(scales));
      };
      auto scores =
          dot(query, transpose(numbers(k, ks))) * (scale * library::log2e);
      auto isThere = iota<idx, BR, page>(axis<1>) < some;
      state.add(where(isThere, scores, -inf), [&] { return numbers(v, vs); });
    }
    store(y, {b, g, 0, 0}, to<bf16>(state.mean()));
  }
};

// delta = sum over the head of o * do
template <int BQ, int D> struct flash_bwd_delta {
  Shared<bf16, B, H, S, D> o, d_o;
  Out<f32, B, H, S> delta;
  void operator()() {
    auto [i, h, b] = grid(ceildiv(S, BQ), H, B);
    auto x = to<f32>(load<_, _, BQ, D>(o, {b, h, i, 0}, pad::zero));
    auto dx = to<f32>(load<_, _, BQ, D>(d_o, {b, h, i, 0}, pad::zero));
    store(delta, {b, h, i}, sum(x * dx, drop<1>));
  }
};

// What the backward pass of causal attention recomputes: the weights of a tile
// of keys for one of queries, and how the loss changes with their scores
template <int BQ, int D> struct Backward {
  Tile<bf16, BQ, D> q, k, v, d_o;
  Tile<f32, BQ, 1> lse, delta;
  auto weights(const Scalar<f32> &scale, const Index &i, const Index &j) {
    auto p = exp(dot(q, transpose(k)) * scale - lse);
    auto key = j * BQ + iota<idx, BQ, BQ>(axis<1>);
    auto row = i * BQ + iota<idx, BQ, BQ>(axis<0>);
    auto seen = key <= row;
    return where(seen, p, 0);
  }
  auto slopes(const Tile<f32, BQ, BQ> &p, const Scalar<f32> &scale) {
    return to<bf16>(p * (dot(d_o, transpose(v)) - delta) * scale);
  }
};

// dk and dv of a tile of keys, over the tiles of queries from its own on
template <int BQ, int D> struct flash_bwd_dkdv {
  Shared<bf16, B, H, S, D> q, k, v, d_o;
  Shared<f32, B, H, S> lse, delta;
  Out<bf16, B, H, S, D> dk, dv;
  Scalar<f32> scale;
  void operator()() {
    auto [j, h, b] = grid(ceildiv(S, BQ), H, B);
    auto keys = load<_, _, BQ, D>(k, {b, h, j, 0}, pad::zero);
    auto values = load<_, _, BQ, D>(v, {b, h, j, 0}, pad::zero);
    auto sumK = zeros<f32, BQ, D>(), sumV = zeros<f32, BQ, D>();
    for (Index i : range(j, ceildiv(S, BQ))) {
      auto query = load<_, _, BQ, D>(q, {b, h, i, 0}, pad::zero);
      auto dy = load<_, _, BQ, D>(d_o, {b, h, i, 0}, pad::zero);
      auto l = reshape<BQ, 1>(load<_, _, BQ>(lse, {b, h, i}, pad::pos_inf));
      auto e = reshape<BQ, 1>(load<_, _, BQ>(delta, {b, h, i}, pad::zero));
      Backward<BQ, D> t{query, keys, values, dy, l, e};
      auto p = t.weights(scale, i, j);
      sumV = mma(transpose(to<bf16>(p)), dy, sumV);
      sumK = mma(transpose(t.slopes(p, scale)), query, sumK);
    }
    store(dk, {b, h, j, 0}, to<bf16>(sumK));
    store(dv, {b, h, j, 0}, to<bf16>(sumV));
  }
};

// dq of a tile of queries
template <int BQ, int D> struct flash_bwd_dq {
  Shared<bf16, B, H, S, D> q, k, v, d_o;
  Shared<f32, B, H, S> lse, delta;
  Out<bf16, B, H, S, D> dq;
  Scalar<f32> scale;
  void operator()() {
    auto [i, h, b] = grid(ceildiv(S, BQ), H, B);
    auto query = load<_, _, BQ, D>(q, {b, h, i, 0}, pad::zero);
    auto dy = load<_, _, BQ, D>(d_o, {b, h, i, 0}, pad::zero);
    auto l = reshape<BQ, 1>(load<_, _, BQ>(lse, {b, h, i}, pad::pos_inf));
    auto e = reshape<BQ, 1>(load<_, _, BQ>(delta, {b, h, i}, pad::zero));
    auto acc = zeros<f32, BQ, D>();
    for (Index j : range(i + 1)) {
      auto keys = load<_, _, BQ, D>(k, {b, h, j, 0}, pad::zero);
      auto values = load<_, _, BQ, D>(v, {b, h, j, 0}, pad::zero);
      Backward<BQ, D> t{query, keys, values, dy, l, e};
      acc = mma(t.slopes(t.weights(scale, i, j), scale), keys, acc);
    }
    store(dq, {b, h, i, 0}, to<bf16>(acc));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"sliding_attention", record<sliding_attention<64, 64>>},
       {"paged_int8_decode", record<paged_int8_decode<16, 64, 128>>},
       {"flash_bwd_delta", record<flash_bwd_delta<64, 64>>},
       {"flash_bwd_dkdv", record<flash_bwd_dkdv<64, 64>>},
       {"flash_bwd_dq", record<flash_bwd_dq<64, 64>>}});
}
