// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents of a tensor of integers as a function of an element's place: a
// tensor of any size has some, and what holds of all elements is told from the
// function instead of element by element.

#ifndef GIRIH_SPEC_EXECUTOR_MEMORY_CLOSEDFORM_H
#define GIRIH_SPEC_EXECUTOR_MEMORY_CLOSEDFORM_H

#include "spec/executor/numerics/IntegerOps.h"

#include <optional>

namespace girih::exec {

struct ClosedForm {
  Wide low = 0, span = 1; ///< values lie in [low, low + span)
  Wide count = 0;         ///< elements; at least 1
  /// Element number k, in row-major order, is low + span * k / count, rounded
  /// down; otherwise a value depends on seed and address, at random.
  bool rising = false;
  uint64_t seed = 0;
  std::optional<Wide> last; ///< what the last element is instead

  /// Random values are the same where coordinates share memory.
  Wide at(Wide number, int64_t address) const;
};

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_MEMORY_CLOSEDFORM_H
