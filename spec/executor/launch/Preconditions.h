// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a contract gives about the contents of shared integer tensors: whether
// contents keep it, and contents that do, for launches that nobody filled.

#ifndef GIRIH_SPEC_EXECUTOR_LAUNCH_PRECONDITIONS_H
#define GIRIH_SPEC_EXECUTOR_LAUNCH_PRECONDITIONS_H

#include "spec/executor/launch/Launch.h"

namespace girih::exec {

/// Contents of at most so many elements are made up at random, one by one;
/// larger ones are closed forms.
inline constexpr int64_t maxListedElements = int64_t(1) << 14;

/// What tensors hold at the start of a launch, by argument name.
struct Contents {
  std::map<std::string, Array> arrays;
  std::map<std::string, ClosedForm> forms;
};

/// Makes up contents for each tensor that something is given about and that
/// `contents` leaves open. They fit the element and keep what is given; an
/// error where no contents do. For tensors whose elements may share memory and
/// that are large, contents may exist that are not found.
std::string makeUpContents(tile::KernelOp kernel, const AdmittedLaunch &launch,
                           uint64_t seed, Contents &contents);

/// The first given that the contents break, and where; or nothing. Arrays are
/// looked through, of a closed form it is derived.
std::string givenError(tile::KernelOp kernel, const AdmittedLaunch &launch,
                       const Contents &contents);

/// A number of an array that its element cannot hold; or nothing.
std::string elementError(const Array &array);

/// Coordinates of an array of integers that share memory and differ; or
/// nothing.
std::string placeError(const Layout &layout, const Array &array);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_LAUNCH_PRECONDITIONS_H
