// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Senders without a device: the adaptors by themselves, and together with a
// sender and a receiver of somebody else.

#include "runtime/execution/Task.h"
#include "runtime/execution/WhenAll.h"
#include "tests/unit/execution/Concepts.h"

#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

using namespace girih;
using namespace girih::tests;

namespace {

//===-- Somebody else's ---------------------------------------------------===//

/// Completes in a thread of its own, after a while or when it is to stop.
struct ThreadSender {
  using sender_concept = sender_t;
  using completion_signatures =
      girih::completion_signatures<set_value_t(std::unique_ptr<int>),
                                   set_error_t(std::string), set_stopped_t()>;
  int number;
  int milliseconds = 1;
  bool fails = false;

  template <typename R> auto connect(R next) const;
};

template <typename R> struct ThreadOperation {
  ThreadSender what;
  R next;
  std::jthread thread;

  ThreadOperation(ThreadSender what, R next)
      : what(what), next(std::move(next)) {}
  ThreadOperation(const ThreadOperation &) = delete;
  ~ThreadOperation() {
    if (thread.joinable() && thread.get_id() == std::this_thread::get_id()) {
      thread.detach();
    }
  }
  void start() noexcept {
    thread = std::jthread([this] {
      auto token = get_stop_token(get_env(next));
      for (int k = 0; k < what.milliseconds; ++k) {
        if (token.stop_requested()) {
          set_stopped(std::move(next));
          return;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      if (what.fails) {
        set_error(std::move(next), std::string("no thread"));
      } else {
        set_value(std::move(next), std::make_unique<int>(what.number));
      }
    });
  }
};
template <typename R> auto ThreadSender::connect(R next) const {
  return ThreadOperation<R>(*this, std::move(next));
}

/// Notes how something completed.
struct Notes {
  int value = 0;
  bool stopped = false;
  std::exception_ptr error;
};
struct NotingReceiver {
  using receiver_concept = receiver_t;
  Notes *notes;

  void set_value(int value) && noexcept { notes->value = value; }
  void set_error(std::exception_ptr error) && noexcept {
    notes->error = std::move(error);
  }
  void set_stopped() && noexcept { notes->stopped = true; }
};

int plus(std::unique_ptr<int> a, int b) { return *a + b; }

using Piped =
    decltype(ThreadSender{1} | then([](std::unique_ptr<int> n) { return *n; }));

//===-- Concepts ----------------------------------------------------------===//

static_assert(p2300::sender<ThreadSender>);
static_assert(
    p2300::receiver_of<
        NotingReceiver,
        completion_signatures<set_value_t(int), set_error_t(std::exception_ptr),
                              set_stopped_t()>>);
static_assert(!p2300::receiver_of<NotingReceiver,
                                  completion_signatures<set_value_t(Notes)>>);
static_assert(p2300::sender<JustSender<int>>);
static_assert(p2300::sender<Task<int>>);
static_assert(p2300::sender<Piped>);
static_assert(p2300::sender<decltype(whenAll(just(1), ThreadSender{2}))>);
static_assert(p2300::sender_to<JustSender<int>, NotingReceiver>);
static_assert(p2300::sender_to<Task<int>, NotingReceiver>);
static_assert(p2300::sender_to<Piped, NotingReceiver>);
static_assert(p2300::receiver<detail::SyncReceiver<std::tuple<int>>>);
static_assert(p2300::answers<detail::SyncEnvironment, get_stop_token_t>);
static_assert(p2300::answers<empty_env, get_stop_token_t>);
static_assert(p2300::stoppable_token<decltype(get_stop_token(empty_env{}))>);
static_assert(!p2300::sender<int>);
// A task has one receiver: it is no sender that can be connected twice.
static_assert(!p2300::sender_to<Task<int> &, NotingReceiver>);

//===-- Values, errors, stops ---------------------------------------------===//

TEST(Senders, ValuesGoThrough) {
  EXPECT_EQ(std::move(just(3) | then([](int a) { return a + 1; })).sync(), 4);
  EXPECT_EQ(just(2)
                .let([](int a) { return just(a * a); })
                .then([](int b) { return b + 1; })
                .sync(),
            5);
  EXPECT_EQ(just(std::make_unique<int>(4), 3).then(plus).sync(), 7);
  just().then([] {}).sync();
  auto [a, b, c] = whenAll(just(1), just(2, std::string("three"))).sync();
  EXPECT_EQ(a + b, 3);
  EXPECT_EQ(c, "three");
  std::optional<std::tuple<int>> waited = sync_wait(just(1));
  EXPECT_EQ(std::get<0>(*waited), 1);
}

TEST(Senders, ThrownInThenIsTheError) {
  auto failing = [] {
    return just(1).then(
        [](int) -> int { throw std::runtime_error("in then"); });
  };
  EXPECT_THROW(failing().sync(), std::runtime_error);
  EXPECT_THROW(failing().then([](int) { ADD_FAILURE(); }).sync(),
               std::runtime_error);
  EXPECT_THROW(just(1)
                   .let([](int) -> JustSender<int> {
                     throw std::runtime_error("in let");
                   })
                   .sync(),
               std::runtime_error);
  EXPECT_EQ(failing()
                .uponError([](std::exception_ptr error) {
                  EXPECT_THROW(std::rethrow_exception(error),
                               std::runtime_error);
                  return 8;
                })
                .sync(),
            8);
  EXPECT_THROW(whenAll(failing(), just(2)).sync(), std::runtime_error);
}

TEST(Senders, ForeignSender) {
  EXPECT_EQ(std::move(ThreadSender{5} |
                      then([](std::unique_ptr<int> n) { return *n; }))
                .sync(),
            5);
  auto [a, b] = whenAll(ThreadSender{1, 5}, ThreadSender{2}).sync();
  EXPECT_EQ(*a + *b, 3);
  int chained = std::move(ThreadSender{3} | let([](std::unique_ptr<int> n) {
                            return ThreadSender{*n + 1};
                          }) |
                          then([](std::unique_ptr<int> n) { return *n; }))
                    .sync();
  EXPECT_EQ(chained, 4);
  EXPECT_THROW(syncWait(ThreadSender{1, 1, true}), std::string);
  // The first error stops the others, long before they would end.
  auto began = std::chrono::steady_clock::now();
  EXPECT_THROW(
      syncWait(whenAll(ThreadSender{1, 20000}, ThreadSender{1, 1, true})),
      std::string);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
}

TEST(Senders, ForeignReceiver) {
  Notes notes;
  auto value = connect(just(6), NotingReceiver{&notes});
  start(value);
  EXPECT_EQ(notes.value, 6);
  auto error = connect(just(6).then([](int) -> int { throw 1; }),
                       NotingReceiver{&notes});
  start(error);
  EXPECT_TRUE(notes.error);
}

TEST(Senders, Stopped) {
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    source.request_stop();
  });
  EXPECT_FALSE(syncWait(ThreadSender{1, 20000}, source.get_token()));
  EXPECT_FALSE(
      syncWait(whenAll(ThreadSender{1, 20000}, just(1)), source.get_token()));
}

//===-- Tasks -------------------------------------------------------------===//

Task<int> incremented(int number) {
  int next = co_await just(number + 1);
  co_return next;
}

Task<std::unique_ptr<int>> manyTimes(int times) {
  int sum = 0;
  for (int k = 0; k < times; ++k) {
    sum = co_await incremented(sum);
  }
  auto [a, b] = co_await whenAll(just(1), ThreadSender{2});
  co_return std::make_unique<int>(sum + a + *b);
}

Task<> failing() {
  co_await just();
  throw std::runtime_error("in a task");
}

Task<int> recovering() {
  try {
    co_await failing();
  } catch (const std::runtime_error &) {
    co_return 1;
  }
  co_return 0;
}

Task<bool> awaitsLong(bool &reached) {
  co_await ThreadSender{1, 20000};
  reached = true;
  co_return true;
}

TEST(Tasks, AwaitSendersAndTasks) {
  EXPECT_EQ(*manyTimes(10000).sync(), 10003);
  auto [a, b] = whenAll(incremented(1), incremented(2)).sync();
  EXPECT_EQ(a + b, 5);
}

TEST(Tasks, Throw) {
  EXPECT_THROW(failing().sync(), std::runtime_error);
  EXPECT_EQ(recovering().sync(), 1);
}

TEST(Tasks, DroppedAndStopped) {
  {
    Task<int> never = incremented(1);
  }
  bool reached = false;
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    source.request_stop();
  });
  EXPECT_FALSE(syncWait(awaitsLong(reached), source.get_token()));
  EXPECT_FALSE(reached);
}

} // namespace
