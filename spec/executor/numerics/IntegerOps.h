// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer operations on single lanes, as exact numbers: what happens to a
// result that its type cannot hold (iN wraps, `index` is stuck) is decided
// once, by the caller.

#ifndef GIRIH_SPEC_EXECUTOR_NUMERICS_INTEGEROPS_H
#define GIRIH_SPEC_EXECUTOR_NUMERICS_INTEGEROPS_H

#include <cstdint>
#include <string>

namespace girih::exec {

using Wide = __int128;
using UnaryInteger = Wide (*)(Wide);
using BinaryInteger = Wide (*)(Wide, Wide);
/// And the bits of a lane.
using BinaryBits = Wide (*)(Wide, Wide, unsigned);

/// The number that `bits` bits keep of x: two's complement, an i1 as 0 or 1.
int64_t wrap(Wide x, unsigned bits);
/// The signed number of a lane: a true i1 is -1.
inline Wide signedOf(int64_t lane, unsigned bits) {
  return bits == 1 ? -lane : lane;
}
/// The number of a lane read without sign.
Wide unsignedOf(int64_t lane, unsigned bits);
/// Whether -2^(bits-1) <= x < 2^(bits-1).
bool fits(Wide x, unsigned bits);
std::string wideText(Wide x);

// Those of ir/ops/Elementwise.def: addInteger, shiftLeft, ... Division wants
// a >= 0 and b >= 1: all else is stuck before it comes here. Shifts are by 0 to
// 63 bits; to the right the quotient by a power of two, rounded down.
#define INTEGER(name) Wide name(Wide a, Wide b);
#define UNSIGNED(name) INTEGER(name)
#define UNSIGNED_BITS(name) Wide name(Wide a, Wide b, unsigned bits);
#define DIVISION(name) INTEGER(name)
#define UNARY_INTEGER(name) Wide name(Wide a);
#define ELEMENTWISE(name, shape, elements, executor, ...) executor
#include "ir/ops/Elementwise.def"

/// Predicates as arith numbers them; unsigned ones are not in the language.
enum class CompareInteger { Eq, Ne, Slt, Sle, Sgt, Sge };
bool compareInteger(CompareInteger predicate, int64_t a, int64_t b,
                    unsigned bits);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_NUMERICS_INTEGEROPS_H
