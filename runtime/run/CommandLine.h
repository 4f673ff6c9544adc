// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of tile-run.

#ifndef GIRIH_RUNTIME_RUN_COMMANDLINE_H
#define GIRIH_RUNTIME_RUN_COMMANDLINE_H

#include "runtime/run/Batch.h"

namespace girih::runtime {

struct CommandLine {
  enum class Action {
    Help,
    Version,
    Devices,
    Batch,
    Explain,
    Run
  } action = Action::Run;
  Case what;
  BatchOptions batch;
  std::string policyFile;
  std::vector<std::string> keyFiles; ///< of keys that the policy has besides
};

const char *helpText();
const char *versionText();

Expected<CommandLine>
parseCommandLine(const std::vector<std::string> &arguments);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_RUN_COMMANDLINE_H
