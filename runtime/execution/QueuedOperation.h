// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What runs on a device as an operation state: launches, copies, graphs.

#ifndef GIRIH_RUNTIME_EXECUTION_QUEUEDOPERATION_H
#define GIRIH_RUNTIME_EXECUTION_QUEUEDOPERATION_H

#include "runtime/execution/SyncWait.h"
#include "runtime/host/Stream.h"

#include <string>

namespace girih::detail {

/// The error with the name of what failed; of this library's errors the code
/// stays.
std::exception_ptr named(const std::string &name, std::exception_ptr error);

/// Queues an operation when it starts and completes when that has run. `Op` has
/// queueOn(const Stream *), asError(std::exception_ptr) and results().
template <typename Op, typename R>
class QueuedOperation final : CompletionLoop::Awaited {
public:
  QueuedOperation(Op &&op, R next) : op(std::move(op)), next(std::move(next)) {}
  QueuedOperation(const QueuedOperation &) = delete;
  ~QueuedOperation() {
    if (loop) {
      loop->remove(*this);
    }
  }

  void start() noexcept {
    auto environment = girih::get_env(next);
    if (isStopped()) {
      stop();
      return;
    }
    std::optional<Stream> stream;
    try {
      stream.emplace(op->queueOn(get_stream(environment)));
    } catch (...) {
      fail(std::current_exception());
      return;
    }
    if (get_completion(environment) != Completion::Done) {
      succeed();
      return;
    }
    // It may have failed on the device already, which any later call reports.
    try {
      event.emplace(stream->record());
    } catch (...) {
      fail(op->asError(std::current_exception()));
      return;
    }
    CompletionLoop *given = get_loop(environment);
    loop = given ? given : &CompletionLoop::background();
    loop->add(*this);
  }

private:
  bool poll() noexcept override {
    try {
      return isStopped() || event->query();
    } catch (...) {
      error = std::current_exception();
      return true;
    }
  }
  void complete() noexcept override {
    if (error) {
      fail(op->asError(std::move(error)));
    } else if (isStopped()) {
      stop();
    } else {
      succeed();
    }
  }

  bool isStopped() const noexcept {
    return get_stop_token(girih::get_env(next)).stop_requested();
  }
  // The arguments are dropped or handed over before anybody hears of it: this
  // may be destroyed then.
  void succeed() noexcept {
    auto results = op->results();
    op.reset();
    setValues(std::move(next), std::move(results));
  }
  void fail(std::exception_ptr why) noexcept {
    op.reset();
    girih::set_error(std::move(next), std::move(why));
  }
  void stop() noexcept {
    op.reset();
    girih::set_stopped(std::move(next));
  }

  std::optional<Op> op;
  R next;
  std::optional<Event> event;
  CompletionLoop *loop = nullptr;
  std::exception_ptr error;
};

} // namespace girih::detail

#endif // GIRIH_RUNTIME_EXECUTION_QUEUEDOPERATION_H
