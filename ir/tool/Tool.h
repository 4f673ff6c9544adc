// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command lines of all tools share: help with exit codes and examples,
// the version, how a wrong option is reported.

#ifndef GIRIH_IR_TOOL_TOOL_H
#define GIRIH_IR_TOOL_TOOL_H

#include "llvm/Support/CommandLine.h"

#include <string>

namespace girih::tile {

struct Tool {
  const char *name;
  const char *overview; ///< one sentence
  const char *exits;    ///< "0 proved, 1 refuted, ..."
  const char *examples; ///< commands, a line each, from the source tree's root
  /// Prints more lines of the version, if any.
  void (*versions)(llvm::raw_ostream &os) = nullptr;
};

/// The version of Girih, without the tool's name.
const char *girihVersion();

/// What `--version` prints: tool, Girih and LLVM, as a bug report needs them.
std::string versionText(llvm::StringRef tool);

/// Parses the command line into the options of `category`. Help and version end
/// the process with 0; what is wrong is reported, and the result is false.
bool parseToolOptions(int argc, char **argv, const Tool &tool,
                      llvm::cl::OptionCategory &category);

} // namespace girih::tile

#endif // GIRIH_IR_TOOL_TOOL_H
