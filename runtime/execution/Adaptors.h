// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Senders out of senders: `then`, `let`, `uponError`, `on`, `whenAll`, `just`,
/// with the names of P2300 beside them. All but the last two are also members
/// of the senders of this library and stand behind `|`.
///
/// What runs on a device completes when it has run, except in front of `let`,
/// whose function is called as soon as the work before it is queued: what that
/// returns is ordered behind it by the device, and no thread waits in between.

#ifndef GIRIH_RUNTIME_EXECUTION_ADAPTORS_H
#define GIRIH_RUNTIME_EXECUTION_ADAPTORS_H

#include "runtime/execution/Senders.h"
#include "runtime/host/Annotations.h"

#include <atomic>
#include <functional>

namespace girih {

//===-- Pipes -------------------------------------------------------------===//

namespace detail {

/// An adaptor that waits for its sender on the left of `|`.
template <typename Adaptor, typename Argument> struct Piped {
  Argument argument;

  template <sender S> friend auto operator|(S &&s, Piped self) {
    return Adaptor{}(std::forward<S>(s), std::move(self.argument));
  }
};

/// `adaptor(sender, argument)`, and `sender | adaptor(argument)`.
template <typename Adaptor, template <typename, typename> typename Returned>
struct AdaptorObject {
  template <sender S, typename Argument>
  [[nodiscard]] auto operator()(S &&s, Argument argument) const {
    return Returned<std::remove_cvref_t<S>, Argument>(std::forward<S>(s),
                                                      std::move(argument));
  }
  template <typename Argument>
  [[nodiscard]] auto operator()(Argument argument) const {
    return Piped<Adaptor, Argument>{std::move(argument)};
  }
};

template <typename S, typename F> class ThenSender;
template <typename S, typename F> class LetSender;
template <typename S, typename F> class UponErrorSender;
template <typename S, typename Place> class OnSender;

} // namespace detail

/// Calls a function with the values; its result is the value.
struct then_t : detail::AdaptorObject<then_t, detail::ThenSender> {};
/// Calls a function with the values; the sender that it returns goes on.
struct let_value_t : detail::AdaptorObject<let_value_t, detail::LetSender> {};
/// Calls a function with an error as std::exception_ptr; its result is the
/// value in place of those of the sender, a tuple where these are not one.
struct upon_error_t
    : detail::AdaptorObject<upon_error_t, detail::UponErrorSender> {};
/// Queues what has no stream yet on this one.
struct on_t : detail::AdaptorObject<on_t, detail::OnSender> {};

inline constexpr then_t then{};
inline constexpr let_value_t let{}, let_value{};
inline constexpr upon_error_t uponError{}, upon_error{};
inline constexpr on_t on{};

/// The adaptors as members.
template <typename Self> class GIRIH_CONSUMABLE SenderMethods {
public:
  using sender_concept = sender_t;

  template <typename F> [[nodiscard]] GIRIH_CONSUMES auto then(F function) && {
    return girih::then(self(), std::move(function));
  }
  template <typename F> [[nodiscard]] GIRIH_CONSUMES auto let(F function) && {
    return girih::let(self(), std::move(function));
  }
  template <typename F>
  [[nodiscard]] GIRIH_CONSUMES auto uponError(F function) && {
    return girih::uponError(self(), std::move(function));
  }
  template <typename Place>
  [[nodiscard]] GIRIH_CONSUMES auto on(Place place) && {
    return girih::on(self(), std::move(place));
  }
  /// Starts it, waits in this thread, and gives what it gives. An error is
  /// thrown, and RuntimeError where it was stopped.
  GIRIH_CONSUMES auto sync() &&;

private:
  Self &&self() { return std::move(static_cast<Self &>(*this)); }
};

namespace detail {

//===-- Receivers ---------------------------------------------------------===//

/// What most receivers between two senders do: pass on.
template <typename R> struct PassingReceiver {
  using receiver_concept = receiver_t;
  R next;

  template <typename Error> void set_error(Error &&error) && noexcept {
    girih::set_error(std::move(next), asException(std::forward<Error>(error)));
  }
  void set_stopped() && noexcept { girih::set_stopped(std::move(next)); }
  /// What is behind has to have run.
  auto get_env() const noexcept {
    return with<get_completion_t>(Completion::Done, girih::get_env(next));
  }
};

/// Sends what a function gives, or what it throws.
template <typename R, typename F, typename... Arguments>
void sendResult(R &&next, F &&function, Arguments &&...arguments) noexcept {
  using Returned = std::invoke_result_t<F, Arguments...>;
  std::optional<typename AsValues<Returned>::type> result;
  try {
    if constexpr (std::is_void_v<Returned>) {
      std::invoke(std::forward<F>(function),
                  std::forward<Arguments>(arguments)...);
      result.emplace();
    } else {
      result.emplace(std::invoke(std::forward<F>(function),
                                 std::forward<Arguments>(arguments)...));
    }
  } catch (...) {
    set_error(std::forward<R>(next), std::current_exception());
    return;
  }
  setValues(std::forward<R>(next), std::move(*result));
}

/// What a function gives of values, as values.
template <typename F, typename Values>
auto asValues(F &&function, Values &&values) {
  using Returned =
      decltype(std::apply(std::forward<F>(function), std::move(values)));
  if constexpr (std::is_void_v<Returned>) {
    std::apply(std::forward<F>(function), std::move(values));
    return std::tuple<>();
  } else {
    return typename AsValues<Returned>::type(
        std::apply(std::forward<F>(function), std::move(values)));
  }
}

template <typename F, typename Values> struct ResultOf;
template <typename F, typename... Values>
struct ResultOf<F, std::tuple<Values...>> {
  using type = std::invoke_result_t<F, Values...>;
};
template <typename F, typename Values>
using result_of_t = typename ResultOf<F, Values>::type;

//===-- then, uponError ---------------------------------------------------===//

template <typename R, typename F> struct ThenReceiver : PassingReceiver<R> {
  F function;

  ThenReceiver(R next, F function)
      : PassingReceiver<R>{std::move(next)}, function(std::move(function)) {}
  template <typename... Values> void set_value(Values &&...values) && noexcept {
    sendResult(std::move(this->next), std::move(function),
               std::forward<Values>(values)...);
  }
};

template <typename S, typename F>
class ThenSender : public SenderMethods<ThenSender<S, F>> {
public:
  using completion_signatures =
      signatures_of_t<typename AsValues<result_of_t<F, values_of_t<S>>>::type>;

  ThenSender(S before, F function)
      : before(std::move(before)), function(std::move(function)) {}
  template <receiver R> auto connect(R next) && {
    return girih::connect(
        std::move(before),
        ThenReceiver<R, F>(std::move(next), std::move(function)));
  }

  /// Calls the function now, with what the graph will use.
  template <typename Recorder> auto recordOn(Recorder &recorder) && {
    return asValues(std::move(function), std::move(before).recordOn(recorder));
  }

private:
  S before;
  F function;
};

template <typename R, typename F>
struct UponErrorReceiver : PassingReceiver<R> {
  F function;

  UponErrorReceiver(R next, F function)
      : PassingReceiver<R>{std::move(next)}, function(std::move(function)) {}
  template <typename... Values> void set_value(Values &&...values) && noexcept {
    girih::set_value(std::move(this->next), std::forward<Values>(values)...);
  }
  template <typename Error> void set_error(Error &&error) && noexcept {
    sendResult(std::move(this->next), std::move(function),
               asException(std::forward<Error>(error)));
  }
};

template <typename S, typename F>
class UponErrorSender : public SenderMethods<UponErrorSender<S, F>> {
public:
  using completion_signatures = signatures_of_t<values_of_t<S>>;
  static_assert(
      std::same_as<
          typename AsValues<std::invoke_result_t<F, std::exception_ptr>>::type,
          values_of_t<S>>,
      "what uponError gives has the types of what its sender gives");

  UponErrorSender(S before, F function)
      : before(std::move(before)), function(std::move(function)) {}
  template <receiver R> auto connect(R next) && {
    return girih::connect(
        std::move(before),
        UponErrorReceiver<R, F>(std::move(next), std::move(function)));
  }

private:
  S before;
  F function;
};

//===-- on ----------------------------------------------------------------===//

template <typename R, typename Place> struct OnReceiver {
  using receiver_concept = receiver_t;
  R next;
  const Place *place;

  template <typename... Values> void set_value(Values &&...values) && noexcept {
    girih::set_value(std::move(next), std::forward<Values>(values)...);
  }
  template <typename Error> void set_error(Error &&error) && noexcept {
    girih::set_error(std::move(next), asException(std::forward<Error>(error)));
  }
  void set_stopped() && noexcept { girih::set_stopped(std::move(next)); }
  auto get_env() const noexcept {
    return with<get_stream_t>(static_cast<const Stream *>(place),
                              girih::get_env(next));
  }
};

template <typename S, typename Place, typename R> class OnOperation {
public:
  OnOperation(S &&before, Place place, R next)
      : place(std::move(place)),
        inner(girih::connect(
            std::move(before),
            OnReceiver<R, Place>{std::move(next), &this->place})) {}
  OnOperation(const OnOperation &) = delete;
  void start() noexcept { girih::start(inner); }

private:
  Place place; ///< lives as long as what it is lent to
  connect_result_t<S, OnReceiver<R, Place>> inner;
};

template <typename S, typename Place>
class OnSender : public SenderMethods<OnSender<S, Place>> {
public:
  using completion_signatures =
      typename std::remove_cvref_t<S>::completion_signatures;

  OnSender(S before, Place place)
      : before(std::move(before)), place(std::move(place)) {}
  template <receiver R> auto connect(R next) && {
    return OnOperation<S, Place, R>(std::move(before), std::move(place),
                                    std::move(next));
  }

  /// A graph has no streams.
  template <typename Recorder> auto recordOn(Recorder &recorder) && {
    return std::move(before).recordOn(recorder);
  }

private:
  S before;
  Place place;
};

//===-- let ---------------------------------------------------------------===//

template <typename S, typename F, typename R> class LetOperation {
  struct First {
    using receiver_concept = receiver_t;
    LetOperation *self;

    template <typename... Values>
    void set_value(Values &&...values) && noexcept {
      self->goOn(std::forward<Values>(values)...);
    }
    template <typename Error> void set_error(Error &&error) && noexcept {
      girih::set_error(std::move(self->next),
                       asException(std::forward<Error>(error)));
    }
    void set_stopped() && noexcept {
      girih::set_stopped(std::move(self->next));
    }
    auto get_env() const noexcept {
      return with<get_completion_t>(Completion::Queued,
                                    girih::get_env(self->next));
    }
  };
  struct Second {
    using receiver_concept = receiver_t;
    LetOperation *self;

    template <typename... Values>
    void set_value(Values &&...values) && noexcept {
      girih::set_value(std::move(self->next), std::forward<Values>(values)...);
    }
    template <typename Error> void set_error(Error &&error) && noexcept {
      girih::set_error(std::move(self->next),
                       asException(std::forward<Error>(error)));
    }
    void set_stopped() && noexcept {
      girih::set_stopped(std::move(self->next));
    }
    auto get_env() const noexcept { return girih::get_env(self->next); }
  };
  using After = result_of_t<F, values_of_t<S>>;

public:
  LetOperation(S &&before, F function, R next)
      : function(std::move(function)), next(std::move(next)),
        first(girih::connect(std::move(before), First{this})) {}
  LetOperation(const LetOperation &) = delete;
  void start() noexcept { girih::start(first); }

private:
  template <typename... Values> void goOn(Values &&...values) noexcept {
    try {
      second.emplace(Elide([&] {
        return girih::connect(std::move(function)(std::move(values)...),
                              Second{this});
      }));
    } catch (...) {
      girih::set_error(std::move(next), std::current_exception());
      return;
    }
    girih::start(*second);
  }

  F function;
  R next;
  connect_result_t<S, First> first;
  std::optional<connect_result_t<After, Second>> second;
};

template <typename S, typename F>
class LetSender : public SenderMethods<LetSender<S, F>> {
public:
  using completion_signatures =
      signatures_of_t<values_of_t<result_of_t<F, values_of_t<S>>>>;

  LetSender(S before, F function)
      : before(std::move(before)), function(std::move(function)) {}
  template <receiver R> auto connect(R next) && {
    return LetOperation<S, F, R>(std::move(before), std::move(function),
                                 std::move(next));
  }

  /// Calls the function now, and records what it returns.
  template <typename Recorder> auto recordOn(Recorder &recorder) && {
    return std::apply(std::move(function), std::move(before).recordOn(recorder))
        .recordOn(recorder);
  }

private:
  S before;
  F function;
};

} // namespace detail

//===-- just --------------------------------------------------------------===//

namespace detail {
template <typename R, typename... Values> struct JustOperation {
  std::tuple<Values...> values;
  R next;

  void start() noexcept { setValues(std::move(next), std::move(values)); }
};
} // namespace detail

/// Succeeds at once.
template <typename... Values>
class JustSender : public SenderMethods<JustSender<Values...>> {
public:
  using completion_signatures = signatures_of_t<std::tuple<Values...>>;

  explicit JustSender(Values... values) : values(std::move(values)...) {}
  template <receiver R> auto connect(R next) && {
    return detail::JustOperation<R, Values...>{std::move(values),
                                               std::move(next)};
  }

  template <typename Recorder> std::tuple<Values...> recordOn(Recorder &) && {
    return std::move(values);
  }

private:
  std::tuple<Values...> values;
};

template <typename... Values>
[[nodiscard]] JustSender<Values...> just(Values... values) {
  return JustSender<Values...>(std::move(values)...);
}

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_ADAPTORS_H
