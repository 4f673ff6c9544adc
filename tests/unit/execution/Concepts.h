// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The concepts of std::execution as P2300R10 has them, [exec.snd.concepts],
// [exec.recv.concepts] and [exec.opstate.general], written out on the tags of
// this library: what stands here is not taken from it.

#ifndef GIRIH_TESTS_UNIT_EXECUTION_CONCEPTS_H
#define GIRIH_TESTS_UNIT_EXECUTION_CONCEPTS_H

#include "runtime/execution/Senders.h"

namespace girih::tests::p2300 {

template <typename T>
concept queryable = std::destructible<T>;

template <typename Env, typename Query>
concept answers = requires(const Env &env, Query query) {
  { query(env) } noexcept;
};

template <typename O>
concept operation_state =
    std::destructible<O> && std::is_object_v<O> && requires(O &o) {
      { girih::start(o) } noexcept;
    };

template <typename R>
concept receiver =
    std::derived_from<typename std::remove_cvref_t<R>::receiver_concept,
                      girih::receiver_t> &&
    std::move_constructible<std::remove_cvref_t<R>> &&
    std::constructible_from<std::remove_cvref_t<R>, R> &&
    requires(const std::remove_cvref_t<R> &r) {
      { girih::get_env(r) } -> queryable;
    };

namespace detail {
template <typename Signature, typename R> struct IsValid {
  static constexpr bool value = false;
};
template <typename Tag, typename... Args, typename R>
struct IsValid<Tag(Args...), R> {
  static constexpr bool value =
      requires(std::remove_cvref_t<R> &&r, Args &&...args) {
        {
          Tag{}(std::move(r), std::forward<Args>(args)...)
        } noexcept -> std::same_as<void>;
      };
};
template <typename R, typename Signatures> struct HasCompletions;
template <typename R, typename... Signatures>
struct HasCompletions<R, girih::completion_signatures<Signatures...>> {
  static constexpr bool value = (IsValid<Signatures, R>::value && ...);
};
template <typename T> struct IsSignatures {
  static constexpr bool value = false;
};
template <typename... Signatures>
struct IsSignatures<girih::completion_signatures<Signatures...>> {
  static constexpr bool value = sizeof...(Signatures) > 0;
};
} // namespace detail

template <typename R, typename Completions>
concept receiver_of =
    receiver<R> && detail::HasCompletions<R, Completions>::value;

template <typename S>
concept sender =
    std::derived_from<typename std::remove_cvref_t<S>::sender_concept,
                      girih::sender_t> &&
    std::move_constructible<std::remove_cvref_t<S>> &&
    std::constructible_from<std::remove_cvref_t<S>, S> &&
    detail::IsSignatures<
        typename std::remove_cvref_t<S>::completion_signatures>::value;

template <typename S, typename R>
concept sender_to =
    sender<S> &&
    receiver_of<R, typename std::remove_cvref_t<S>::completion_signatures> &&
    requires(S &&s, R &&r) {
      {
        girih::connect(std::forward<S>(s), std::forward<R>(r))
      } -> operation_state;
    };

template <typename T>
concept stoppable_token =
    std::copyable<T> && std::equality_comparable<T> && requires(const T &t) {
      { t.stop_requested() } noexcept -> std::same_as<bool>;
      { t.stop_possible() } noexcept -> std::same_as<bool>;
    };

} // namespace girih::tests::p2300

#endif // GIRIH_TESTS_UNIT_EXECUTION_CONCEPTS_H
