// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents for runs that look for a fault: a block goes where memory sends it,
// and numbers that are drawn at random hardly ever lie at the end of a range.

#ifndef GIRIH_CHECKER_DECIDE_STEERING_H
#define GIRIH_CHECKER_DECIDE_STEERING_H

#include "checker/decide/Replay.h"

namespace girih::checker {

/// The tensors of integers whose contents can decide an index, a mask, a bound
/// of a loop or a branch, by argument number: loaded or gathered from, or
/// written with what is read again.
std::vector<unsigned> steeringTensors(tile::KernelOp kernel);

/// Contents for these tensors, one choice after the other.
class SteeringContents {
public:
  SteeringContents(tile::KernelOp kernel, Width width);

  /// False when no contents decide anything.
  bool any() const { return !tensors.empty(); }

  /// The next contents for a launch, which keep what is given as far as numbers
  /// do: `hints`, ends of the range, the kernel's constants, the launch's
  /// extents, the numbers next to these; by turns one for all elements and
  /// drawn for each. Nothing for tensors that are large or when the launch is
  /// none.
  Contents next(const CandidateLaunch &launch,
                llvm::ArrayRef<int64_t> hints = {});

private:
  tile::KernelOp kernel;
  Width width;
  std::vector<unsigned> tensors;
  std::vector<int64_t> constants; ///< of the kernel
  uint64_t turn = 0;
};

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_STEERING_H
