// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bitonic sorting network over the lanes of a tile.

#ifndef GIRIH_PROOFS_KERNELS_SORTING_H
#define GIRIH_PROOFS_KERNELS_SORTING_H

#include "girih/kernel.h"
#include <bit>

namespace girih::kernel::library {

/// One exchange: lane i meets lane i + R / 2; the lesser goes to lane 2 i, the
/// greater to 2 i + 1.
template <int R> auto exchange(const Tile<i32, R> &x) {
  auto a = extract<R / 2>(x, part<0>);
  auto b = extract<R / 2>(x, part<1>);
  auto pairs =
      cat(reshape<R / 2, 1>(min(a, b)), reshape<R / 2, 1>(max(a, b)), axis<1>);
  return reshape<R>(pairs);
}
/// The complement where a lane's number has the bit: what rises there, falls.
template <int R>
auto flip(const Tile<i32, R> &x, const Tile<i32, R> &number,
          const Scalar<i32> &bit) {
  return where((number & bit) == 0, x, x ^ -1);
}
/// Step k turns runs of 2^(k - 1), which rise and fall by turns, into runs of
/// 2^k. It turns the number of each lane, so that its last k bits come first; k
/// exchanges turn it back. Runs that are to fall are flipped before and after,
/// so that between two steps those lanes are flipped whose bits k and k + 1
/// differ.
template <int k, int R> void step(Tile<i32, R> &v, const Tile<i32, R> &number) {
  constexpr int width = 1 << k, bit = k == 1 ? 2 : width / 2;
  v = flip(v, number, bit);
  if constexpr (width < R) {
    v = reshape<R>(transpose(reshape<R / width, width>(v)));
  }
  for (int n = 0; n < k; ++n) {
    v = exchange(v);
  }
}
/// The lanes of v, the least number first.
template <int R> auto inOrder(Tile<i32, R> v) {
  auto number = iota<i32, R>(axis<0>);
  auto differ = number ^ shiftRight(number, 1);
  [&]<int... k>(std::integer_sequence<int, k...>) {
    (step<k + 1>(v, k ? differ : number), ...);
  }(std::make_integer_sequence<int, std::countr_zero(unsigned(R))>());
  return v;
}

} // namespace girih::kernel::library

#endif // GIRIH_PROOFS_KERNELS_SORTING_H
