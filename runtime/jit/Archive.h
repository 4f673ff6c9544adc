// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of an artefact as one text, which is there whole or not at all.

#ifndef GIRIH_RUNTIME_JIT_ARCHIVE_H
#define GIRIH_RUNTIME_JIT_ARCHIVE_H

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace girih::runtime {

/// Contents by path within the folder.
using Files = std::map<std::string, std::string>;

/// The regular files of a folder and of those within; nothing if one of them
/// cannot be read.
std::optional<Files> readFolder(const std::string &folder);

std::string packFiles(const Files &files);
/// What was packed; nothing for any other text.
std::optional<Files> unpackFiles(std::string_view text);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_JIT_ARCHIVE_H
