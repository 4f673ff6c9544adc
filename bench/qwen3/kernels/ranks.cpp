// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library does not have of a model that is cut over several devices:
// products whose sums stay in f32 until those of all ranks are added, what adds
// the residual and rounds them, and the token of maxima of all ranks.

#include "Told.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, K{"K"}, P{"P"}, R{"R"}, B{"B"}, V{"V"};

// y[N] = w[N, K] x[K], factors in bf16, sums in f32, by P programs, each of
// which takes every P-th tile of BN rows. Of sm_90 the schedule gemv takes it.
template <int BN, int maxK, int slots> struct rank_gemv_rows {
  Shared<bf16, N, K> w;
  Shared<bf16, K> x;
  Out<f32, N> y;
  void operator()() {
    constexpr int BK = 512;
    require(P >= 1);
    require(K % 8 == 0);
    require(K <= maxK);
    hint("sm_90", "slots", slots);
    if constexpr (maxK > 10240) {
      hint("sm_90", "slot_bytes", 3584);
    } else if constexpr (BN * maxK == 8192) {
      hint("sm_90", "slot_bytes", 2048);
    }
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
      store(out, acc);
    }
  }
};

// The same by depth, with the tiles of gemv_add.
// any N and K up to 32768, multiples of 8, zero and ragged included; P at least
// 1
struct rank_gemv
    : Variants<rank_gemv_rows<4, 2560, 4>, rank_gemv_rows<2, 4096, 4>,
               rank_gemv_rows<2, 5120, 4>, rank_gemv_rows<1, 8192, 4>,
               rank_gemv_rows<1, 10240, 4>, rank_gemv_rows<1, 32768, 4>> {
  void operator()() {
    when<rank_gemv_rows<4, 2560, 4>>(K <= 2560);
    when<rank_gemv_rows<2, 4096, 4>>(K <= 4096);
    when<rank_gemv_rows<2, 5120, 4>>(K <= 5120);
    when<rank_gemv_rows<1, 8192, 4>>(K <= 8192);
    when<rank_gemv_rows<1, 10240, 4>>(K <= 10240);
  }
};

// y[N] = x[N] + sums[N] in bf16, rounded once
// any N, zero and ragged included
template <int BN> struct rank_add {
  Shared<f32, N> sums;
  Shared<bf16, N> x;
  Out<bf16, N> y;
  void operator()() {
    hint("sm_90", "early", 1);
    auto [j] = grid(ceildiv(N, BN));
    auto out = claim<BN>(y, {j});
    auto added = to<f32>(load<BN>(x, {j}, pad::zero));
    store(out, to<bf16>(added + load<BN>(sums, {j}, pad::zero)));
  }
};

// Where sizes fit 31 bits and rows begin at multiples of 16 bytes, there is one
// entry point.
inline void requireWhole() {
  constexpr int maxElements = 2147483647;
  require(M >= 1);
  require(N >= 1);
  require(K >= 1);
  require(M <= maxElements);
  require(N <= maxElements);
  require(K <= maxElements);
  require(K % 8 == 0);
  require(N % 8 == 0);
}

// y[M, N] = x[M, K] * weight[N, K]^T, factors in bf16, sums in f32, for few
// rows, which are columns of what is computed: tensor cores take 64 rows at a
// time, and those are of the weights.
template <int BM, int BN, int BK, int occupancy, int latency>
struct rank_linear_turned {
  Shared<bf16, M, K> x;
  Shared<bf16, N, K> weight;
  Out<f32, M, N> y;
  void operator()() {
    requireWhole();
    hint("sm_90", "worker_warps", 4);
    hint("sm_90", "occupancy", occupancy);
    hint("sm_90", "latency", latency);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto acc = zeros<f32, BN, BM>();
    for (Index k : range(ceildiv(K, BK))) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto b = load<BN, BK>(weight, {j, k}, pad::zero);
      acc = mma(b, permute<1, 0>(a), acc);
    }
    store(y, {i, j}, permute<1, 0>(acc));
  }
};
// A block a tile of y.
template <int BM, int BN, int BK, int warps, int latency>
struct rank_linear_tiles {
  Shared<bf16, M, K> x;
  Shared<bf16, N, K> weight;
  Out<f32, M, N> y;
  void operator()() {
    hint("sm_90", "worker_warps", warps);
    hint("sm_90", "occupancy", 1);
    hint("sm_90", "latency", latency);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(K, BK))) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto b = load<BN, BK>(weight, {j, k}, pad::zero);
      acc = mma(a, permute<1, 0>(b), acc);
    }
    store(y, {i, j}, acc);
  }
};

// The same by size, with tiles of the kernel linear.
// any M, N and K, zero and ragged included
struct rank_linear : Variants<rank_linear_turned<16, 64, 256, 1, 6>,
                              rank_linear_turned<32, 64, 256, 1, 4>,
                              rank_linear_tiles<64, 64, 256, 4, 4>,
                              rank_linear_tiles<128, 128, 64, 4, 6>,
                              rank_linear_tiles<128, 256, 64, 8, 6>> {
  void operator()() {
    constexpr int maxElements = 2147483647;
    auto whole = [&]<class W>(const auto &...rows) {
      when<W>(rows..., N % 8 == 0, K % 8 == 0, M >= 1, N >= 1, K >= 1,
              M <= maxElements, N <= maxElements, K <= maxElements);
    };
    whole.template operator()<rank_linear_turned<16, 64, 256, 1, 6>>(M <= 16);
    whole.template operator()<rank_linear_turned<32, 64, 256, 1, 4>>(M <= 32);
    when<rank_linear_tiles<64, 64, 256, 4, 4>>(M <= 64);
    when<rank_linear_tiles<128, 128, 64, 4, 6>>(
        ceildiv(M, 128) * ceildiv(N, 256) <= 132);
  }
};

// sum = x + sums, rounded once, and y[m, n] = sum[m, n] * weight[n] /
// sqrt(mean over n of sum[m, n]^2 + eps), in bf16, a row a block: add_rms_norm
// of sums in f32.
// any M and N, zero and ragged included
template <int BN> struct rank_add_norm {
  Shared<f32, M, N> sums;
  Shared<bf16, M, N> x;
  Shared<bf16, N> weight;
  Out<bf16, M, N> sum, y;
  Scalar<f32> eps;
  void operator()() {
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 4);
    auto [row] = grid(M);
    auto squares = zeros<f32, BN>();
    for (Index k : range(ceildiv(N, BN))) {
      auto out = claim<_, BN>(sum, {row, k});
      auto rounded = both(row, k);
      store(out, rounded);
      auto t = to<f32>(rounded);
      squares += t * t;
    }
    auto mean = girih::kernel::sum(squares) / to<f32>(to<i64>(Index(N)));
    auto scale = broadcast<BN>(rsqrt(mean + eps));
    for (Index k : range(ceildiv(N, BN))) {
      auto out = claim<_, BN>(y, {row, k});
      auto unit = to<f32>(both(row, k)) * scale;
      auto w = to<f32>(load<BN>(weight, {k}, pad::zero));
      store(out, to<bf16>(unit * w));
    }
  }
  auto both(const Index &row, const Index &k) {
    auto a = load<_, BN>(sums, {row, k}, pad::zero);
    auto b = to<f32>(load<_, BN>(x, {row, k}, pad::zero));
    return to<bf16>(a + b);
  }
};

// Of the maxima of stretches of each rank, with indices among the V tokens of
// it that ascend, the token of the largest in row b, and of equal ones the
// first. Of none, or where one is NaN, 2^31 - 1, which is no token.
template <int BN, class Max, class Numbers>
auto bestOfRanks(const Max &max, const Numbers &index, const Index &b) {
  auto best = fill<f32, BN>(-inf);
  auto number = fill<i32, BN>(2147483647);
  for (Index r : range(R)) {
    auto first = broadcast<BN>(to<i32>(to<i64>(r) * to<i64>(Index(V))));
    for (Index j : range(ceildiv(N, BN))) {
      auto x = load<_, _, BN>(max, {r, b, j}, pad::neg_inf);
      auto i = load<_, _, BN>(index, {r, b, j}, pad::zero) + first;
      auto better = (x > best) | (x != x);
      best = where(better, x, best);
      number = where(better, i, number);
    }
  }
  return min(where(best == girih::kernel::max(best), number, 2147483647));
}

// The token of each row
// any R, B, N and V, zero and ragged included
template <int BN> struct rank_tokens {
  Shared<f32, R, B, N> max;
  Shared<i32, R, B, N> index;
  Out<i32, B> token;
  void operator()() {
    require(V >= 0);
    hint("sm_90", "early", 1);
    auto [b] = grid(B);
    auto out = claim<_>(token, {b});
    store(out, bestOfRanks<BN>(max, index, b));
  }
};

// The token of one row, left as Told.h says
// any R, N and V, zero and ragged included
template <int BN> struct rank_argmax {
  Shared<f32, R, 1, N> max;
  Shared<i32, R, 1, N> index;
  Own<i32, 1> position;
  Own<i32, 1> token;
  Own<i32, 1> number;
  Out<i64, 2> told;
  void operator()() {
    require(V >= 0);
    hint("sm_90", "early", 1);
    auto [one] = grid(1);
    told::leave(one, bestOfRanks<BN>(max, index, one), position, token, number,
                told);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"rank_gemv", record<rank_gemv>},
                            {"rank_add", record<rank_add<512>>},
                            {"rank_linear", record<rank_linear>},
                            {"rank_add_norm", record<rank_add_norm<1024>>},
                            {"rank_tokens", record<rank_tokens<256>>},
                            {"rank_argmax", record<rank_argmax<256>>}});
}
