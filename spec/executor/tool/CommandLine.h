// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of tile-exec, as plain data.

#ifndef GIRIH_SPEC_EXECUTOR_TOOL_COMMANDLINE_H
#define GIRIH_SPEC_EXECUTOR_TOOL_COMMANDLINE_H

#include "girih/executor.h"

namespace girih::exec {

struct CommandLine {
  bool help = false, version = false;
  std::string file;
  girih::Launch launch;
  /// name=path pairs.
  std::vector<std::pair<std::string, std::string>> inputs, outputs, expected,
      bounds;
};

const char *helpText();

/// Parses the arguments after the program's name; the error names the
/// argument.
std::optional<CommandLine> parseCommandLine(std::vector<std::string> arguments,
                                            std::string &error);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_TOOL_COMMANDLINE_H
