// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a contract gives about contents, looked up in contents.

#ifndef GIRIH_RUNTIME_ARGUMENTS_PRECONDITIONS_H
#define GIRIH_RUNTIME_ARGUMENTS_PRECONDITIONS_H

#include "runtime/arguments/Contract.h"

namespace girih::runtime {

/// What keeps the fact from being true of these elements, which lie in
/// row-major order, or nothing: `given within(%t, 0, V): element [3] is 9,
/// outside [0, 5)`.
std::optional<Error> findBreach(const Precondition &given, Bounds bounds,
                                Element element,
                                const std::vector<int64_t> &extents,
                                const void *contents);

/// Whether the fact is true of any tensor with these extents.
bool isTrivial(const Precondition &given, const Layout &layout);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARGUMENTS_PRECONDITIONS_H
