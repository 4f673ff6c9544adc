// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some kernels have a few hundred ops, each of which their schedule has a place
// for: such a kernel is compared with that of the library, op by op.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_MATCHLIBRARY_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_MATCHLIBRARY_H

#include "ir/ops/Tile.h"
#include "lower/hopper/schedule/Misfit.h"

#include <optional>

namespace girih::hopper {

/// Nothing if the kernel is the one at this place of the text, whatever its
/// launch symbols are called; else the first op that differs. Hints may.
std::optional<Misfit> matchLibrary(tile::KernelOp kernel,
                                   llvm::StringRef schedule,
                                   llvm::StringRef text, size_t place = 0);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_MATCHLIBRARY_H
