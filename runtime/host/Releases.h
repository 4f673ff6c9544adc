// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Owners of foreign memory, kept until the work that uses it has run. What an
// owner does when it goes may call the driver, so no function of the driver's
// (cuLaunchHostFunc) can do it: a thread of the library waits.

#ifndef GIRIH_RUNTIME_HOST_RELEASES_H
#define GIRIH_RUNTIME_HOST_RELEASES_H

#include "runtime/host/Stream.h"

#include <vector>

namespace girih::detail {

/// Memory from an address to before another one.
struct MemoryRange {
  uint64_t begin = 0, end = 0;

  bool meets(const MemoryRange &other) const {
    return begin < other.end && other.begin < end;
  }
};

/// Lets go of an owner behind these events: now where they have happened, or
/// else in a thread of the library.
void releaseBehind(std::vector<Event> events, MemoryRange memory,
                   std::shared_ptr<void> owner);
/// Keeps an owner for as long as the process lives: nobody knows how long its
/// memory is in use.
void keepForever(std::shared_ptr<void> owner) noexcept;
/// Makes a stream wait for work that still uses memory which was let go of.
void orderBehindReleased(const Stream &stream, MemoryRange memory);

} // namespace girih::detail

#endif // GIRIH_RUNTIME_HOST_RELEASES_H
