// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a block computes with: lanes of one kind, row-major, one for a scalar.
// The static type gives kind and shape; a value carries lanes alone.

#ifndef GIRIH_SPEC_EXECUTOR_NUMERICS_VALUE_H
#define GIRIH_SPEC_EXECUTOR_NUMERICS_VALUE_H

#include "spec/executor/numerics/Numerics.h"

#include "llvm/ADT/SmallVector.h"

namespace girih::exec {

/// Integers are sign-extended, an i1 is 0 or 1; only one of `ints` and
/// `floats` is in use.
struct Value {
  llvm::SmallVector<int64_t, 1> ints;
  llvm::SmallVector<double, 1> floats;
  /// Beside `floats`; empty when every lane is exact.
  llvm::SmallVector<double, 0> bounds;
  /// Beside `ints`: lanes that rounding elsewhere may flip; empty when none.
  llvm::SmallVector<uint8_t, 0> uncertain;

  Real real(size_t lane) const {
    return {floats[lane], bounds.empty() ? 0 : bounds[lane]};
  }
  /// Appends a float lane.
  void push(Real lane) {
    if (lane.bound != 0 || !bounds.empty()) {
      bounds.resize(floats.size(), 0);
      bounds.push_back(lane.bound);
    }
    floats.push_back(lane.value);
  }
  bool isUncertain(size_t lane) const {
    return !uncertain.empty() && uncertain[lane] != 0;
  }
  /// Appends an integer lane.
  void push(int64_t lane, bool flips = false) {
    if (flips || !uncertain.empty()) {
      uncertain.resize(ints.size(), 0);
      uncertain.push_back(flips);
    }
    ints.push_back(lane);
  }
  /// Appends one lane of another value.
  void pushFrom(const Value &from, size_t lane) {
    if (from.floats.empty()) {
      push(from.ints[lane], from.isUncertain(lane));
    } else {
      push(from.real(lane));
    }
  }
};

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_NUMERICS_VALUE_H
