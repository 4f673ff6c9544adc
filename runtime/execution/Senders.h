// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Senders, receivers and operation states by the names of std::execution
/// (P2300), which no library of C++20 has yet: what launches, adaptors and
/// coroutines have in common. A sender has one way to succeed here, so its
/// value completion is a tuple type; errors are exceptions.

#ifndef GIRIH_RUNTIME_EXECUTION_SENDERS_H
#define GIRIH_RUNTIME_EXECUTION_SENDERS_H

#include <concepts>
#include <exception>
#include <optional>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>

namespace girih {

class CompletionLoop;
class Stream;

//===-- Tags --------------------------------------------------------------===//

struct sender_t {};
struct receiver_t {};
struct operation_state_t {};

struct set_value_t {
  template <typename Receiver, typename... Values>
    requires requires(Receiver &&r, Values &&...v) {
      std::forward<Receiver>(r).set_value(std::forward<Values>(v)...);
    }
  void operator()(Receiver &&receiver, Values &&...values) const noexcept {
    std::forward<Receiver>(receiver).set_value(std::forward<Values>(values)...);
  }
};
struct set_error_t {
  template <typename Receiver, typename Error>
    requires requires(Receiver &&r, Error &&e) {
      std::forward<Receiver>(r).set_error(std::forward<Error>(e));
    }
  void operator()(Receiver &&receiver, Error &&error) const noexcept {
    std::forward<Receiver>(receiver).set_error(std::forward<Error>(error));
  }
};
struct set_stopped_t {
  template <typename Receiver>
    requires requires(Receiver &&r) { std::forward<Receiver>(r).set_stopped(); }
  void operator()(Receiver &&receiver) const noexcept {
    std::forward<Receiver>(receiver).set_stopped();
  }
};
inline constexpr set_value_t set_value{};
inline constexpr set_error_t set_error{};
inline constexpr set_stopped_t set_stopped{};

/// How a sender may complete, as function types of the tags above.
template <typename... Signatures> struct completion_signatures {};

//===-- Environments ------------------------------------------------------===//

struct empty_env {};

/// What a receiver knows of where it runs; empty where it says nothing.
struct get_env_t {
  template <typename Receiver>
  auto operator()(const Receiver &receiver) const noexcept {
    if constexpr (requires { receiver.get_env(); }) {
      return receiver.get_env();
    } else {
      return empty_env{};
    }
  }
};
inline constexpr get_env_t get_env{};

/// A question to an environment, and the answer of those that do not know it.
template <typename Query, typename Default> struct EnvironmentQuery {
  template <typename Environment>
  auto operator()(const Environment &environment) const noexcept {
    if constexpr (requires { environment.query(Query{}); }) {
      return environment.query(Query{});
    } else {
      return Default{};
    }
  }
};

/// Whether somebody has lost interest.
struct get_stop_token_t : EnvironmentQuery<get_stop_token_t, std::stop_token> {
};
/// Where to queue; null for a stream that the arguments suggest, or else one
/// of the pool.
struct get_stream_t : EnvironmentQuery<get_stream_t, const Stream *> {};
/// Who waits for the device; null for a thread of the library.
struct get_loop_t : EnvironmentQuery<get_loop_t, CompletionLoop *> {};

/// When work on a device completes.
enum class Completion : unsigned char {
  Done,   ///< has run
  Queued, ///< stands in its stream: what it returns may be passed on
};
struct get_completion_t : EnvironmentQuery<get_completion_t, Completion> {};

inline constexpr get_stop_token_t get_stop_token{};
inline constexpr get_stream_t get_stream{};
inline constexpr get_loop_t get_loop{};
inline constexpr get_completion_t get_completion{};

/// An environment with one answer of its own.
template <typename Query, typename Value, typename Base> struct With {
  Value value;
  Base base;

  Value query(Query) const noexcept { return value; }
  template <typename Other>
    requires(!std::same_as<Other, Query>) &&
            requires(const Base &b, Other other) { b.query(other); }
  auto query(Other other) const noexcept {
    return base.query(other);
  }
};
template <typename Query, typename Base, typename Value>
With<Query, Value, Base> with(Value value, Base base) {
  return {std::move(value), std::move(base)};
}

//===-- Concepts ----------------------------------------------------------===//

template <typename S>
concept sender =
    std::derived_from<typename std::remove_cvref_t<S>::sender_concept,
                      sender_t> &&
    std::move_constructible<std::remove_cvref_t<S>> &&
    requires { typename std::remove_cvref_t<S>::completion_signatures; };

template <typename R>
concept receiver =
    std::derived_from<typename std::remove_cvref_t<R>::receiver_concept,
                      receiver_t> &&
    std::move_constructible<std::remove_cvref_t<R>>;

template <typename O>
concept operation_state =
    std::destructible<O> && std::is_object_v<O> && requires(O &o) {
      { o.start() } noexcept;
    };

struct connect_t {
  template <sender S, receiver R>
  auto operator()(S &&s, R &&r) const
      -> decltype(std::forward<S>(s).connect(std::forward<R>(r))) {
    return std::forward<S>(s).connect(std::forward<R>(r));
  }
};
struct start_t {
  template <operation_state O> void operator()(O &o) const noexcept {
    o.start();
  }
};
inline constexpr connect_t connect{};
inline constexpr start_t start{};

template <typename S, typename R>
concept sender_to = sender<S> && receiver<R> && requires(S &&s, R &&r) {
  { connect(std::forward<S>(s), std::forward<R>(r)) } -> operation_state;
};

template <typename S, typename R>
using connect_result_t =
    decltype(connect(std::declval<S>(), std::declval<R>()));

//===-- Values ------------------------------------------------------------===//

namespace detail {

template <typename Signatures> struct ValuesOf;
template <typename First, typename... Rest>
struct ValuesOf<completion_signatures<First, Rest...>>
    : ValuesOf<completion_signatures<Rest...>> {};
template <typename... Values, typename... Rest>
struct ValuesOf<completion_signatures<set_value_t(Values...), Rest...>> {
  using type = std::tuple<std::decay_t<Values>...>;
};

/// The signatures of a sender that succeeds with these values.
template <typename Values> struct SignaturesOf;
template <typename... Values> struct SignaturesOf<std::tuple<Values...>> {
  using type =
      completion_signatures<set_value_t(Values...),
                            set_error_t(std::exception_ptr), set_stopped_t()>;
};

/// What a function gives, as values of a sender: none for void.
template <typename T> struct AsValues {
  using type = std::tuple<T>;
};
template <> struct AsValues<void> {
  using type = std::tuple<>;
};
template <typename... Ts> struct AsValues<std::tuple<Ts...>> {
  using type = std::tuple<Ts...>;
};

/// What a caller gets of values: the tuple, the only one, or nothing.
template <typename Values> struct Unwrapped {
  using type = Values;
  static Values of(Values &&values) { return std::move(values); }
};
template <typename T> struct Unwrapped<std::tuple<T>> {
  using type = T;
  static T of(std::tuple<T> &&values) { return std::get<0>(std::move(values)); }
};
template <> struct Unwrapped<std::tuple<>> {
  using type = void;
  static void of(std::tuple<> &&) {}
};

/// Makes an object in its place out of what a function returns.
template <typename Function> struct Elide {
  Function function;
  using Returned = std::invoke_result_t<Function>;
  operator Returned() { return function(); } // NOLINT: that is its purpose
};
template <typename Function> Elide(Function) -> Elide<Function>;

/// An error of any type as the one of this library.
template <typename Error> std::exception_ptr asException(Error &&error) {
  if constexpr (std::same_as<std::remove_cvref_t<Error>, std::exception_ptr>) {
    return std::forward<Error>(error);
  } else {
    return std::make_exception_ptr(std::forward<Error>(error));
  }
}

} // namespace detail

/// The values with which a sender succeeds, as a tuple.
template <typename S>
using values_of_t = typename detail::ValuesOf<
    typename std::remove_cvref_t<S>::completion_signatures>::type;
/// The completions of a sender with these values.
template <typename Values>
using signatures_of_t = typename detail::SignaturesOf<Values>::type;
/// What a caller gets of them.
template <typename Values>
using unwrapped_t = typename detail::Unwrapped<Values>::type;

/// Completes with the members of a tuple.
template <typename Receiver, typename Values>
void setValues(Receiver &&receiver, Values &&values) noexcept {
  std::apply(
      [&](auto &&...each) {
        set_value(std::forward<Receiver>(receiver),
                  std::forward<decltype(each)>(each)...);
      },
      std::forward<Values>(values));
}

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_SENDERS_H
