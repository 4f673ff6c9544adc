// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a table by ids, and their gradient.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, V{"V"}, T{"T"};

// y = row id of the table, in bf16, where the id is what sampling left in
// device memory: the first layer of a decode step that is replayed as a graph
// any V and N, zero and ragged included; the id is below V
template <int BN> struct embedding {
  Shared<i32, 1> id;
  Shared<bf16, V, N> table;
  Out<bf16, N> y;
  void operator()() {
    given(within(id, 0, V));
    auto [j] = grid(ceildiv(N, BN));
    auto out = claim<BN>(y, {j});
    Index row = load<_>(id, {0});
    auto tile = load<_, BN>(table, {row, j}, pad::zero);
    store(out, tile);
  }
};

// y[m] = row ids[m] of the table, in bf16: the first layer of a language model
// any M, V and N, zero and ragged included; every id is below V
template <int BN> struct embedding_batch {
  Shared<i32, M> ids;
  Shared<bf16, V, N> table;
  Out<bf16, M, N> y;
  void operator()() {
    given(within(ids, 0, V));
    hint("sm_90", "occupancy", 8);
    auto [m, j] = grid(M, ceildiv(N, BN));
    auto out = claim<_, BN>(y, {m, j});
    Index row = load<_>(ids, {m});
    auto tile = load<_, BN>(table, {row, j}, pad::zero);
    store(out, tile);
  }
};

// dtable[ids[t]] += dy[t]: the gradient of a table of embeddings, of bf16 in
// f32 any T, V and N, zero and ragged included; every id is below V, and may
// come twice
template <int BT, int BN> struct embedding_backward {
  Shared<i32, T> ids;
  Shared<bf16, T, N> dy;
  AtomicAdd<f32, V, N> dtable;
  void operator()() {
    given(within(ids, 0, V));
    auto [i, j] = grid(ceildiv(T, BT), ceildiv(N, BN));
    auto id = load<BT>(ids, {i}, pad::zero);
    auto tile = load<BT, BN>(dy, {i, j}, pad::zero);
    auto row = reshape<BT, 1>(to<idx>(id));
    auto column = j * BN + iota<idx, BT, BN>(axis<1>);
    auto left = T - i * BT;
    auto isToken = iota<idx, BT, BN>(axis<0>) < left;
    auto isThere = column < N;
    atomicScatter(dtable, lanes(row, column), to<f32>(tile), isToken & isThere);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"embedding", record<embedding<1024>>},
       {"embedding_batch", record<embedding_batch<1024>>},
       {"embedding_backward", record<embedding_backward<16, 128>>}});
}
