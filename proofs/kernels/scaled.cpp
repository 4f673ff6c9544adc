// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of 8 and 4 bits, whose neighbours along the sum share a scale: by
// the instructions of newer machines, or from the bits of the numbers.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, K{"K"}, KS{"KS"}, KB{"KB"};

// z[M, N] = alpha * x[M, K] y[N, K]^T by block-scaled products: every 32
// elements of a row share a scale that is a power of two (MXFP8), or every 16
// one in e4m3 (NVFP4).
// any M, N and K, a multiple of those that share, zero and ragged included
template <class T, class Scale, int shared, int BM, int BN, int BK>
struct gemm_scaled {
  Shared<T, M, K> x;
  Shared<Scale, M, KS> x_scales;
  Shared<T, N, K> y;
  Shared<Scale, N, KS> y_scales;
  Out<f32, M, N> z;
  Scalar<f32> alpha;
  void operator()() {
    require(K == shared * KS);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto out = claim<BM, BN>(z, {i, j});
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(K, BK))) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto as = load<BM, BK / shared>(x_scales, {i, k}, pad::zero);
      auto b = load<BN, BK>(y, {j, k}, pad::zero);
      auto bs = load<BN, BK / shared>(y_scales, {j, k}, pad::zero);
      acc = mmaScaled(a, transpose(b), acc, as, transpose(bs));
    }
    store(out, acc * alpha);
  }
};

// The numbers of e4m3 bits, times `factor`: an e4m3 is an f16 with fewer digits
// and an exponent that is 8 too small.
template <int... D> auto fromE4m3(const Tile<i8, D...> &bits, double factor) {
  auto wide = to<i16>(bits, asUnsigned);
  auto sign = wide & 128, rest = wide & 127;
  auto half = bitcast<f16>(sign * 256 | rest * 128);
  return where(rest == 127, nan, to<f32>(half) * (256 * factor));
}

// z[M, N] = alpha * x[M, K] y[N, K]^T in MXFP8: elements are e4m3, every 32 of
// a row share a scale 2^(e - 127), and both are here by their bits. An element
// times its scale is exact in bf16 wherever that has the range; sums are in
// f32. any M, N and K = 32 * KS, zero and ragged included
template <int BM, int BN, int BK> struct mxfp8 {
  Shared<i8, M, K> x;
  Shared<i8, M, KS> x_scales;
  Shared<i8, N, K> y;
  Shared<i8, N, KS> y_scales;
  Out<f32, M, N> z;
  Scalar<f32> alpha;
  void operator()() {
    require(K == 32 * KS);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto out = claim<BM, BN>(z, {i, j});
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(K, BK))) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto as = load<BM, BK / 32>(x_scales, {i, k}, pad::zero);
      auto b = load<BN, BK>(y, {j, k}, pad::zero);
      auto bs = load<BN, BK / 32>(y_scales, {j, k}, pad::zero);
      acc = mma(scaled(a, as), transpose(scaled(b, bs)), acc);
    }
    store(out, acc * alpha);
  }
  // The numbers of a tile of elements, times their scales.
  template <int R>
  static auto scaled(const Tile<i8, R, BK> &bits,
                     const Tile<i8, R, BK / 32> &exponents) {
    // A scale is the exponent of an f32; 0 is 2^-127, 255 is no number.
    auto e = to<i32>(exponents, asUnsigned);
    auto normal = where(e == 0, 4194304, e * 8388608);
    auto scale = bitcast<f32>(where(e == 255, 2143289344, normal));
    auto each = broadcast<R, BK / 32, 32>(reshape<R, BK / 32, 1>(scale));
    return to<bf16>(fromE4m3(bits, 1) * reshape<R, BK>(each));
  }
};

// z[M, N] = alpha * x[M, K] y[N, K]^T in NVFP4: elements are e2m1, two a byte
// with the even one in the low half, every 16 of a row share an e4m3 scale, and
// all are here by their bits. An element times its scale is exact in bf16; sums
// are in f32. Even and odd elements are summed apart, so that halves need not
// be put side by side. any M, N and K = 2 * KB = 16 * KS, zero and ragged
// included
template <int BM, int BN, int BK> struct nvfp4 {
  Shared<i8, M, KB> x;
  Shared<i8, M, KS> x_scales;
  Shared<i8, N, KB> y;
  Shared<i8, N, KS> y_scales;
  Out<f32, M, N> z;
  Scalar<f32> alpha;
  void operator()() {
    require(KB == 8 * KS);
    hint("sm_90", "worker_warps", 8);
    hint("sm_90", "occupancy", 1);
    auto [i, j] = grid(ceildiv(M, BM), ceildiv(N, BN));
    auto out = claim<BM, BN>(z, {i, j});
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(KB, BK))) {
      auto a = load<BM, BK>(x, {i, k}, pad::zero);
      auto as = scales(load<BM, BK / 8>(x_scales, {i, k}, pad::zero));
      auto b = load<BN, BK>(y, {j, k}, pad::zero);
      auto bs = scales(load<BN, BK / 8>(y_scales, {j, k}, pad::zero));
      auto even = mma(evenOf(a, as), transpose(evenOf(b, bs)), acc);
      acc = mma(oddOf(a, as), transpose(oddOf(b, bs)), even);
    }
    store(out, acc * alpha);
  }
  // The scale of each byte, times 2^14: see `scaled`.
  template <int R> static auto scales(const Tile<i8, R, BK / 8> &bits) {
    auto column = reshape<R, BK / 8, 1>(fromE4m3(bits, 16384));
    return reshape<R, BK>(broadcast<R, BK / 8, 8>(column));
  }
  // Numbers times their scales, by their bits where an f16 has them: an e2m1 is
  // one with fewer digits and an exponent that is 14 too small.
  template <int R>
  static auto scaled(const Tile<i16, R, BK> &bits,
                     const Tile<f32, R, BK> &scales) {
    return to<bf16>(to<f32>(bitcast<f16>(bits)) * scales);
  }
  // The numbers in the low halves of bytes, and in the high ones.
  template <int R>
  static auto evenOf(const Tile<i8, R, BK> &bytes,
                     const Tile<f32, R, BK> &scales) {
    auto bits = to<i16>(bytes, asUnsigned);
    return scaled((bits & 8) * 4096 | (bits & 7) * 512, scales);
  }
  template <int R>
  static auto oddOf(const Tile<i8, R, BK> &bytes,
                    const Tile<f32, R, BK> &scales) {
    auto bits = to<i16>(bytes, asUnsigned);
    return scaled((bits & 128) * 256 | (bits & 112) * 32, scales);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(
      argc, argv,
      {{"gemm_mxfp8", record<gemm_scaled<f8e4m3, f8e8m0, 32, 128, 128, 128>>},
       {"gemm_nvfp4", record<gemm_scaled<f4e2m1, f8e4m3, 16, 128, 128, 128>>},
       {"mxfp8", record<mxfp8<128, 128, 128>>},
       {"nvfp4", record<nvfp4<128, 128, 64>>}});
}
