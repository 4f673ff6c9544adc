// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tools as child processes.

#ifndef GIRIH_RUNTIME_JIT_PROGRAM_H
#define GIRIH_RUNTIME_JIT_PROGRAM_H

#include "runtime/artefact/Expected.h"

#include <functional>
#include <string>
#include <vector>

namespace girih::runtime {

/// A program by its name: beside the library or program that this code is in,
/// in the `bin` next to its folder, or on PATH. Empty where there is none that
/// can be run.
std::string findProgram(const std::string &name);

struct ProgramEnd {
  int code = 0;      ///< its exit code; of one that was ended, 128 + the signal
  std::string words; ///< what it wrote to its standard error
};

/// Runs a program in a folder, without input. `wait` is called several times
/// a second. An error where it cannot be run.
Expected<ProgramEnd> runProgram(const std::string &program,
                                const std::vector<std::string> &arguments,
                                const std::string &folder,
                                const std::function<void()> &wait);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_JIT_PROGRAM_H
