// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tools do by default with a file, and what it costs.

#ifndef GIRIH_FUZZ_SCALING_SCALINGTOOLS_H
#define GIRIH_FUZZ_SCALING_SCALINGTOOLS_H

#include <string>
#include <vector>

namespace girih::fuzz {

struct ToolCost {
  std::string tool;
  double seconds = 0; ///< of processor time
  size_t bytes = 0;   ///< the most memory that the process had
};

struct ToolCosts {
  std::vector<ToolCost> tools;
  std::string wrong; ///< not empty: a tool does what it never should
};

/// Runs over `path`, a kernel with the certificates beside it, what these do,
/// with what they print kept in memory:
///  - tile-opt, and again over what it has printed, which must come out the
///    same;
///  - tile-verify --replay;
///  - tile-verify, with suggestions, in every format and with a report;
///  - tile-compile up to the assembler, with the gate, which must let the
///    bytecode pass.
/// Not tile-exec: what a launch may cost is bounded in steps of the executor.
ToolCosts runTools(const std::string &path);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_SCALING_SCALINGTOOLS_H
