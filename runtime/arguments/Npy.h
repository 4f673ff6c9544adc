// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's .npy format, read from bytes that nobody trusts. Elements stay raw
// bytes; bf16 is stored as the unsigned integers of its bits.

#ifndef GIRIH_RUNTIME_ARGUMENTS_NPY_H
#define GIRIH_RUNTIME_ARGUMENTS_NPY_H

#include "runtime/artefact/Element.h"
#include "runtime/artefact/Expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace girih::runtime {

/// A dense row-major array of raw elements; those below a byte take one each.
struct Array {
  Element element = Element::F32;
  std::vector<int64_t> shape;
  std::string bytes;

  int64_t size() const {
    return static_cast<int64_t>(bytes.size() / bytesOf(element));
  }
  const char *at(int64_t index) const {
    return bytes.data() + index * bytesOf(element);
  }
};

/// Parses the bytes of a .npy file (format 1, 2 or 3, little-endian, C or
/// Fortran order) whose stored type must be that of `element`; of elements
/// below a byte it holds pairs along the last axis.
Expected<Array> parseNpy(std::string_view bytes, Element element);

/// The bytes of a .npy file of format 1.
std::string printNpy(const Array &array);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARGUMENTS_NPY_H
