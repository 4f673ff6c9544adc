// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a matrix with a vector, bound by the stream of the matrix.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym N{"N"}, K{"K"}, P{"P"};

// y[N] = w[N, K] x[K] in bf16, sums in f32, by P programs, each of which takes
// every P-th tile of BN rows. Of sm_90 the schedule gemv takes it: its hint
// `slots` says how many copies a warp has in flight. It reads rows by bulk
// copies, so they begin at multiples of 16 bytes.
// any N and K up to maxK, multiples of 8, zero and ragged included; P at least
// 1
template <int BN, int maxK, int slots> struct gemv_rows {
  Shared<bf16, N, K> w;
  Shared<bf16, K> x;
  Out<bf16, N> y;
  void operator()() {
    constexpr int BK = 512;
    require(P >= 1);
    require(K % 8 == 0);
    require(K <= maxK);
    hint("sm_90", "slots", slots);
    auto [first] = grid(P);
    auto rows = tiles<BN>(y, axis<0>);
    for (Index t : range(first, rows, P)) {
      auto out = claim<BN>(y, {t});
      auto acc = zeros<f32, BN>();
      for (Index k : range(ceildiv(K, BK))) {
        auto a = load<BN, BK>(w, {t, k}, pad::zero);
        auto b = load<BK>(x, {k}, pad::zero);
        acc = acc + sum(to<f32>(a) * to<f32>(b), drop<1>);
      }
      store(out, to<bf16>(acc));
    }
  }
};

// y[N] = w[N, K] x[K] in bf16, sums in f32, by P programs: as many rows at a
// time as leave slices of about one copy each, and for the longest rows one. Of
// sm_90 the schedule gemv takes them.
// any N and K up to 32768, multiples of 8, zero and ragged included; P at least
// 1
struct gemv_by_depth : Variants<gemv_rows<4, 2560, 8>, gemv_rows<2, 5120, 8>,
                                gemv_rows<1, 32768, 7>> {
  void operator()() {
    when<gemv_rows<4, 2560, 8>>(K <= 2560);
    when<gemv_rows<2, 5120, 8>>(K <= 5120);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"gemv", record<gemv_rows<4, 8192, 4>>},
                            {"gemv_by_depth", record<gemv_by_depth>}});
}
