// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a verified kernel to a schedule, its PTX and its cubin. Nothing is
// lowered but a kernel that was verified, and no schedule but one that the
// verifier of its dialect accepts; nothing is assembled but PTX that was proved
// against the kernel.

#ifndef GIRIH_LOWER_HOPPER_COMPILE_H
#define GIRIH_LOWER_HOPPER_COMPILE_H

#include "checker/decide/Verified.h"
#include "lower/hopper/ir/Hopper.h"
#include "lower/hopper/schedule/AttentionMerge.h"
#include "lower/hopper/schedule/AttentionSplit.h"
#include "lower/hopper/schedule/AttentionStep.h"
#include "lower/hopper/schedule/Gemv.h"
#include "lower/hopper/schedule/Rows.h"
#include "lower/hopper/schedule/Skinny.h"
#include "lower/ptx/Validate.h"
#include "lower/tileir/Manifest.h"

#include <optional>
#include <string>
#include <variant>

namespace girih::hopper {

/// Why a kernel has no schedule here, and the place of the op that did not fit.
struct Unscheduled {
  std::string place; ///< `file:line:column`
  std::string why;
};

/// What a schedule took from its kernel: one of the closed set.
using Plan = std::variant<Gemv, Rows, AttentionStep, AttentionSplit,
                          AttentionMerge, Skinny>;

/// A kernel as a schedule.
struct Scheduled {
  /// Holds the module's context.
  checker::OpenedKernel source;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Plan plan; ///< by ops of `source`
  tileir::LaunchRecipe recipe;

  KernelOp kernel() const {
    return mlir::cast<KernelOp>(module.get().getBody()->front());
  }
};

/// Matches the closed set of schedules. The string says why the text is not the
/// one that was judged, or that the schedule does not verify.
std::variant<Scheduled, Unscheduled, std::string>
schedule(const checker::VerifiedKernel &verified);

/// A schedule as code.
struct Compiled {
  std::string cubin;
  tileir::LaunchRecipe recipe;
  int64_t registers = 0; ///< of a thread
};

/// All of it, to the cubin; the string says what failed. `find` is asked for
/// what proves the PTX, and nobody believes it. `ptxas` is ended after
/// `seconds`.
std::variant<Compiled, Unscheduled, std::string>
compile(const checker::VerifiedKernel &verified,
        const ptx::FindCertificate &find, const std::string &ptxas,
        unsigned seconds);

/// Proves that the PTX of a schedule touches what its kernel may touch, and
/// keeps the protocol of its rings; or says why not.
std::variant<ptx::Proof, std::string> prove(const Scheduled &scheduled,
                                            std::string_view ptx,
                                            const ptx::FindCertificate &find);

/// The PTX of a schedule; nothing, and why, if it cannot be lowered.
std::optional<std::string> ptxOf(const Scheduled &scheduled,
                                 std::string &error);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_COMPILE_H
