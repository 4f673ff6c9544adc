// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a kernel does not fit a schedule.

#ifndef GIRIH_LOWER_HOPPER_SCHEDULE_MISFIT_H
#define GIRIH_LOWER_HOPPER_SCHEDULE_MISFIT_H

#include "mlir/IR/Location.h"

#include <string>

namespace girih::hopper {

struct Misfit {
  mlir::Location at;
  std::string why; ///< names the op
  /// The arguments are those of the schedule, so that this is what a reader
  /// wants to know, and not why another schedule has no use for the kernel.
  bool isNear = false;
};

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_SCHEDULE_MISFIT_H
