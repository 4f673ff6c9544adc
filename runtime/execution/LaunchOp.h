// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// A launch that has not started: a sender that owns its arguments and gives
/// them back. Dropped before it started, nothing has run. Dropped later, or
/// stopped, its memory stays until the device has done the work. One that is
/// refused or fails keeps its arguments, and may be started again.

#ifndef GIRIH_RUNTIME_EXECUTION_LAUNCHOP_H
#define GIRIH_RUNTIME_EXECUTION_LAUNCHOP_H

#include "runtime/execution/Arguments.h"
#include "runtime/execution/QueuedOperation.h"

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

  /// Gives the arguments back as they were given, and nothing is queued: what
  /// was refused is put right with them.
  GIRIH_CONSUMES std::tuple<Arguments...> release() && {
    whole().kernel.reset();
    return std::move(arguments);
  }

  template <receiver R> GIRIH_CONSUMES auto connect(R next) && {
    return detail::QueuedOperation<LaunchOp, R>(std::move(whole()),
                                                std::move(next));
  }

  /// Hands a recorder of a graph what would be queued; gives the arguments.
  template <typename Recorder>
  GIRIH_CONSUMES Results recordOn(Recorder &recorder) && {
    whole().withRequest([&](const LaunchRequest &request) {
      recorder.launch(kernel, request, holds());
    });
    return results();
  }

private:
  template <typename Op, typename R> friend class detail::QueuedOperation;

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
  std::array<std::shared_ptr<detail::Record>, sizeof...(Arguments)>
  holds() const {
    return std::apply(
        [](const auto &...each) {
          return std::array<std::shared_ptr<detail::Record>,
                            sizeof...(Arguments)>{detail::launchHold(each)...};
        },
        arguments);
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

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_LAUNCHOP_H
