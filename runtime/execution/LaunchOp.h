// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A launch that has not started: a sender that owns its arguments and gives
/// them back. Dropped before it started, nothing has run. Dropped later, or
/// stopped, its memory stays until the device has done the work.

#ifndef GIRIH_RUNTIME_EXECUTION_LAUNCHOP_H
#define GIRIH_RUNTIME_EXECUTION_LAUNCHOP_H

#include "runtime/execution/Arguments.h"
#include "runtime/execution/SyncWait.h"
#include "runtime/host/Stream.h"

#include <array>
#include <memory>

namespace girih {
namespace detail {

/// Numbers of a launch; without an allocation for as many as kernels have.
template <typename T> class Numbers {
public:
  Numbers() = default;
  explicit Numbers(std::span<const T> numbers) : count(numbers.size()) {
    if (count > few.size()) {
      many.assign(numbers.begin(), numbers.end());
    } else {
      std::copy(numbers.begin(), numbers.end(), few.begin());
    }
  }
  std::span<const T> span() const {
    return {count > few.size() ? many.data() : few.data(), count};
  }

private:
  std::array<T, 6> few{};
  std::vector<T> many;
  size_t count = 0;
};

template <typename R, typename... Arguments> class LaunchOperation;

} // namespace detail

template <typename... Arguments>
class [[nodiscard]] GIRIH_CONSUMABLE LaunchOp
    : public SenderMethods<LaunchOp<Arguments...>> {
public:
  /// The arguments, without what was said about their contents.
  using Results =
      std::tuple<typename detail::ResultOfArgument<Arguments>::type...>;
  using completion_signatures = signatures_of_t<Results>;

  LaunchOp(std::shared_ptr<KernelState> kernel, std::span<const double> scalars,
           std::span<const int64_t> symbols, Arguments... arguments)
      : kernel(std::move(kernel)), scalars(scalars), symbols(symbols),
        arguments(std::move(arguments)...) {}

  /// Queues it and gives the arguments back at once: whatever uses them is
  /// ordered behind it. An error of the device shows where that is waited for.
  GIRIH_CONSUMES unwrapped_t<Results> queue() && {
    whole().queueOn(nullptr);
    return detail::Unwrapped<Results>::of(results());
  }
  GIRIH_CONSUMES unwrapped_t<Results> queue(const Stream &stream) && {
    whole().queueOn(&stream);
    return detail::Unwrapped<Results>::of(results());
  }

  /// Queues it and waits in this thread, as the base does, with one call of the
  /// driver in place of an event and a loop.
  GIRIH_CONSUMES unwrapped_t<Results> sync() && {
    Stream stream = whole().queueOn(nullptr);
    try {
      stream.synchronize();
    } catch (...) {
      std::rethrow_exception(asError(std::current_exception()));
    }
    return detail::Unwrapped<Results>::of(results());
  }

  template <receiver R> GIRIH_CONSUMES auto connect(R next) && {
    return detail::LaunchOperation<R, Arguments...>(std::move(whole()),
                                                    std::move(next));
  }

private:
  template <typename R, typename... Others>
  friend class detail::LaunchOperation;

  template <typename Use> decltype(auto) withRequest(Use use) const {
    return withRequest(use, std::index_sequence_for<Arguments...>{});
  }
  template <typename Use, size_t... numbers>
  decltype(auto) withRequest(Use use, std::index_sequence<numbers...>) const {
    std::array<LaunchArgument, sizeof...(Arguments)> tensors{
        detail::launchArgument(std::get<numbers>(arguments))...};
    std::array<Access, sizeof...(Arguments)> accesses{detail::launchAccess(
        std::get<numbers>(arguments), detail::modeOf(*kernel, numbers))...};
    return use(
        LaunchRequest{tensors, accesses, scalars.span(), symbols.span()});
  }

  LaunchOp &whole() {
    if (!kernel) {
      detail::throwStarted("launch");
    }
    return *this;
  }
  Stream queueOn(const Stream *stream) const {
    return withRequest([&](const LaunchRequest &request) {
      return detail::queueLaunch(*kernel, request, stream);
    });
  }
  std::exception_ptr asError(std::exception_ptr error) const {
    return withRequest([&](const LaunchRequest &request) {
      return detail::launchError(*kernel, request, std::move(error));
    });
  }
  /// What is left is no launch any more.
  Results results() {
    kernel.reset();
    return std::apply(
        [](auto &...each) {
          return Results(
              detail::ResultOfArgument<std::remove_cvref_t<decltype(each)>>::of(
                  std::move(each))...);
        },
        arguments);
  }

  std::shared_ptr<KernelState> kernel;
  detail::Numbers<double> scalars;
  detail::Numbers<int64_t> symbols;
  std::tuple<Arguments...> arguments;
};

namespace detail {

template <typename R, typename... Arguments>
class LaunchOperation final : CompletionLoop::Awaited {
public:
  LaunchOperation(LaunchOp<Arguments...> &&launch, R next)
      : launch(std::move(launch)), next(std::move(next)) {}
  LaunchOperation(const LaunchOperation &) = delete;
  ~LaunchOperation() {
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
    try {
      Stream stream = launch->queueOn(get_stream(environment));
      if (get_completion(environment) == Completion::Done) {
        event.emplace(stream.record());
      }
    } catch (...) {
      fail(std::current_exception());
      return;
    }
    if (!event) {
      succeed();
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
      fail(launch->asError(std::move(error)));
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
    auto results = launch->results();
    launch.reset();
    setValues(std::move(next), std::move(results));
  }
  void fail(std::exception_ptr why) noexcept {
    launch.reset();
    girih::set_error(std::move(next), std::move(why));
  }
  void stop() noexcept {
    launch.reset();
    girih::set_stopped(std::move(next));
  }

  std::optional<LaunchOp<Arguments...>> launch;
  R next;
  std::optional<Event> event;
  CompletionLoop *loop = nullptr;
  std::exception_ptr error;
};

} // namespace detail
} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_LAUNCHOP_H
