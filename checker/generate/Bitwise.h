// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits as arithmetic. Where one operand is known to have few bits, both are
// halved as often, each half a quotient by 2 and its rest a bit; and, or and
// xor of two bits are polynomials. So a swizzle by xor is arithmetic like any
// other, and the judge needs no lemma for it.

#ifndef GIRIH_CHECKER_GENERATE_BITWISE_H
#define GIRIH_CHECKER_GENERATE_BITWISE_H

#include "checker/generate/Facts.h"

namespace girih::checker {

/// An operand, and what readers call it.
struct Bits {
  proofs::Poly number;
  std::string name;
};

/// The result of andi, ori or xori on two indices, or nothing: the facts in
/// scope have to say that neither is negative, and that one is below 2^k for a
/// k of at most `maxBits`. What lies above the k bits is kept as it is.
std::optional<proofs::Poly> bitwise(FactBase &base, mlir::Operation *op,
                                    const Bits &a, const Bits &b);

constexpr unsigned maxBits = 8;

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_BITWISE_H
