// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random bits that depend on a counter and a key alone.

#ifndef GIRIH_PROOFS_KERNELS_RANDOM_H
#define GIRIH_PROOFS_KERNELS_RANDOM_H

#include "Library.h"

namespace girih::kernel::library {

/// From the four words of a counter to four random ones by Philox 4x32-10
/// (Salmon et al., 2011), with the two words of a key.
template <class T>
void philox(T &a, T &b, T &c, T &d, Scalar<i32> k, Scalar<i32> l) {
  for (int round = 0; round < 10; ++round) {
    auto high = mulhi(a, -766435501), low = a * -766435501;
    auto other = mulhi(c, -845247145);
    auto next = c * -845247145;
    a = other ^ b ^ k;
    c = high ^ d ^ l;
    b = next;
    d = low;
    k += -1640531527;
    l += -1150833019;
  }
}

} // namespace girih::kernel::library

#endif // GIRIH_PROOFS_KERNELS_RANDOM_H
