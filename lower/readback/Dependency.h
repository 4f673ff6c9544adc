// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programmatic dependent launch: a block may begin while grids before it still
// run, and what they write is there behind its wait. Tile IR orders by tokens
// alone, so an access is behind the wait if its token is.

#ifndef GIRIH_LOWER_READBACK_DEPENDENCY_H
#define GIRIH_LOWER_READBACK_DEPENDENCY_H

#include "lower/readback/Trace.h"

namespace girih::readback {

/// The first access, by number, that is behind no wait; or nothing.
std::optional<int64_t> unwaited(const Events &events);

} // namespace girih::readback

#endif // GIRIH_LOWER_READBACK_DEPENDENCY_H
