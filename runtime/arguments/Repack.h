// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch on copies: where rows of what it reads miss multiples of 16 bytes
// and the kernel says that it pays (`repack when`), a launcher may pass copies
// whose rows begin there. Strides that are launch symbols make it another
// launch of one kernel, which its proof covers like any.

#ifndef GIRIH_RUNTIME_ARGUMENTS_REPACK_H
#define GIRIH_RUNTIME_ARGUMENTS_REPACK_H

#include "runtime/arguments/Contract.h"

namespace girih::runtime {

/// The rows of one tensor, and where their copies stand behind each other.
struct RowCopies {
  size_t argument = 0;
  size_t rows = 0, rowBytes = 0, fromPitch = 0, toPitch = 0; ///< in bytes
  size_t offset = 0; ///< of the first copy, in the memory for all
};

struct Repacking {
  LaunchPlan plan; ///< of the launch on the copies
  std::vector<RowCopies> copies;
  size_t bytes = 0; ///< of the memory for all
};

/// How a launch that was planned is done on copies. Nothing where its variant
/// does not ask for that, where no rows miss, and where the launch on copies
/// would be refused or would have to be told more.
std::optional<Repacking> repack(const Manifest &manifest,
                                const LaunchPlan &plan);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARGUMENTS_REPACK_H
