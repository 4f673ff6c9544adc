// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense arrays and element kinds: what goes into a launch and comes out of it,
// independent of MLIR so that tests and oracles can build them by hand.

#ifndef GIRIH_SPEC_EXECUTOR_NUMERICS_ARRAY_H
#define GIRIH_SPEC_EXECUTOR_NUMERICS_ARRAY_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace girih::exec {

/// The kind of one lane or element. `Index` never lies in memory.
enum class Kind : uint8_t {
  I1,
  I4,
  I8,
  I16,
  I32,
  I64,
  Index,
  F4E2M1FN,
  F8E4M3FN,
  F8E5M2,
  F8E8M0FNU,
  F16,
  BF16,
  F32,
  F64
};

inline bool isFloat(Kind kind) { return kind >= Kind::F4E2M1FN; }

/// Two elements share a byte.
inline bool isSubByte(Kind kind) {
  return kind == Kind::I4 || kind == Kind::F4E2M1FN;
}

/// Bits of an integer kind as the language counts them; 0 for `Index`, whose
/// width is an option of the run, and for floats.
unsigned integerBits(Kind kind);

/// Bytes of one element in memory, rounded up; an i1 takes one.
unsigned elementBytes(Kind kind);

/// `f32`, `i8`, ...
const char *kindName(Kind kind);

/// A dense row-major array. Floats of every format are held as double and are
/// exact there; integers are sign-extended, an i1 is 0 or 1.
struct Array {
  Kind kind = Kind::F32;
  std::vector<int64_t> shape;
  std::vector<double> floats;
  std::vector<int64_t> ints;

  int64_t size() const {
    return static_cast<int64_t>(isFloat(kind) ? floats.size() : ints.size());
  }
  friend bool operator==(const Array &, const Array &) = default;
};

/// An array of zeros, or nothing when it would hold more than `limit` elements.
std::optional<Array> makeArray(Kind kind, std::vector<int64_t> shape,
                               int64_t limit);

/// `[3, 4]`.
std::string shapeText(const std::vector<int64_t> &shape);

/// `(0, 2)`: how block ids are written.
std::string tupleText(const std::vector<int64_t> &ids);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_NUMERICS_ARRAY_H
