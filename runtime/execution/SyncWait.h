// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// `syncWait`: starts a sender and waits for it in this thread, in which what
/// comes after work on a device (`then`, coroutines) runs too.

#ifndef GIRIH_RUNTIME_EXECUTION_SYNCWAIT_H
#define GIRIH_RUNTIME_EXECUTION_SYNCWAIT_H

#include "runtime/execution/Adaptors.h"
#include "runtime/execution/CompletionLoop.h"

namespace girih {
namespace detail {

template <typename Values> struct SyncState {
  CompletionLoop loop;
  std::stop_token token;
  std::optional<Values> values;
  std::exception_ptr error;
};

struct SyncEnvironment {
  CompletionLoop *loop;
  std::stop_token token;

  CompletionLoop *query(get_loop_t) const noexcept { return loop; }
  std::stop_token query(get_stop_token_t) const noexcept { return token; }
};

template <typename Values> struct SyncReceiver {
  using receiver_concept = receiver_t;
  SyncState<Values> *state;

  template <typename... Each> void set_value(Each &&...each) && noexcept {
    state->values.emplace(std::forward<Each>(each)...);
    state->loop.finish();
  }
  template <typename Error> void set_error(Error &&error) && noexcept {
    state->error = asException(std::forward<Error>(error));
    state->loop.finish();
  }
  void set_stopped() && noexcept { state->loop.finish(); }
  SyncEnvironment get_env() const noexcept {
    return {&state->loop, state->token};
  }
};

/// Throws RuntimeError: who waited had no way to say that it was stopped.
[[noreturn]] void throwStopped();
/// Throws what a sender gives that cannot be started any more.
[[noreturn]] void throwStarted(const char *what);

} // namespace detail

/// The values, or nothing of a sender that was stopped. Errors are thrown.
struct sync_wait_t {
  template <sender S>
  std::optional<values_of_t<S>> operator()(S &&s,
                                           std::stop_token token = {}) const {
    detail::SyncState<values_of_t<S>> state;
    state.token = std::move(token);
    auto operation = connect(std::forward<S>(s),
                             detail::SyncReceiver<values_of_t<S>>{&state});
    start(operation);
    state.loop.run();
    if (state.error) {
      std::rethrow_exception(std::move(state.error));
    }
    return std::move(state.values);
  }
};
inline constexpr sync_wait_t syncWait{}, sync_wait{};

template <typename Self> auto SenderMethods<Self>::sync() && {
  auto values = syncWait(self());
  if (!values) {
    detail::throwStopped();
  }
  return detail::Unwrapped<values_of_t<Self>>::of(std::move(*values));
}

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_SYNCWAIT_H
