// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What the host library throws.

#ifndef GIRIH_RUNTIME_HOST_ERROR_H
#define GIRIH_RUNTIME_HOST_ERROR_H

#include <stdexcept>
#include <string>

namespace girih {

/// Why something was not done. What is refused has done nothing.
class RuntimeError : public std::runtime_error {
public:
  /// An error with its exit code and its reason.
  RuntimeError(int code, const std::string &reason)
      : std::runtime_error(reason), exitCode(code) {}

  /// As of girih.h: 1 for an artefact that is refused or a call of the driver
  /// that failed, 3 for a call that the library or a contract refuses, 77
  /// without a GPU; and what tile-compile exits with for a kernel that is to be
  /// compiled: 1 refuted, 2 unknown or trusted, 3 malformed.
  int code() const noexcept { return exitCode; }

private:
  int exitCode;
};

} // namespace girih

#endif // GIRIH_RUNTIME_HOST_ERROR_H
