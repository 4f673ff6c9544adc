// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// `whenAll`: several senders at once, whose values come one behind the other.
/// The first that fails or stops tells the others to stop; the whole completes
/// when all have, with the first error.

#ifndef GIRIH_RUNTIME_EXECUTION_WHENALL_H
#define GIRIH_RUNTIME_EXECUTION_WHENALL_H

#include "runtime/execution/Adaptors.h"

namespace girih {
namespace detail {

template <typename R, typename... Senders> class WhenAllOperation {
  std::tuple<std::optional<values_of_t<Senders>>...> values;

  /// Forwards the wish to stop of who waits for all.
  struct Stop {
    WhenAllOperation *self;
    void operator()() const noexcept { self->source.request_stop(); }
  };
  template <size_t number> struct Each {
    using receiver_concept = receiver_t;
    WhenAllOperation *self;

    template <typename... Values>
    void set_value(Values &&...values) && noexcept {
      std::get<number>(self->values).emplace(std::forward<Values>(values)...);
      self->arrive();
    }
    template <typename Error> void set_error(Error &&error) && noexcept {
      self->fail(asException(std::forward<Error>(error)));
    }
    void set_stopped() && noexcept { self->fail(nullptr); }
    auto get_env() const noexcept {
      return with<get_stop_token_t>(self->source.get_token(),
                                    girih::get_env(self->next));
    }
  };
  template <typename Indices> struct OperationsOf;
  template <size_t... numbers>
  struct OperationsOf<std::index_sequence<numbers...>> {
    using type = std::tuple<connect_result_t<Senders, Each<numbers>>...>;
  };
  using Indices = std::index_sequence_for<Senders...>;
  using Operations = typename OperationsOf<Indices>::type;
  using Token = std::remove_cvref_t<decltype(get_stop_token(
      girih::get_env(std::declval<const R &>())))>;
  static constexpr bool stops = std::convertible_to<Token, std::stop_token>;

public:
  WhenAllOperation(std::tuple<Senders...> &&senders, R next)
      : WhenAllOperation(std::move(senders), std::move(next), Indices{}) {}
  WhenAllOperation(const WhenAllOperation &) = delete;

  void start() noexcept {
    if constexpr (stops) {
      outer.emplace(get_stop_token(girih::get_env(next)), Stop{this});
    }
    std::apply([](auto &...each) { (girih::start(each), ...); }, operations);
    arrive(); // so that none of them completes the whole before all started
  }

private:
  template <size_t... numbers>
  WhenAllOperation(std::tuple<Senders...> &&senders, R next,
                   std::index_sequence<numbers...>)
      : next(std::move(next)), operations(Elide([&] {
          return girih::connect(std::get<numbers>(std::move(senders)),
                                Each<numbers>{this});
        })...) {}

  void fail(std::exception_ptr why) noexcept {
    // An error is more than a stop, which may be what it has led to.
    if (why && !erred.exchange(true)) {
      error = std::move(why);
    }
    failed = true;
    source.request_stop();
    arrive();
  }

  void arrive() noexcept {
    if (left.fetch_sub(1) != 1) {
      return;
    }
    outer.reset();
    if (!failed) {
      setValues(
          std::move(next),
          std::apply(
              [](auto &...each) { return std::tuple_cat(std::move(*each)...); },
              values));
    } else if (error) {
      girih::set_error(std::move(next), std::move(error));
    } else {
      girih::set_stopped(std::move(next));
    }
  }

  R next;
  std::stop_source source;
  std::optional<std::stop_callback<Stop>> outer;
  std::atomic<size_t> left = sizeof...(Senders) + 1;
  std::atomic<bool> failed = false, erred = false;
  std::exception_ptr error;
  Operations operations;
};

template <typename... Senders>
class WhenAllSender : public SenderMethods<WhenAllSender<Senders...>> {
public:
  using completion_signatures = signatures_of_t<decltype(std::tuple_cat(
      std::declval<values_of_t<Senders>>()...))>;

  explicit WhenAllSender(Senders... senders) : senders(std::move(senders)...) {}
  template <receiver R> auto connect(R next) && {
    return WhenAllOperation<R, Senders...>(std::move(senders), std::move(next));
  }

  /// One after the other; what they share says what is behind what.
  template <typename Recorder> auto recordOn(Recorder &recorder) && {
    return std::apply(
        [&](auto &...each) {
          // Braces, unlike parentheses, are evaluated in order.
          std::tuple<values_of_t<Senders>...> all{
              std::move(each).recordOn(recorder)...};
          return std::apply(
              [](auto &...values) {
                return std::tuple_cat(std::move(values)...);
              },
              all);
        },
        senders);
  }

private:
  std::tuple<Senders...> senders;
};

} // namespace detail

struct when_all_t {
  template <sender... Senders>
  [[nodiscard]] auto operator()(Senders &&...senders) const {
    return detail::WhenAllSender<std::remove_cvref_t<Senders>...>(
        std::forward<Senders>(senders)...);
  }
};
inline constexpr when_all_t whenAll{}, when_all{};

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_WHENALL_H
