// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel in CUDA Tile IR bytecode, whoever compiled it, to a kernel of
// the tile dialect as text: what it touches op by op, its contract by a guess
// that the text states. What has no form in the dialect ends the import.

#ifndef GIRIH_LOWER_IMPORT_IMPORT_H
#define GIRIH_LOWER_IMPORT_IMPORT_H

#include "lower/readback/Bytecode.h"

namespace girih::importer {

/// What the launch code says and the bytecode does not.
struct Options {
  std::vector<std::string> grid;      ///< contract expressions, else guessed
  std::vector<std::string> requires_; ///< comparisons, beside those guessed
  std::vector<std::string> given;     ///< facts about contents
  bool cover = false; ///< what is only written is `out`, not `out partial`
};

/// Why a kernel has no form in the dialect, and the byte of the file where the
/// op begins that has none.
struct ImportError {
  std::string why;
  size_t at = 0;
};

std::variant<std::string, ImportError> importKernel(const readback::Function &f,
                                                    const Options &options);

} // namespace girih::importer

#endif // GIRIH_LOWER_IMPORT_IMPORT_H
