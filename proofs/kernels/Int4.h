// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of 4 bits, G groups of 128 columns: see gemv_add_int4.

#ifndef GIRIH_PROOFS_KERNELS_INT4_H
#define GIRIH_PROOFS_KERNELS_INT4_H

#include "Library.h"

namespace girih::kernel::library {

/// Columns of half a group, and bytes of a whole one.
constexpr int ofHalf = 64;

/// The numbers in the low 4 bits, which are 8 too large: as the last bits of a
/// bf16 of 128 they are exact, and so is the difference.
template <int R> auto fromInt4(const Tile<i16, R, ofHalf> &bits) {
  return bitcast<bf16>((bits & 15) | 0x4300) - 136;
}

} // namespace girih::kernel::library

#endif // GIRIH_PROOFS_KERNELS_INT4_H
