// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of tiles and tensors, as C++ types.

#ifndef GIRIH_KERNEL_ELEMENTS_H
#define GIRIH_KERNEL_ELEMENTS_H

#include <cstdint>
#include <type_traits>

namespace girih::kernel {

using f64 = double;
using f32 = float;
using i64 = std::int64_t;
using i32 = std::int32_t;
using i16 = std::int16_t;
using i8 = std::int8_t;
struct f16 {};
struct bf16 {};
struct f8e5m2 {};
struct f8e4m3 {};
struct f8e8m0 {};
struct f4e2m1 {};
struct i4 {};
/// A coordinate, a size or a trip number: exact, and proved to fit 64 bits.
struct idx {};

/// An element type, for the recorder.
enum class Element : std::uint8_t {
  None,
  Idx,
  I1,
  I4,
  I8,
  I16,
  I32,
  I64,
  F4E2M1,
  F8E8M0,
  F8E5M2,
  F8E4M3,
  F16,
  BF16,
  F32,
  F64
};

template <class T> inline constexpr Element elementOf = Element::None;
template <> inline constexpr Element elementOf<idx> = Element::Idx;
template <> inline constexpr Element elementOf<bool> = Element::I1;
template <> inline constexpr Element elementOf<i4> = Element::I4;
template <> inline constexpr Element elementOf<i8> = Element::I8;
template <> inline constexpr Element elementOf<i16> = Element::I16;
template <> inline constexpr Element elementOf<i32> = Element::I32;
template <> inline constexpr Element elementOf<i64> = Element::I64;
template <> inline constexpr Element elementOf<f4e2m1> = Element::F4E2M1;
template <> inline constexpr Element elementOf<f8e8m0> = Element::F8E8M0;
template <> inline constexpr Element elementOf<f8e5m2> = Element::F8E5M2;
template <> inline constexpr Element elementOf<f8e4m3> = Element::F8E4M3;
template <> inline constexpr Element elementOf<f16> = Element::F16;
template <> inline constexpr Element elementOf<bf16> = Element::BF16;
template <> inline constexpr Element elementOf<f32> = Element::F32;
template <> inline constexpr Element elementOf<f64> = Element::F64;

/// Bits of an element; an `idx` has 64.
constexpr int bitsOf(Element e) {
  constexpr int bits[] = {0, 64, 1, 4, 8,  16, 32, 64,
                          4, 8,  8, 8, 16, 16, 32, 64};
  return bits[int(e)];
}
constexpr bool isFloat(Element e) { return e >= Element::F4E2M1; }
/// Floats that arith and math compute with.
constexpr bool isWideFloat(Element e) { return e >= Element::F16; }
/// i8 to i64.
constexpr bool isInteger(Element e) {
  return e >= Element::I8 && e <= Element::I64;
}
/// What index arithmetic takes: idx, i1 and i8 to i64.
constexpr bool isWhole(Element e) {
  return isInteger(e) || e == Element::Idx || e == Element::I1;
}
/// Every number of `from` is one of `to`, and the language converts unasked.
constexpr bool promotes(Element from, Element to) {
  return from == to ||
         (isWideFloat(from) && isWideFloat(to) && bitsOf(to) > bitsOf(from));
}

template <class T>
concept AnyElement = elementOf<T> != Element::None;
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

} // namespace girih::kernel

#endif // GIRIH_KERNEL_ELEMENTS_H
