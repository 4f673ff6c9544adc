// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256, by which the files of an artefact name each other.

#ifndef GIRIH_RUNTIME_ARTEFACT_SHA256_H
#define GIRIH_RUNTIME_ARTEFACT_SHA256_H

#include <string>
#include <string_view>

namespace girih::runtime {

/// 64 lower-case hex digits.
std::string sha256(std::string_view bytes);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_SHA256_H
