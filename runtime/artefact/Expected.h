// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors as values. A refusal knows what it means for the exit code, so that
// tools, the batch runner and the C interface agree on it.

#ifndef GIRIH_RUNTIME_ARTEFACT_EXPECTED_H
#define GIRIH_RUNTIME_ARTEFACT_EXPECTED_H

#include <optional>
#include <string>
#include <utility>

namespace girih::runtime {

/// Why something was not done.
enum class ErrorKind {
  Artefact, ///< the artefact is hostile, stale or does not fit the device
  Usage,    ///< malformed input, or a launch that the contract refuses
  Failed,   ///< the launch went wrong: a driver error, memory damaged
  NoGpu,    ///< this machine has no GPU
  Unproved, ///< a kernel that is to be compiled is UNKNOWN, or rests on trust
};

/// 1 for an artefact or a failure, 2 for a kernel that is not proved, 3 for
/// usage, 77 for a machine without GPU.
constexpr int exitCode(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::Usage:
    return 3;
  case ErrorKind::NoGpu:
    return 77;
  case ErrorKind::Unproved:
    return 2;
  default:
    return 1;
  }
}

struct Error {
  ErrorKind why = ErrorKind::Usage;
  std::string reason;
};

/// A value, or why there is none.
template <typename T> class Expected {
public:
  Expected(T value) : content(std::move(value)) {}
  Expected(Error error) : reason(std::move(error)) {}

  explicit operator bool() const { return content.has_value(); }
  T &operator*() { return *content; }
  const T &operator*() const { return *content; }
  T *operator->() { return &*content; }
  const T *operator->() const { return &*content; }
  const Error &error() const { return reason; }

private:
  std::optional<T> content;
  Error reason;
};

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_RESULT_H
