// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one warp does to its rings, for one number of items: the kernel run with
// numbers where they follow from constants, and without them elsewhere.
//
// The number of items is the trip count of the loop that uses a ring. Ring ops
// may depend on it only through `i + c < n` and `c < n`, i the loop's counter
// and c a constant. So as long as more than the largest c trips are left, a
// trip does what the trip before it did from the same state: once a state has
// come twice, all later ones are known, and numbers of items beyond those few
// that show every state before the end of the loop show nothing new.

#ifndef GIRIH_LOWER_HOPPER_VERIFY_TRACE_H
#define GIRIH_LOWER_HOPPER_VERIFY_TRACE_H

#include "lower/hopper/ir/Hopper.h"

namespace girih::hopper {

struct Event {
  enum class Kind { Fill, Wait, Read, Release };
  Kind kind = Kind::Fill;
  mlir::Operation *op = nullptr;
  mlir::Operation *ring = nullptr;
  int64_t slot = 0;
  /// Which fill of the slot this is, or belongs to: the phase that it ends.
  int64_t phase = 0;
  int64_t parity = 0; ///< of a wait
  /// Of a release: the reads, by their numbers, that each lane's part of its
  /// sum needs.
  std::vector<size_t> needs;
};

struct Trace {
  std::optional<int64_t> items; ///< none where no loop counts to one
  std::vector<Event> events;    ///< in program order
};

/// The traces for every number of items that shows something new; nothing where
/// a ring is used in a way that cannot be followed, with a message at the op.
std::optional<std::vector<Trace>> tracesOf(KernelOp kernel);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_VERIFY_TRACE_H
