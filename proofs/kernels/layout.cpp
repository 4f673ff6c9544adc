// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same elements in another order.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, B{"B"}, S{"S"}, H{"H"}, D{"D"}, L{"L"}, F{"F"},
    E{"E"}, R{"R"}, r{"r"};

// y[N, M] = transpose of x[M, N] in f32
// any M and N, zero and ragged included
template <int BM, int BN> struct transposed {
  Shared<f32, M, N> x;
  Out<f32, N, M> y;
  void operator()() {
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto out = claim<BN, BM>(y, {j, i});
    auto tile = load<BM, BN>(x, {i, j}, pad::zero);
    store(out, transpose(tile));
  }
};

// y[B, H, S, D] = x[B, S, H, D]: heads before positions, in bf16
// any B, S, H and D, zero and ragged included
template <int BS, int BD> struct permute_heads {
  Shared<bf16, B, S, H, D> x;
  Out<bf16, B, H, S, D> y;
  void operator()() {
    auto [b, h, s, d] = grid(B, H, ceildiv(S, BS), ceildiv(D, BD));
    auto out = claim<_, _, BS, BD>(y, {b, h, s, d});
    auto tile = load<_, BS, _, BD>(x, {b, s, h, d}, pad::zero);
    store(out, tile);
  }
};

// y[N] = row r of x[M, N], in bf16: the last token's state before the head
// any M and N, zero and ragged included; r below M
template <int BN> struct gather_row {
  Shared<bf16, M, N> x;
  Out<bf16, N> y;
  void operator()() {
    require(r < M);
    auto [j] = grid(ceildiv(N, BN));
    auto out = claim<BN>(y, {j});
    auto tile = load<_, BN>(x, {r, j}, pad::zero);
    store(out, tile);
  }
};

// Blocks of a KV cache from the stacked layout of the engine, where layer and
// kind (key or value) stand beside each other and a head inside, to the
// contiguous one of a store, where each block is one run: y[b, h * L + l, e] =
// x[b * L + l, h, e], in bf16, L layers times kinds, E elements (positions
// times lanes) a head
// any B, H, L and E, zero and ragged included
template <int BE> struct stacked_to_contiguous {
  Shared<bf16, R, H, E> x;
  Out<bf16, B, F, E> y;
  void operator()() {
    require(R == B * L);
    require(F == H * L);
    auto [b, h, l, e] = grid(B, H, L, ceildiv(E, BE));
    auto flat = h * L + l;
    auto stack = b * L + l;
    auto out = claim<_, _, BE>(y, {b, flat, e});
    auto tile = load<_, _, BE>(x, {stack, h, e}, pad::zero);
    store(out, tile);
  }
};

// Blocks of a KV cache from the contiguous layout of a store back to the
// stacked one of the engine: y[b * L + l, h, e] = x[b, h * L + l, e], in bf16,
// as stacked_to_contiguous has them
// any B, H, L and E, zero and ragged included
template <int BE> struct contiguous_to_stacked {
  Shared<bf16, B, F, E> x;
  Out<bf16, R, H, E> y;
  void operator()() {
    require(R == B * L);
    require(F == H * L);
    auto [b, h, l, e] = grid(B, H, L, ceildiv(E, BE));
    auto flat = h * L + l;
    auto stack = b * L + l;
    auto out = claim<_, _, BE>(y, {stack, h, e});
    auto tile = load<_, _, BE>(x, {b, flat, e}, pad::zero);
    store(out, tile);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"transpose", record<transposed<64, 64>>},
       {"permute_heads", record<permute_heads<64, 64>>},
       {"gather_row", record<gather_row<1024>>},
       {"stacked_to_contiguous", record<stacked_to_contiguous<4096>>},
       {"contiguous_to_stacked", record<contiguous_to_stacked<4096>>}});
}
