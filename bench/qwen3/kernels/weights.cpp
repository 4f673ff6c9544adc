// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights in bf16 of those in fewer bits: a product of many rows takes them
// apart once, not for each tile of rows.

#include "Int4.h"
using namespace girih::kernel;
using library::fromInt4, library::ofHalf;

constexpr Sym N{"N"}, K{"K"}, G{"G"};

inline void describe(Sym columns) {
  for (Sym each : {N, columns}) {
    require(each >= 1);
    require(each <= 2147483647);
  }
  hint("sm_90", "early", 1);
  hint("sm_90", "worker_warps", 4);
  hint("sm_90", "occupancy", 8);
}

// y[N, K] = w[N, K] in f8E4M3FN times the scale of its row, rounded to bf16.
// any N and K from 1 to 2147483647
template <int BN, int BK> struct weights_of_f8 {
  Shared<f8e4m3, N, K> w;
  Shared<f32, N> scale;
  Out<bf16, N, K> y;
  void operator()() {
    describe(K);
    auto [i, j] = grid(ceildiv(N, BN), ceildiv(K, BK));
    auto elements = to<f32>(load<BN, BK>(w, {i, j}, pad::zero));
    auto ofRow = reshape<BN, 1>(load<BN>(scale, {i}, pad::zero));
    store(y, {i, j}, to<bf16>(elements * broadcast<BN, BK>(ofRow)));
  }
};

// y[N, 128 G], by halves of groups, = w of 4 bits times the scale of its row
// and group, rounded to bf16: of a group of 128 columns byte j has column j in
// its low half and j + 64 in its high one, each 8 too large. any N and G from 1
// to 2147483647
template <int BN> struct weights_of_int4 {
  Shared<i8, N, G, ofHalf> w;
  Shared<bf16, N, G> scale;
  Out<bf16, N, G, 2, ofHalf> y;
  void operator()() {
    describe(G);
    auto [i, g] = grid(ceildiv(N, BN), G);
    auto bits =
        to<i16>(load<BN, _, ofHalf>(w, {i, g, 0}, pad::zero), asUnsigned);
    auto ofRow = reshape<BN, 1>(to<f32>(load<BN, _>(scale, {i, g}, pad::zero)));
    auto low = claim<BN, _, _, ofHalf>(y, {i, g, 0, 0});
    auto high = claim<BN, _, _, ofHalf>(y, {i, g, 1, 0});
    store(low, scaled(bits, ofRow));
    store(high, scaled(shiftRight(bits, 4), ofRow));
  }
  static auto scaled(const Tile<i16, BN, ofHalf> &bits,
                     const Tile<f32, BN, 1> &ofRow) {
    return to<bf16>(to<f32>(fromInt4(bits)) * broadcast<BN, ofHalf>(ofRow));
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"weights_of_f8", record<weights_of_f8<16, 256>>},
                            {"weights_of_int4", record<weights_of_int4<64>>}});
}
