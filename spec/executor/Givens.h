// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a contract gives about the contents of shared integer tensors: whether
// contents keep it, and contents that do, for launches that nobody filled.

#ifndef GIRIH_SPEC_EXECUTOR_GIVENS_H
#define GIRIH_SPEC_EXECUTOR_GIVENS_H

#include "spec/executor/Launch.h"

namespace girih::exec {

/// The contents of a tensor that something is given about hold at most so many
/// elements: each of them is looked at.
inline constexpr int64_t maxGivenElements = int64_t(1) << 22;

/// Seeded contents by argument name, one array for each tensor that something
/// is given about and that `inputs` leaves open. They keep what is given where
/// that can be done. Nothing when one has too many elements.
std::optional<std::map<std::string, Array>>
seededContents(tile::KernelOp kernel, const Launch &launch,
               const std::map<std::string, Array> &inputs, uint64_t seed);

/// The first given that the contents break, and where; or nothing.
std::string givenError(tile::KernelOp kernel, const Launch &launch,
                       const std::map<std::string, Array> &contents);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_GIVENS_H
