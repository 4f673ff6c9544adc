// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cubins from bytecode, by the assembler `tileiras` in child processes.

#ifndef GIRIH_LOWER_TILEIR_ASSEMBLE_H
#define GIRIH_LOWER_TILEIR_ASSEMBLE_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace girih::tileir {

/// The assembler: `given` if it is not empty, else the one that quickstart
/// installed beside the sources, else the one on PATH. Empty when there is none
/// that can be run.
std::string findAssembler(llvm::StringRef given);

/// What the assembler calls itself, such as "tileiras 13.5.37".
std::string assemblerVersion(const std::string &assembler);

/// The newest version 13.N of the bytecode that is written and that an
/// assembler of this version reads.
unsigned bytecodeMinor(llvm::StringRef version);

struct AssembleJob {
  std::string target; ///< "sm_90"
  std::string output; ///< path of the cubin
  std::string words;  ///< what the assembler said
};

/// Assembles for all targets at once; each writes its output. The string says
/// which target failed and why, with the assembler's own words. A child that
/// takes longer than `seconds` is ended. `options` stand behind all else.
std::optional<std::string> assemble(const std::string &assembler,
                                    const std::string &bytecode,
                                    std::vector<AssembleJob> &jobs,
                                    unsigned seconds,
                                    llvm::ArrayRef<std::string> options = {});

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_ASSEMBLE_H
