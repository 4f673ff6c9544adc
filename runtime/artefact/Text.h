// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of messages.

#ifndef GIRIH_RUNTIME_ARTEFACT_TEXT_H
#define GIRIH_RUNTIME_ARTEFACT_TEXT_H

#include <fmt/format.h>

namespace girih::runtime {

/// "1 axis" or "2 axes".
template <typename Count>
std::string counted(const Count &count, const char *one, const char *many) {
  return fmt::format("{} {}", count, count == Count(1) ? one : many);
}

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_TEXT_H
