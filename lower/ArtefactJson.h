// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON of an artefact, as whoever believes nothing of it reads it.

#ifndef GIRIH_LOWER_ARTEFACTJSON_H
#define GIRIH_LOWER_ARTEFACTJSON_H

#include "girih/expected.h"

#include "llvm/Support/JSON.h"

namespace girih::lower {

Expected<std::string> readFile(const std::string &path);

/// The object that a text is; `path` is for messages.
Expected<llvm::json::Object> parseObject(const std::string &path,
                                         llvm::StringRef text);

/// The first key by which two objects differ, or "".
std::string difference(const llvm::json::Object &a,
                       const llvm::json::Object &b);

} // namespace girih::lower

#endif // GIRIH_LOWER_ARTEFACTJSON_H
