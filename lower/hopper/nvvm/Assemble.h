// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cubins from PTX, by `ptxas` in a child process.

#ifndef GIRIH_LOWER_HOPPER_NVVM_ASSEMBLE_H
#define GIRIH_LOWER_HOPPER_NVVM_ASSEMBLE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace girih::hopper {

/// The assembler: `given` if it is not empty, else the one that quickstart
/// installed beside the sources, else the one on PATH. Empty when there is none
/// that can be run.
std::string findPtxas(llvm::StringRef given);

/// What the assembler calls itself, such as "ptxas 13.5.37".
std::string ptxasVersion(const std::string &ptxas);

struct Cubin {
  std::string bytes;
  int64_t registers = 0; ///< of a thread
};

/// Why what the assembler said of a schedule fails its compile, or nothing: a
/// spill, or a product that it serialises (C7508, C7510, C7514). `registers`
/// becomes what a thread uses.
std::optional<std::string> refuseWords(llvm::StringRef words,
                                       int64_t &registers);

/// Assembles for sm_90; nothing, and why, if that fails or what the assembler
/// says is refused. It is ended after `seconds`.
std::optional<Cubin> assemble(const std::string &ptxas, llvm::StringRef ptx,
                              unsigned seconds, std::string &error);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_NVVM_ASSEMBLE_H
