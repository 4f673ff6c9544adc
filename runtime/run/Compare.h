// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparing a tensor with what is expected: exactly, or within a bound for each
// element.

#ifndef GIRIH_RUNTIME_RUN_COMPARE_H
#define GIRIH_RUNTIME_RUN_COMPARE_H

#include "runtime/arguments/Npy.h"

namespace girih::runtime {

struct Mismatch {
  std::vector<int64_t> index;
  std::string got, expected; ///< as text
  double bound = 0;
};

struct Comparison {
  std::string shape; ///< why the arrays cannot be compared, or empty
  std::optional<Mismatch> first;
  int64_t mismatches = 0;
  double maxError = 0; ///< over numbers; infinite for a number against NaN

  bool agrees() const { return shape.empty() && !first; }
};

/// Compares element by element. `bounds`, an f64 array of the same shape, is
/// for floats: 0 asks for the same number, the same infinity, or NaN; infinity
/// asks for nothing. Without bounds all are 0. Integers are equal or not.
Comparison compare(const Array &got, const Array &expected,
                   const Array *bounds);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_RUN_COMPARE_H
