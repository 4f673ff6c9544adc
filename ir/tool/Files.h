// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How every tool reads and writes: what never ends is not read for ever, an
// output is written whole or not at all, and one that fails is an error.

#ifndef GIRIH_IR_TOOL_FILES_H
#define GIRIH_IR_TOOL_FILES_H

#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"

#include <optional>
#include <string>
#include <utility>

namespace girih::tile {

/// The bytes of a file, of standard input for `-`, up to `limit` + 1 of them:
/// one more than allowed shows that there are too many.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readBytes(llvm::StringRef path, size_t limit);

/// A path and what is to be written there.
using NamedBytes = std::pair<std::string, std::string>;

/// Writes all files or none: each beside its place first, then renamed. What
/// exists and is no regular file, a device or a pipe, is written in place. The
/// string names the file and says what failed.
std::optional<std::string> writeFiles(llvm::ArrayRef<NamedBytes> files);

/// From here on a standard output that cannot be written ends the process with
/// an error and exit code 3, however it ends.
void guardStandardOutput(const char *tool);

} // namespace girih::tile

#endif // GIRIH_IR_TOOL_FILES_H
