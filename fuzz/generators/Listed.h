// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles taken as a shared tensor of integers lists them, right because of what
// the contract gives about its contents.

#ifndef GIRIH_FUZZ_GENERATORS_LISTED_H
#define GIRIH_FUZZ_GENERATORS_LISTED_H

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Writer.h"

namespace girih::fuzz {

/// The tile along an axis that a block, or a trip of its loop, is told to take;
/// what was opened is left open. Tiles that nobody lists are left out.
std::string writeListed(Writer &w, Draw &d, const Tensor &t, size_t axis);

/// One or two facts at random about a shared list of integers, whose numbers
/// are small or `high`.
void giveAny(Writer &w, Draw &d, const Tensor &list, const std::string &high);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_LISTED_H
