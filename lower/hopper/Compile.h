// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a verified kernel to a schedule, its PTX and its cubin. Nothing is
// lowered but a kernel that was verified, and no schedule but one that the
// verifier of its dialect accepts.

#ifndef GIRIH_LOWER_HOPPER_COMPILE_H
#define GIRIH_LOWER_HOPPER_COMPILE_H

#include "checker/decide/Verified.h"
#include "lower/hopper/ir/Hopper.h"

#include <optional>
#include <string>
#include <variant>

namespace girih::hopper {

/// Why a kernel has no schedule here, and the place of the op that did not fit.
struct Unscheduled {
  std::string place; ///< `file:line:column`
  std::string why;
};

/// How a block of a schedule is launched.
struct LaunchRecipe {
  int64_t threads = 0;
  int64_t sharedBytes = 0;
  /// Arguments that a block reads before its dependency wait: a launch behind a
  /// programmatic edge warrants that no grid writes them that may still run.
  std::vector<unsigned> early;
};

/// A kernel as a schedule.
struct Scheduled {
  /// Holds the module's context.
  checker::OpenedKernel source;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  LaunchRecipe recipe;

  KernelOp kernel() const {
    return mlir::cast<KernelOp>(module.get().getBody()->front());
  }
};

/// Matches the closed set of schedules. The string says why the text is not the
/// one that was judged, or that the schedule does not verify.
std::variant<Scheduled, Unscheduled, std::string>
schedule(const checker::VerifiedKernel &verified);

/// The PTX of a schedule; nothing, and why, if it cannot be lowered.
std::optional<std::string> ptxOf(const Scheduled &scheduled,
                                 std::string &error);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_COMPILE_H
