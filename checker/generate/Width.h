// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machine sizes that a verdict is about: the width of `index` and the
// bounds on every launch that scale with it (spec/rationale.md, "Small
// widths"). 64 bits is the language; smaller ones let tests enumerate.

#ifndef GIRIH_CHECKER_GENERATE_WIDTH_H
#define GIRIH_CHECKER_GENERATE_WIDTH_H

#include "proofs/Poly.h"

namespace girih::checker {

struct Width {
  unsigned bits = 64;

  /// Largest value of `index`; the smallest is -indexMax() - 1.
  proofs::Int indexMax() const { return power(bits - 1) - 1; }
  /// Largest extent, stride and `index` symbol.
  proofs::Int extentMax() const { return power(scaled(40)); }
  /// Largest stride * extent * element size, in bytes.
  proofs::Int bytesMax() const { return power(scaled(47)); }
  /// Largest grid dimension and product of grid dimensions.
  proofs::Int gridMax() const { return power(scaled(31)) - 1; }

private:
  unsigned scaled(unsigned at64) const { return (at64 * bits + 63) / 64; }
  static proofs::Int power(unsigned e) { return proofs::Int(1) << e; }
};

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_WIDTH_H
