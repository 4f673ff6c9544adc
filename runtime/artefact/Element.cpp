// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/artefact/Element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace girih::runtime {

namespace {
struct Row {
  Element element;
  const char *name, *descr;
  unsigned bytes;
  int precision, maxExponent; ///< significant bits; 2^maxExponent is too large
};
constexpr Row table[] = {
    {Element::I1, "i1", "|b1", 1, 0, 0},
    {Element::I4, "i4", "|u1", 1, 0, 0},
    {Element::I8, "i8", "|i1", 1, 0, 0},
    {Element::I16, "i16", "<i2", 2, 0, 0},
    {Element::I32, "i32", "<i4", 4, 0, 0},
    {Element::I64, "i64", "<i8", 8, 0, 0},
    {Element::F16, "f16", "<f2", 2, 11, 16},
    {Element::BF16, "bf16", "<u2", 2, 8, 128},
    {Element::F32, "f32", "<f4", 4, 24, 128},
    {Element::F64, "f64", "<f8", 8, 53, 1024},
    {Element::F8E4M3FN, "f8E4M3FN", "|u1", 1, 4, 8},
    {Element::F8E5M2, "f8E5M2", "|u1", 1, 3, 16},
    {Element::F8E8M0FNU, "f8E8M0FNU", "|u1", 1, 1, 128},
    {Element::F4E2M1FN, "f4E2M1FN", "|u1", 1, 2, 3},
};
const Row &row(Element element) { return table[static_cast<int>(element)]; }
} // namespace

unsigned bytesOf(Element element) { return row(element).bytes; }
const char *nameOf(Element element) { return row(element).name; }
const char *descrOf(Element element) { return row(element).descr; }

std::optional<Element> elementNamed(std::string_view name) {
  for (const Row &r : table) {
    if (name == r.name) {
      return r.element;
    }
  }
  return std::nullopt;
}

template <typename T> static T load(const void *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

static double halfToDouble(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double fraction = bits & 1023;
  double sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  return sign * (exponent ? std::ldexp(1024 + fraction, exponent - 25)
                          : std::ldexp(fraction, -24));
}

static double smallToDouble(Element element, uint8_t bits) {
  bool wide = element == Element::F8E5M2;
  int fractionBits = wide ? 2 : 3, bias = wide ? 15 : 7;
  int exponent = (bits & 0x7f) >> fractionBits;
  int fraction = bits & ((1 << fractionBits) - 1);
  double sign = bits >> 7 ? -1 : 1;
  if (wide && exponent == 31 && fraction == 0) {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (wide ? exponent == 31 : (bits & 0x7f) == 0x7f) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  int units = exponent ? fraction + (1 << fractionBits) : fraction;
  return sign * std::ldexp(units, std::max(exponent, 1) - bias - fractionBits);
}

double floatAt(Element element, const void *bytes) {
  switch (element) {
  case Element::F8E8M0FNU: {
    int bits = load<uint8_t>(bytes);
    return bits == 0xff ? std::numeric_limits<double>::quiet_NaN()
                        : std::ldexp(1, bits - 127);
  }
  case Element::F4E2M1FN: {
    static constexpr double numbers[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    int bits = load<uint8_t>(bytes);
    return bits & 8 ? -numbers[bits & 7] : numbers[bits & 7];
  }
  case Element::F8E4M3FN:
  case Element::F8E5M2:
    return smallToDouble(element, load<uint8_t>(bytes));
  case Element::F16:
    return halfToDouble(load<uint16_t>(bytes));
  case Element::BF16: {
    uint32_t wide = uint32_t(load<uint16_t>(bytes)) << 16;
    return load<float>(&wide);
  }
  case Element::F32:
    return load<float>(bytes);
  case Element::F64:
    return load<double>(bytes);
  default:
    return static_cast<double>(integerAt(element, bytes));
  }
}

int64_t integerAt(Element element, const void *bytes) {
  switch (element) {
  case Element::I1:
    return load<uint8_t>(bytes) != 0;
  case Element::I4:
    return ((load<uint8_t>(bytes) & 15) ^ 8) - 8;
  case Element::I8:
    return load<int8_t>(bytes);
  case Element::I16:
    return load<int16_t>(bytes);
  case Element::I32:
    return load<int32_t>(bytes);
  default:
    return load<int64_t>(bytes);
  }
}

uint64_t bitsOf(Element element, double value) {
  const Row &r = row(element);
  uint64_t sign = std::signbit(value) ? uint64_t(1) << (8 * r.bytes - 1) : 0;
  int fractionBits = r.precision - 1;
  // The exponent all ones; E4M3FN has its one NaN for infinity.
  uint64_t infinity = element == Element::F8E4M3FN
                          ? 0x7f
                          : uint64_t(2 * r.maxExponent - 1) << fractionBits;
  if (std::isnan(value)) {
    return sign | infinity | uint64_t(1) << (fractionBits - 1);
  }
  // The processor rounds these likewise.
  if (element == Element::F32) {
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  }
  if (element == Element::F64) {
    return std::bit_cast<uint64_t>(value);
  }
  double magnitude = std::fabs(value);
  if (magnitude == 0 || std::isinf(value)) {
    return sign | (magnitude == 0 ? 0 : infinity);
  }
  // The last place of the result; subnormal numbers share the smallest one.
  int lowest = 3 - r.maxExponent - r.precision;
  int last = std::max(std::ilogb(magnitude) - fractionBits, lowest);
  // Counts last places; rounds ties to even. A carry into the next exponent
  // falls out of the addition below.
  auto units =
      static_cast<uint64_t>(std::nearbyint(std::ldexp(magnitude, -last)));
  uint64_t bits = (uint64_t(last - lowest) << fractionBits) + units;
  return sign | std::min(bits, infinity);
}

} // namespace girih::runtime
