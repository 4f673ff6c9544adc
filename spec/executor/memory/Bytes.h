// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements as they lie in the memory of a device: little-endian, an i1 in a
// byte, of two elements of four bits in a byte the even one in the low bits.

#ifndef GIRIH_SPEC_EXECUTOR_MEMORY_BYTES_H
#define GIRIH_SPEC_EXECUTOR_MEMORY_BYTES_H

#include "spec/executor/numerics/Array.h"

#include <span>

namespace girih::exec {

/// Elements number `first`, `first + step`, ... of those that begin at `bytes`.
struct Elements {
  Kind kind;
  char *bytes;
  int64_t first;
  int64_t step;
};

void readFloats(const Elements &from, std::span<double> into);
void readIntegers(const Elements &from, std::span<int64_t> into);

/// Writes the first one, rounded by its format already; NaN is the quiet one.
void writeFloat(const Elements &to, double x);
void writeInteger(const Elements &to, int64_t x);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_MEMORY_BYTES_H
