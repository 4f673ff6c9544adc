// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's .npy format, read from bytes that nobody trusts.

#ifndef GIRIH_SPEC_EXECUTOR_TOOL_NPY_H
#define GIRIH_SPEC_EXECUTOR_TOOL_NPY_H

#include "spec/executor/numerics/Array.h"

#include <string>
#include <string_view>

namespace girih::exec {

/// Parses the bytes of a .npy file (format 1, 2 or 3, little-endian, C or
/// Fortran order) as an array of elements of `kind`. The stored type must be
/// that kind: f64, f32, f16, i8 to i64, bool for i1, and uint16 for the raw
/// bits of bf16, uint8 for those of floats of 8 bits; of elements of 4 bits it
/// is uint8 with half the last extent, the first of two elements in the low
/// bits. On failure `error` says what is wrong.
std::optional<Array> parseNpy(std::string_view bytes, Kind kind,
                              std::string &error);

/// The bytes of a .npy file of format 1 with the array.
std::string printNpy(const Array &array);

/// Reads a file; the error names the path.
std::optional<Array> readNpy(const std::string &path, Kind kind,
                             std::string &error);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_TOOL_NPY_H
