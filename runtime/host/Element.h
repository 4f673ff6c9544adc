// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Element types, and the types of C++ that hold them. C++20 has none for
/// floats of 16 bits and fewer: their bits stand in structs, and arithmetic is
/// the kernels'.

#ifndef GIRIH_RUNTIME_HOST_ELEMENT_H
#define GIRIH_RUNTIME_HOST_ELEMENT_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace girih {

/// The element types of the language; integers have no sign there.
enum class Element : std::uint8_t {
  I1,        ///< a byte that is 0 or 1
  I4,        ///< two share a byte, the first one its low bits
  I8,        ///< 8 bits
  I16,       ///< 16 bits
  I32,       ///< 32 bits
  I64,       ///< 64 bits
  F16,       ///< IEEE binary16
  BF16,      ///< bfloat16
  F32,       ///< IEEE binary32
  F64,       ///< IEEE binary64
  F8E4M3FN,  ///< of OCP
  F8E5M2,    ///< of OCP
  F8E8M0FNU, ///< a scale of OCP's MX formats
  F4E2M1FN   ///< two share a byte, the first one its low bits
};

/// Its name in a kernel: `bf16`.
constexpr std::string_view nameOf(Element element) {
  constexpr std::string_view names[] = {
      "i1",   "i4",  "i8",  "i16",      "i32",    "i64",       "f16",
      "bf16", "f32", "f64", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN"};
  return names[static_cast<std::size_t>(element)];
}

/// Bits of one element in memory.
constexpr unsigned bitsOf(Element element) {
  constexpr unsigned bits[] = {8, 4, 8, 16, 32, 64, 16, 16, 32, 64, 8, 8, 8, 4};
  return bits[static_cast<std::size_t>(element)];
}

/// An integer of 4 bits.
struct i4 {
  std::uint8_t bits = 0; ///< the low four
};
/// A float of 16 bits.
struct f16 {
  std::uint16_t bits = 0; ///< IEEE binary16
};
/// A float of 16 bits with the exponents of f32.
struct bf16 {
  std::uint16_t bits = 0; ///< the upper half of an f32
};
/// A float of 8 bits.
struct f8e4m3 {
  std::uint8_t bits = 0; ///< sign, 4 bits of exponent, 3 of mantissa
};
/// A float of 8 bits.
struct f8e5m2 {
  std::uint8_t bits = 0; ///< sign, 5 bits of exponent, 2 of mantissa
};
/// A power of two.
struct f8e8m0 {
  std::uint8_t bits = 0; ///< the exponent, 127 more
};
/// A float of 4 bits.
struct f4e2m1 {
  std::uint8_t bits = 0; ///< the low four
};

/// The element that a type of C++ holds, as `value`.
template <typename T> struct ElementOf;
/// \cond
#define GIRIH_ELEMENT(type, element)                                           \
  template <> struct ElementOf<type> {                                         \
    static constexpr Element value = Element::element;                         \
  };
GIRIH_ELEMENT(bool, I1)
GIRIH_ELEMENT(i4, I4)
GIRIH_ELEMENT(std::int8_t, I8)
GIRIH_ELEMENT(std::uint8_t, I8)
GIRIH_ELEMENT(std::int16_t, I16)
GIRIH_ELEMENT(std::uint16_t, I16)
GIRIH_ELEMENT(std::int32_t, I32)
GIRIH_ELEMENT(std::uint32_t, I32)
GIRIH_ELEMENT(std::int64_t, I64)
GIRIH_ELEMENT(std::uint64_t, I64)
GIRIH_ELEMENT(f16, F16)
GIRIH_ELEMENT(bf16, BF16)
GIRIH_ELEMENT(float, F32)
GIRIH_ELEMENT(double, F64)
GIRIH_ELEMENT(f8e4m3, F8E4M3FN)
GIRIH_ELEMENT(f8e5m2, F8E5M2)
GIRIH_ELEMENT(f8e8m0, F8E8M0FNU)
GIRIH_ELEMENT(f4e2m1, F4E2M1FN)
#undef GIRIH_ELEMENT

namespace detail {
std::uint64_t roundTo(Element element, double number);
double numberAt(Element element, const void *bits);
} // namespace detail
/// \endcond

/// The nearest number of a float type, ties to even.
template <typename F> F rounded(double number) {
  auto bits = detail::roundTo(ElementOf<F>::value, number);
  return F{static_cast<decltype(F::bits)>(bits)};
}

/// The number that the bits of a float type stand for.
template <typename F> double toNumber(F value) {
  return detail::numberAt(ElementOf<F>::value, &value.bits);
}

} // namespace girih

#endif // GIRIH_RUNTIME_HOST_ELEMENT_H
