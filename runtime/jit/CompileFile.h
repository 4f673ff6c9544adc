// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel's file to its artefact, by tile-compile and the cache.

#ifndef GIRIH_RUNTIME_JIT_COMPILEFILE_H
#define GIRIH_RUNTIME_JIT_COMPILEFILE_H

#include "runtime/artefact/Artefact.h"

namespace girih::runtime {

/// A kernel as it was read, and what it is compiled with.
struct FileToCompile {
  std::string path;
  std::string text;
  std::optional<std::string> certificates; ///< of NAME.cert beside NAME.mlir
  std::vector<std::string> architectures;  ///< "sm_90"; at least one
  bool allowTrust = false;
  std::string compiler;  ///< path of tile-compile; empty: findProgram
  std::string assembler; ///< path of tileiras; empty: tile-compile's
  std::string cache;     ///< a folder; empty: none
  unsigned timeLimit = 300;
  /// Hears once what is done if it takes longer than a second.
  std::function<void(const std::string &)> progress;
};

/// Reads the kernel and the certificates beside it.
Expected<FileToCompile> readKernelFile(const std::string &path);

/// The artefact: from the cache, else from whoever makes it in another process,
/// else from tile-compile. What is not VERIFIED is refused with the words and
/// the exit code of tile-compile.
Expected<Artefact> compileFile(const FileToCompile &file);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_JIT_COMPILEFILE_H
