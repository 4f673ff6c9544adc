// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float formats inside double: rounding to a format, and its bits.

#ifndef GIRIH_SPEC_EXECUTOR_NUMERICS_FLOAT_H
#define GIRIH_SPEC_EXECUTOR_NUMERICS_FLOAT_H

#include "spec/executor/numerics/Array.h"

namespace girih::exec {

/// A binary format: bits of significand (the hidden one included) and the
/// exponents of its smallest and largest normal powers of two.
struct Format {
  Kind kind;
  int precision;
  int minExponent;
  int maxExponent;
  int bits = 16;
  enum class Special {
    Infinities, ///< and NaN, at the exponent above the largest one
    NaN,        ///< at the largest significand of the largest exponent
    None,
    Powers, ///< of two alone, no sign and no zero; all ones are NaN
  };
  Special special = Special::Infinities;

  /// Half the distance from 1 to the next number: the error of one rounding,
  /// relative to the result.
  double unit() const;
  /// The smallest subnormal number.
  double tiny() const;
  double largest() const;
};

/// The format of a float kind.
const Format &formatOf(Kind kind);

/// The exponent of a finite number as stored: that of a subnormal double is
/// below every exponent of a smaller format.
int exponentOf(double x);

/// Rounds the magnitude to f8E8M0FNU, up or else towards zero; what is too
/// small or too large becomes the smallest or largest number.
double roundToPower(double x, bool up);

/// Rounds to nearest, ties to even, with subnormal numbers and infinities. Of a
/// format without these and without NaN, the largest number stands for them.
double roundTo(const Format &format, double x);

/// Rounds an integer of 64 bits, signed or unsigned, once.
double roundInteger(const Format &format, __int128 x);

/// The whole part of x as an integer of `bits` bits, the nearest one where that
/// is too large or too small, 0 for NaN.
__int128 saturated(double x, unsigned bits, bool isUnsigned);

/// x + y rounded to odd in double: rounding that to a format of at most 51 bits
/// gives what one rounding of the exact sum gives.
double addToOdd(double x, double y);

/// The bits of a number of the format, and back; NaN is the quiet one.
uint64_t toBits(const Format &format, double x);
double fromBits(const Format &format, uint64_t bits);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_NUMERICS_FLOAT_H
