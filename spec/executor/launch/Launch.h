// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch contract: what is checked before a block runs, and the concrete
// grid and tensors that come of it.

#ifndef GIRIH_SPEC_EXECUTOR_LAUNCH_LAUNCH_H
#define GIRIH_SPEC_EXECUTOR_LAUNCH_LAUNCH_H

#include "ir/text/Reader.h"
#include "spec/executor/Executor.h"
#include "spec/executor/memory/Memory.h"
#include "spec/executor/numerics/IntegerOps.h"

namespace girih::exec {

/// The bounds that every launch obeys, scaled to a width of `index`.
struct LaunchBounds {
  Wide extent; ///< of extents and index symbols: 2^ceil(40 w / 64)
  Wide bytes;  ///< of stride * extent * size: 2^ceil(47 w / 64)
  Wide grid;   ///< of dimensions and their product: 2^ceil(31 w / 64) - 1
};
LaunchBounds launchBounds(unsigned indexWidth);

/// Whether two elements may share memory: false when, in order of stride, each
/// axis of extent above 1 strides beyond the reach of all before it.
bool mayOverlap(const Layout &layout);

/// A fact that the contract gives about contents, with its bounds evaluated.
struct Precondition {
  tile::GivenKind kind = tile::GivenKind::Within;
  unsigned tensor = 0;    ///< argument number
  Wide low = 0, high = 0; ///< of within; high alone of splits: the last value
  std::string text;       ///< "within(%t, 0, V)"
};

/// A launch that the contract admits, its contents aside.
struct AdmittedLaunch {
  std::vector<int64_t> grid;
  int64_t blocks = 0;
  /// By argument number; none for a float scalar.
  std::vector<std::optional<Layout>> tensors;
  std::vector<Precondition> givens;
};

struct LaunchCheck {
  std::optional<AdmittedLaunch> launch;
  std::string error; ///< the condition that is false
  std::optional<Fault> fault;
};

/// Checks symbols, implied bounds, `requires` in order, then the grid; and
/// evaluates what `given` says, which the contents are held to in
/// Preconditions.h.
LaunchCheck checkLaunch(tile::KernelOp kernel,
                        const std::map<std::string, int64_t> &symbols,
                        unsigned indexWidth);

/// Which of the variants of a file a launch takes.
struct Choice {
  std::optional<size_t> number;
  std::string error; ///< why there is none
};

/// The one that is asked for by name; else the first whose `when` holds,
/// evaluated in order without wrapping. A file with one kernel has no choice.
Choice chooseVariant(const tile::KernelFiles &files,
                     const std::map<std::string, int64_t> &symbols,
                     llvm::StringRef asked);

/// The kind of an element or scalar type; the dialect has verified it.
Kind kindOf(mlir::Type type);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_LAUNCH_LAUNCH_H
