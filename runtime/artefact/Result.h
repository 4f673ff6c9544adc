// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors as values. A refusal knows what it means for the exit code, so that
// tools, the batch runner and the C interface agree on it.

#ifndef GIRIH_RUNTIME_ARTEFACT_RESULT_H
#define GIRIH_RUNTIME_ARTEFACT_RESULT_H

#include <optional>
#include <string>
#include <utility>

namespace girih::runtime {

/// Why something was not done.
enum class Why {
  Artefact, ///< the artefact is hostile, stale or does not fit the device
  Usage,    ///< malformed input, or a launch that the contract refuses
  Failed,   ///< the launch went wrong: a driver error, memory damaged
  NoGpu,    ///< this machine has no GPU
};

/// 1 for an artefact or a failure, 3 for usage, 77 for a machine without GPU.
constexpr int exitCode(Why why) {
  return why == Why::Usage ? 3 : why == Why::NoGpu ? 77 : 1;
}

struct Refusal {
  Why why = Why::Usage;
  std::string reason;
};

/// A value, or why there is none.
template <typename T> class Result {
public:
  Result(T value) : content(std::move(value)) {}
  Result(Refusal refusal) : reason(std::move(refusal)) {}

  explicit operator bool() const { return content.has_value(); }
  T &operator*() { return *content; }
  const T &operator*() const { return *content; }
  T *operator->() { return &*content; }
  const T *operator->() const { return &*content; }
  const Refusal &refusal() const { return reason; }

private:
  std::optional<T> content;
  Refusal reason;
};

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_RESULT_H
