// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// How a kernel is compiled when it is used first.

#ifndef GIRIH_RUNTIME_EXECUTION_JITOPTIONS_H
#define GIRIH_RUNTIME_EXECUTION_JITOPTIONS_H

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace girih {

struct JitOptions {
  /// `sm_90`, each once. Empty: those of all GPUs of this machine.
  std::vector<std::string> architectures;
  /// False: kernels that rest on opt-outs are refused.
  bool allowTrust = false;
  /// The path of `tile-compile`. Empty: beside this library or program, in the
  /// `bin` next to its folder, or on PATH.
  std::string compiler;
  /// The path of the assembler `tileiras`. Empty: what `tile-compile` finds.
  std::string assembler;
  /// The folder in which artefacts and cubins are kept, 1 GiB at most.
  /// Nothing: `girih` in `$XDG_CACHE_HOME` or `~/.cache`. Empty: none.
  std::optional<std::string> cache;
  /// Seconds that the assembler may take for one architecture.
  unsigned timeLimit = 300;
  /// Hears what is done if it takes longer than a second, in the thread that
  /// waits for it. Empty: it is written to the standard error.
  std::function<void(const std::string &)> progress;
};

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_JITOPTIONS_H
