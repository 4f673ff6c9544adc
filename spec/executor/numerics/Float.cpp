// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding by the definition: the quantum of the result, then one rounding to
// an integer multiple of it.

#include "spec/executor/numerics/Float.h"

#include <bit>
#include <cmath>
#include <limits>

namespace girih::exec {

static double powerOfTwo(int exponent) {
  constexpr int bias = 1023;
  return exponent > -bias && exponent <= bias
             ? std::bit_cast<double>(uint64_t(exponent + bias) << 52)
             : std::ldexp(1.0, exponent);
}

double Format::unit() const { return powerOfTwo(-precision); }
double Format::tiny() const { return powerOfTwo(minExponent - precision + 1); }
double Format::largest() const {
  return (2 - powerOfTwo((special == Special::NaN ? 2 : 1) - precision)) *
         powerOfTwo(maxExponent);
}

const Format &formatOf(Kind kind) {
  using enum Format::Special;
  static constexpr Format formats[] = {
      {Kind::F4E2M1FN, 2, 0, 2, 4, None},
      {Kind::F8E4M3FN, 4, -6, 8, 8, NaN},
      {Kind::F8E5M2, 3, -14, 15, 8},
      {Kind::F8E8M0FNU, 1, -127, 127, 8, Powers},
      {Kind::F16, 11, -14, 15},
      {Kind::BF16, 8, -126, 127},
      {Kind::F32, 24, -126, 127, 32},
      {Kind::F64, 53, -1022, 1023, 64}};
  return formats[static_cast<int>(kind) - static_cast<int>(Kind::F4E2M1FN)];
}

int exponentOf(double x) {
  return static_cast<int>(std::bit_cast<uint64_t>(x) >> 52 & 0x7ff) - 1023;
}

double roundToPower(double x, bool up) {
  if (std::isnan(x)) {
    return x;
  }
  double least = powerOfTwo(-127), most = powerOfTwo(127);
  x = std::fabs(x);
  if (x <= least || x >= most) {
    return x <= least ? least : most;
  }
  double below = powerOfTwo(exponentOf(x));
  return up && below < x ? 2 * below : below;
}

double roundTo(const Format &format, double x) {
  using enum Format::Special;
  if (format.special == Powers) {
    return roundToPower(x, false);
  }
  if (format.special == None && !(std::fabs(x) <= format.largest())) {
    return std::copysign(format.largest(), std::isnan(x) ? 1 : x);
  }
  if (std::isinf(x) && format.special == NaN) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (format.kind == Kind::F64 || !std::isfinite(x)) {
    return x;
  }
  if (format.kind == Kind::F32) {
    return static_cast<float>(x);
  }
  int exponent = std::max(exponentOf(x), format.minExponent);
  int scale = exponent - format.precision + 1;
  // Both factors are powers of two inside double's normal range.
  double up = std::bit_cast<double>(uint64_t(1023 - scale) << 52);
  double down = std::bit_cast<double>(uint64_t(1023 + scale) << 52);
  double rounded = std::nearbyint(x * up) * down;
  if (format.special == NaN && std::fabs(rounded) > format.largest()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (exponentOf(rounded) > format.maxExponent) {
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  }
  return rounded;
}

double roundInteger(const Format &format, __int128 x) {
  if (format.kind == Kind::F64) {
    return static_cast<double>(x);
  }
  constexpr __int128 low = 0x7ff;
  __int128 high = x & ~low;
  return roundTo(format, addToOdd(static_cast<double>(high),
                                  static_cast<double>(x & low)));
}

__int128 saturated(double x, unsigned bits, bool isUnsigned) {
  __int128 end = __int128(1) << (isUnsigned ? bits : bits - 1);
  __int128 least = isUnsigned ? 0 : -end;
  if (std::isnan(x)) {
    return 0;
  }
  if (x >= static_cast<double>(end)) {
    return end - 1;
  }
  return x <= static_cast<double>(least) ? least : static_cast<__int128>(x);
}

double addToOdd(double x, double y) {
  double sum = x + y;
  if (!std::isfinite(sum)) {
    return sum;
  }
  double part = sum - x;
  double error = (x - (sum - part)) + (y - part);
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) {
    return sum;
  }
  // The other neighbour of the exact sum is odd and lies towards the error.
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

uint64_t toBits(const Format &format, double x) {
  if (format.kind == Kind::F64) {
    return std::bit_cast<uint64_t>(x);
  }
  if (format.kind == Kind::F32) {
    return std::bit_cast<uint32_t>(static_cast<float>(x));
  }
  if (format.special == Format::Special::Powers) {
    return std::isnan(x) ? 0xff : uint64_t(exponentOf(x) + 127);
  }
  int fraction = format.precision - 1;
  uint64_t last = (uint64_t(1) << (format.bits - 1)) - 1;
  uint64_t infinity = last >> fraction << fraction;
  uint64_t sign = std::signbit(x) ? last + 1 : 0;
  bool finite = format.special != Format::Special::Infinities;
  if (std::isnan(x) || (std::isinf(x) && finite)) {
    return sign | (finite ? last : infinity | uint64_t(1) << (fraction - 1));
  }
  if (std::isinf(x)) {
    return sign | infinity;
  }
  // Below the normal numbers the exponent field is 0 and the count of quanta
  // goes on unbroken, so that one addition joins field and significand.
  int exponent = std::max(exponentOf(x), format.minExponent);
  double quanta = std::ldexp(std::fabs(x), fraction - exponent);
  uint64_t field = uint64_t(exponent - format.minExponent) << fraction;
  return sign | (field + static_cast<uint64_t>(quanta));
}

double fromBits(const Format &format, uint64_t bits) {
  if (format.kind == Kind::F64) {
    return std::bit_cast<double>(bits);
  }
  if (format.kind == Kind::F32) {
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  }
  if (format.kind == Kind::BF16) { // the upper half of an f32
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  }
  using enum Format::Special;
  if (format.special == Powers) {
    return bits == 0xff ? std::numeric_limits<double>::quiet_NaN()
                        : powerOfTwo(static_cast<int>(bits) - 127);
  }
  int fraction = format.precision - 1;
  uint64_t last = (uint64_t(1) << (format.bits - 1)) - 1;
  uint64_t field = (bits & last) >> fraction;
  uint64_t low = bits & ((uint64_t(1) << fraction) - 1);
  double magnitude;
  if ((format.special == NaN && (bits & last) == last) ||
      (format.special == Infinities && field == last >> fraction)) {
    magnitude = low ? std::numeric_limits<double>::quiet_NaN()
                    : std::numeric_limits<double>::infinity();
  } else if (field == 0) {
    magnitude = std::ldexp(double(low), format.minExponent - fraction);
  } else {
    magnitude = std::ldexp(double(low | uint64_t(1) << fraction),
                           int(field) - 1 + format.minExponent - fraction);
  }
  return bits & (last + 1) ? -magnitude : magnitude;
}

} // namespace girih::exec
