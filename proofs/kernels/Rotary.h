// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heads of queries and keys in two halves: their norm, and the angles of their
// positions.

#ifndef GIRIH_PROOFS_KERNELS_ROTARY_H
#define GIRIH_PROOFS_KERNELS_ROTARY_H

#include "Library.h"

namespace girih::kernel::library {

/// The two halves of heads.
template <class V> struct Halves {
  V low, high;
};
template <class V> Halves(V, V) -> Halves<V>;

/// Lanes (i, i + 64) of heads turned by angles with these cosines and sines.
template <class V, class W>
auto turned(const Halves<V> &x, const W &cosine, const W &sine) {
  auto ac = x.low * cosine;
  auto bs = x.high * sine;
  auto bc = x.high * cosine;
  auto as = x.low * sine;
  return Halves{ac - bs, bc + as};
}
template <class V> auto wide(const Halves<V> &x) {
  return Halves{to<f32>(x.low), to<f32>(x.high)};
}
template <class V> auto rounded(const Halves<V> &x) {
  return Halves{to<bf16>(x.low), to<bf16>(x.high)};
}

/// The inverse of the root mean square of heads of 128 in two halves: of one,
/// and of a head in each row.
template <int D>
auto inverseOf(const Halves<Tile<f32, D>> &x, const Scalar<f32> &eps) {
  auto squares = x.low * x.low + x.high * x.high;
  return rsqrt(sum(squares) / (2.0 * D) + eps);
}
template <int BT, int D>
auto inverseOf(const Halves<Tile<f32, BT, D>> &x, const Scalar<f32> &eps) {
  auto squares = x.low * x.low + x.high * x.high;
  return rsqrt(sum(squares, axis<1>) / (2.0 * D) + eps);
}
/// Heads divided by it, and scaled.
template <class V, class W>
auto normed(const Halves<V> &x, const Halves<W> &weight,
            const Scalar<f32> &eps) {
  auto scale = inverseOf(x, eps);
  auto a = x.low * scale, b = x.high * scale;
  return Halves{a * weight.low, b * weight.high};
}

} // namespace girih::kernel::library

#endif // GIRIH_PROOFS_KERNELS_ROTARY_H
