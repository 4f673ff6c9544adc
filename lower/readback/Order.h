// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether tokens order what the kernel orders.

#ifndef GIRIH_LOWER_READBACK_ORDER_H
#define GIRIH_LOWER_READBACK_ORDER_H

#include "lower/readback/Trace.h"

namespace girih::readback {

/// What the order of an access depends on, by its number.
struct Ordered {
  unsigned argument = 0;
  Access kind = Access::Load;
  bool written = false; ///< some access of a launch writes the tensor
  /// Its loop, whose trips place it apart from one another, or -1.
  int64_t apartIn = -1;
};

/// A pair of accesses that may touch one element in one block, one of them to
/// write it, and that no path of tokens orders; or nothing.
std::optional<std::pair<unsigned, unsigned>>
unorderedPair(const Events &events, const std::vector<Ordered> &accesses);

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_ORDER_H
