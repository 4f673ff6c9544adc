// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A first look at a kernel's text, before MLIR's parser sees it. That parser
// recurses on nested brackets, allocates what a literal asks for
// (`%x#4000000000`, `i16777215`, `vector<...>`) and reads many things that no
// kernel has: all that is refused here, by the tokens alone.

#ifndef GIRIH_IR_TEXT_SCAN_H
#define GIRIH_IR_TEXT_SCAN_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace girih::tile {

/// Where and why a text is refused.
struct ScanError {
  size_t offset;
  std::string message;
};

/// Limits on nested brackets, on the length of a number and on the results of
/// one op.
inline constexpr unsigned maxNesting = 64;
inline constexpr size_t maxNumberLength = 64;
inline constexpr unsigned maxResults = 64;

/// Nothing, or the first thing in `text` that is refused.
std::optional<ScanError> scanKernelText(llvm::StringRef text);

} // namespace girih::tile

#endif // GIRIH_IR_TEXT_SCAN_H
