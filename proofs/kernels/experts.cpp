// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a mixture of experts, and its tokens by expert.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym P{"P"}, K{"K"}, N{"N"}, E{"E"}, T{"T"}, NB{"NB"};

// Rows may lie apart, and the weights of experts.
constexpr Sym lda{"lda"}, sw{"sw"}, ldw{"ldw"}, ldc{"ldc"};

// Tiles of c in bands of eight rows, each band column by column: blocks that
// run at a time share the weights of their experts in the L2 cache. In the last
// band, those whose row is behind the last one do nothing.
template <int BM, int BN, class C, class F>
void banded(const C &c, const F &value) {
  auto [band, j, row] = grid(ceildiv(P, 8 * BM), ceildiv(N, BN), 8);
  auto i = band * 8 + row;
  if_(i < tiles<BM, BN>(c, axis<0>), [&] {
    auto out = claim<BM, BN>(c, {i, j});
    store(out, to<bf16>(value(i, j)));
  });
}

// C = A * W[e] for the expert e of each tile of rows: grouped GEMM of a mixture
// of experts, whose tokens are sorted by expert and padded so that no tile of
// 128 rows has two of them; experts[i] is that of tile i. In bf16, sums in f32.
// any P (padded tokens), K, N and E, zero and ragged included; NB is
// ceildiv(P, 128)
template <int BM, int BN, int BK> struct gemm_moe {
  With<Shared<bf16, P, K>, strides<lda, 1>> a;
  Shared<i32, NB> experts;
  With<Shared<bf16, E, K, N>, strides<sw, ldw, 1>> w;
  With<Out<bf16, P, N>, strides<ldc, 1>> c;
  void operator()() {
    require(NB == ceildiv(P, BM));
    given(within(experts, 0, E));
    // As in gemm.cpp; of weights, where experts have some tiles of rows each.
    repack(a, {N >= 512, K >= 128, P * K >= 32768, lda % 2 == 1});
    repack(w, {P >= 256 * E, ldw % 4 >= 1, K >= 128, K * N >= 131072});
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    hint("sm_90", "latency", 6);
    banded<BM, BN>(c, [&](const Index &i, const Index &j) {
      Index expert = load<_>(experts, {i});
      auto acc = zeros<f32, BM, BN>();
      for (Index k : range(tiles<BM, BK>(a, axis<1>))) {
        auto x = load<BM, BK>(a, {i, k}, pad::zero);
        auto y = load<_, BK, BN>(w, {expert, k, j}, pad::zero);
        acc = mma(x, y, acc);
      }
      return acc;
    });
  }
};

// As gemm_moe, without the copy of the tokens before it: row p of the result is
// of token ids[p], and an id of T is padding, whose row is 0. No engine copies
// such rows: where they are many, gather_tokens and gemm_moe are faster. In
// bf16, sums in f32.
// any P, T, K, N and E, zero and ragged included; NB is ceildiv(P, 128)
template <int BM, int BN, int BK> struct gemm_moe_gather {
  Shared<bf16, T, K> a;
  Shared<i32, P> ids;
  Shared<i32, NB> experts;
  Shared<bf16, E, K, N> w;
  Out<bf16, P, N> c;
  void operator()() {
    require(NB == ceildiv(P, BM));
    given(within(ids, 0, T + 1));
    given(within(experts, 0, E));
    hint("sm_90", "worker_warps", 4);
    hint("sm_90", "occupancy", 1);
    hint("sm_90", "latency", 6);
    banded<BM, BN>(c, [&](const Index &i, const Index &j) {
      Index expert = load<_>(experts, {i});
      auto id = to<idx>(load<BM>(ids, {i}, pad::zero));
      auto row = broadcast<BM, BK>(reshape<BM, 1>(id));
      auto isToken = row < T;
      auto acc = zeros<f32, BM, BN>();
      for (Index k : range(ceildiv(K, BK))) {
        auto column = k * BK + iota<idx, BM, BK>(axis<1>);
        auto isThere = isToken & (column < K);
        auto x = gather(a, lanes(row, column), isThere, pad::zero);
        auto y = load<_, BK, BN>(w, {expert, k, j}, pad::zero);
        acc = mma(x, y, acc);
      }
      return acc;
    });
  }
};

// y[p] = a[ids[p]], what gemm_moe takes: tokens by expert; an id of T is
// padding, whose row is 0. In bf16.
// any P, T and K, zero and ragged included
template <int BM, int BN> struct gather_tokens {
  Shared<bf16, T, K> a;
  Shared<i32, P> ids;
  Out<bf16, P, K> y;
  void operator()() {
    given(within(ids, 0, T + 1));
    hint("sm_90", "occupancy", 4);
    auto [i, j] = grid(ceildiv(P, BM), ceildiv(K, BN));
    auto out = claim<BM, BN>(y, {i, j});
    auto id = to<idx>(load<BM>(ids, {i}, pad::zero));
    auto row = broadcast<BM, BN>(reshape<BM, 1>(id));
    auto column = j * BN + iota<idx, BM, BN>(axis<1>);
    auto isThere = (row < T) & (column < K);
    store(out, gather(a, lanes(row, column), isThere, pad::zero));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"gemm_moe", record<gemm_moe<128, 256, 64>>},
       {"gemm_moe_gather", record<gemm_moe_gather<128, 128, 64>>},
       {"gather_tokens", record<gather_tokens<16, 256>>}});
}
