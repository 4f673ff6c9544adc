// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// `Task<T>`: a coroutine that awaits senders and other tasks, and is a sender
/// itself. It starts when it is awaited or waited for; dropped before that it
/// does nothing, and dropped while it waits for work on a device it leaves that
/// work its memory.

#ifndef GIRIH_RUNTIME_EXECUTION_TASK_H
#define GIRIH_RUNTIME_EXECUTION_TASK_H

#include "runtime/execution/SyncWait.h"

#include <coroutine>
#include <memory>

namespace girih {

template <typename T = void> class Task;

namespace detail {

/// Who goes on when a task has ended.
struct TaskParent {
  virtual std::coroutine_handle<> ended() noexcept = 0;
  virtual std::coroutine_handle<> stopped() noexcept = 0;

protected:
  ~TaskParent() = default;
};

/// What a task hands down to what it awaits.
struct TaskEnvironment {
  std::stop_token token;
  CompletionLoop *loop = nullptr;
  const Stream *stream = nullptr;

  std::stop_token query(get_stop_token_t) const noexcept { return token; }
  CompletionLoop *query(get_loop_t) const noexcept { return loop; }
  const Stream *query(get_stream_t) const noexcept { return stream; }
};

struct PromiseBase {
  TaskParent *parent = nullptr;
  TaskEnvironment environment;
  std::exception_ptr error;

  struct Final {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<>
    await_suspend(std::coroutine_handle<Promise> self) const noexcept {
      return self.promise().parent->ended();
    }
    void await_resume() const noexcept {}
  };
  std::suspend_always initial_suspend() const noexcept { return {}; }
  Final final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }

  template <sender S> auto await_transform(S &&s);
};

/// Awaits a sender. What it completes with, and whether the coroutine sleeps
/// by then, is settled by who comes second.
template <typename S> class SenderAwaiter {
  using Values = values_of_t<S>;
  struct Receiver {
    using receiver_concept = receiver_t;
    SenderAwaiter *self;

    template <typename... Each> void set_value(Each &&...each) && noexcept {
      self->values.emplace(std::forward<Each>(each)...);
      self->arrive();
    }
    template <typename Error> void set_error(Error &&error) && noexcept {
      self->error = asException(std::forward<Error>(error));
      self->arrive();
    }
    void set_stopped() && noexcept { self->arrive(); }
    TaskEnvironment get_env() const noexcept {
      return self->promise->environment;
    }
  };

public:
  SenderAwaiter(S &&s, PromiseBase &promise)
      : promise(&promise),
        operation(girih::connect(std::forward<S>(s), Receiver{this})) {}
  SenderAwaiter(const SenderAwaiter &) = delete;

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<>
  await_suspend(std::coroutine_handle<> coroutine) noexcept {
    sleeper = coroutine;
    girih::start(operation);
    return second.exchange(true) ? next() : std::noop_coroutine();
  }
  auto await_resume() {
    if (error) {
      std::rethrow_exception(std::move(error));
    }
    return Unwrapped<Values>::of(std::move(*values));
  }

private:
  void arrive() noexcept {
    if (second.exchange(true)) {
      next().resume();
    }
  }
  std::coroutine_handle<> next() noexcept {
    return values || error ? sleeper : promise->parent->stopped();
  }

  PromiseBase *promise;
  std::optional<Values> values;
  std::exception_ptr error;
  std::coroutine_handle<> sleeper;
  std::atomic<bool> second = false;
  connect_result_t<S, Receiver> operation;
};

template <sender S> auto PromiseBase::await_transform(S &&s) {
  return SenderAwaiter<S>(std::forward<S>(s), *this);
}

template <typename T> struct Promise : PromiseBase {
  std::optional<T> value;

  Task<T> get_return_object() noexcept;
  template <typename From> void return_value(From &&from) {
    value.emplace(std::forward<From>(from));
  }
  std::tuple<T> take() { return std::tuple<T>(std::move(*value)); }
};
template <> struct Promise<void> : PromiseBase {
  Task<void> get_return_object() noexcept;
  void return_void() noexcept {}
  std::tuple<> take() { return {}; }
};

template <typename P> struct DestroyFrame {
  void operator()(P *promise) const {
    std::coroutine_handle<P>::from_promise(*promise).destroy();
  }
};

/// A task that completes a receiver, also that of an awaiting task.
template <typename T, typename R> class TaskOperation final : TaskParent {
public:
  TaskOperation(std::unique_ptr<Promise<T>, DestroyFrame<Promise<T>>> &&frame,
                R next)
      : next(std::move(next)), frame(std::move(frame)) {}
  TaskOperation(const TaskOperation &) = delete;

  void start() noexcept {
    auto outer = girih::get_env(next);
    TaskEnvironment &inner = frame->environment;
    if constexpr (std::convertible_to<decltype(get_stop_token(outer)),
                                      std::stop_token>) {
      inner.token = get_stop_token(outer);
    }
    inner.loop = get_loop(outer);
    inner.stream = get_stream(outer);
    frame->parent = this;
    std::coroutine_handle<Promise<T>>::from_promise(*frame).resume();
  }

private:
  std::coroutine_handle<> ended() noexcept override {
    // Taken out first: the receiver may destroy the frame with this.
    if (frame->error) {
      std::exception_ptr error = std::move(frame->error);
      girih::set_error(std::move(next), std::move(error));
    } else {
      auto values = frame->take();
      girih::setValues(std::move(next), std::move(values));
    }
    return std::noop_coroutine();
  }
  std::coroutine_handle<> stopped() noexcept override {
    girih::set_stopped(std::move(next));
    return std::noop_coroutine();
  }

  R next;
  std::unique_ptr<Promise<T>, DestroyFrame<Promise<T>>> frame;
};

} // namespace detail

template <typename T>
class [[nodiscard]] GIRIH_CONSUMABLE Task : public SenderMethods<Task<T>> {
public:
  using promise_type = detail::Promise<T>;
  using completion_signatures =
      signatures_of_t<typename detail::AsValues<T>::type>;

  template <receiver R> GIRIH_CONSUMES auto connect(R next) && {
    if (!frame) {
      detail::throwStarted("task");
    }
    return detail::TaskOperation<T, R>(std::move(frame), std::move(next));
  }

private:
  friend promise_type;
  GIRIH_WHOLE explicit Task(promise_type *promise) : frame(promise) {}

  std::unique_ptr<promise_type, detail::DestroyFrame<promise_type>> frame;
};

template <typename T> Task<T> detail::Promise<T>::get_return_object() noexcept {
  return Task<T>(this);
}
inline Task<void> detail::Promise<void>::get_return_object() noexcept {
  return Task<void>(this);
}

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_TASK_H
