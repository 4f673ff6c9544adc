// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every function of the C interface is wrapped in: errors become codes,
// and the driver is called in a context.

#ifndef GIRIH_RUNTIME_C_CGUARD_H
#define GIRIH_RUNTIME_C_CGUARD_H

#include "runtime/driver/Driver.h"

#include <exception>

namespace girih::runtime {

using Step = std::optional<Error>;

/// Why the last call of this thread failed.
inline thread_local std::string lastError;

inline int fail(const Error &error) {
  lastError = error.reason;
  return exitCode(error.why);
}

inline Error misuse(std::string reason) {
  return {ErrorKind::Usage, std::move(reason)};
}

/// The driver of the process, opened by the first who needs it.
inline const Expected<Driver> &driverOnce() {
  static const Expected<Driver> driver = openDriver();
  return driver;
}

/// Calls what returns a refusal, or nothing, and makes an error code of it.
template <typename Function> int guarded(Function function) noexcept {
  try {
    std::optional<Error> error = function();
    return error ? fail(*error) : 0;
  } catch (const std::exception &error) {
    // Too little memory: even for a text, perhaps.
    lastError.clear();
    try {
      lastError = error.what();
    } catch (...) {
    }
    return exitCode(ErrorKind::Failed);
  }
}

/// Calls a function in a context; by default in the one at hand.
template <typename Function>
Step withDriver(std::optional<Context> context, Function function) {
  const Expected<Driver> &driver = driverOnce();
  if (!driver) {
    return driver.error();
  }
  if (!context) {
    Expected<Context> here = contextAtHand(*driver);
    if (!here) {
      return here.error();
    }
    context = *here;
  }
  Entered entered(*driver, context->handle);
  return entered.error() ? entered.error() : function(*driver, *context);
}

inline Step succeed(const Driver &driver, const char *name, int error) {
  return error ? Step(driverFailure(driver, name, error)) : Step();
}

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_C_CGUARD_H
