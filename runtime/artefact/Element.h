// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types as the runtime sees them: sizes, names, and numbers out of raw
// bits.

#ifndef GIRIH_RUNTIME_ARTEFACT_ELEMENT_H
#define GIRIH_RUNTIME_ARTEFACT_ELEMENT_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace girih::runtime {

enum class Element : uint8_t {
  I1,
  I4,
  I8,
  I16,
  I32,
  I64,
  F16,
  BF16,
  F32,
  F64,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU,
  F4E2M1FN
};

inline bool isFloat(Element element) { return element >= Element::F16; }

/// Two elements share a byte, the first one its low bits.
inline bool isSubByte(Element element) {
  return element == Element::I4 || element == Element::F4E2M1FN;
}

/// Bytes of one element apart from others; an i1 takes one.
unsigned bytesOf(Element element);

/// Bytes of `count` elements in a row.
template <typename Count> Count bytesOf(Element element, Count count) {
  return isSubByte(element) ? (count + 1) / 2 : count * bytesOf(element);
}

/// `bf16`.
const char *nameOf(Element element);
std::optional<Element> elementNamed(std::string_view name);

/// NumPy's type that holds the element: `<f4`, `<u2` for the bits of bf16,
/// `|u1` for those of floats of 8 bits and for pairs of 4 bits.
const char *descrOf(Element element);

/// The number that lies at `bytes`; exact for every float type.
double floatAt(Element element, const void *bytes);
/// Sign-extended; an i1 is 0 or 1.
int64_t integerAt(Element element, const void *bytes);

/// The bits of `value` rounded to the nearest number of a float type, ties to
/// even.
uint64_t bitsOf(Element element, double value);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_ELEMENT_H
