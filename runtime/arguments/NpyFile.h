// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .npy files of tile-run.

#ifndef GIRIH_RUNTIME_ARGUMENTS_NPYFILE_H
#define GIRIH_RUNTIME_ARGUMENTS_NPYFILE_H

#include "runtime/arguments/Npy.h"

namespace girih::runtime {

/// Reads a file; the error names the path.
Expected<Array> readNpy(const std::string &path, Element element);

/// Writes a file: beside its place first, then renamed.
std::optional<Error> writeFile(const std::string &path, std::string_view bytes);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARGUMENTS_NPYFILE_H
