// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many launches of all kinds over threads, and runs in which calls of the
// driver fail at random: every launch completes once, an error shows once,
// nothing leaks. The simulated driver notes races and uses after a free. Meant
// for the presets asan and tsan, too; the preset long has 1,000,000 launches
// and 100,000 failing runs, and GIRIH_LAUNCHES and GIRIH_RUNS have any number,
// GIRIH_SIM_SEED other failures.

#include "tests/unit/Long.h"
#include "tests/unit/execution/Embedded.h"

#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <unistd.h>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;

namespace {

constexpr int threadCount = 8;

/// How many there are to be: said, of the preset long, or a few.
long howMany(const char *name, long ofLong, long few) {
  if (const char *said = std::getenv(name)) {
    return std::atol(said);
  }
  return girih::test::isLong ? ofLong : few;
}

/// A pipeline of two launches that gives x + y and twice that.
auto doubled(const Kernel &add, const Shared<float> &x, const Shared<float> &y,
             Tensor<float> z) {
  return add.launch({}, x, y, std::move(z))
      .let([add](auto, auto, auto sum) {
        auto share = std::move(sum).share();
        return add.launch({}, share, share, Tensor<float>::empty({4}));
      })
      .then([](auto a, auto, auto w) {
        return std::tuple(std::move(a), std::move(w));
      });
}

/// One thread's launches. What they compute is known: x + y, and multiples.
class Worker {
public:
  using Doubled = Graph<Shared<float>, Tensor<float>>;

  Worker(unsigned seed, const Kernel &add, const Kernel &axpy,
         const Shared<float> &x, const Shared<float> &y, Doubled &all)
      : random(seed), add(add), axpy(axpy), x(x), y(y), all(all) {
    for (int k = 0; k < 3; ++k) {
      streams.push_back(Stream::create());
    }
  }

  /// Launches of one kind; how many they were.
  int step() {
    switch (below(8)) {
    case 0: {
      auto [a, b, z] = add.launch({}, x, y, empty()).sync();
      compare(z, 1);
      return 1;
    }
    case 1: { // a chain over streams, which nobody waits for in between
      auto [a, b, z] = add.launch({}, x, y, empty()).queue(any());
      auto [c, w] = axpy.launch({{"alpha", 1.0}}, x, std::move(z)).queue(any());
      auto [d, v] = axpy.launch({{"alpha", 1.0}}, y, std::move(w)).queue(any());
      if (below(4) == 0) {
        compare(v, 2);
      }
      return 3;
    }
    case 2: // dropped before it started, and after
    {
      auto never = add.launch({}, x, y, empty());
      auto started = add.launch({}, x, y, empty());
      auto gone = std::move(started).queue(any());
      EXPECT_THROW(std::move(started).queue(), RuntimeError);
      return 1;
    }
    case 3:
      compare(chain(*this).sync(), 2);
      return 2;
    case 4: {
      auto all = whenAll(add.launch({}, x, y, empty()).on(any()),
                         add.launch({}, x, y, empty()).on(any()))
                     .sync();
      compare(std::get<2>(all), 1);
      compare(std::get<5>(all), 1);
      return 2;
    }
    case 5: { // a graph of its own, replayed on any streams and let go of
      Graph g = record(doubled(add, x, y, empty()));
      int replays = 1 + static_cast<int>(below(3));
      for (int k = 0; k < replays; ++k) {
        g.launch(any());
      }
      if (below(2)) {
        auto old = g.exchange<1>(empty());
        g.launch(any());
        compare(old, 2);
        ++replays;
      }
      if (below(2)) {
        auto [a, z] = std::move(g).dissolve();
        compare(z, 2);
      }
      return 2 * replays;
    }
    case 6: { // the graph of all threads
      if (below(2)) {
        all.launch(any());
      } else {
        all.sync();
      }
      return 2;
    }
    default: { // let go of at any time
      std::atomic<int> completions = 0;
      {
        auto operation = connect(
            add.launch({}, x, y, empty()).let([this](auto a, auto, auto z) {
              return axpy.launch({{"alpha", 1.0}}, std::move(a), std::move(z));
            }),
            Counting{&completions});
        start(operation);
        for (unsigned spins = below(3); spins-- > 0;) {
          std::this_thread::yield();
        }
      }
      EXPECT_LE(completions, 1);
      return 2;
    }
    }
  }

private:
  static Task<Tensor<float>> chain(Worker &self) {
    auto [a, b, z] = co_await self.add.launch({}, self.x, self.y, self.empty());
    auto [c, d, w] = co_await self.add.launch(
        {}, z.clone().share(), std::move(z).share(), self.empty());
    co_return std::move(w);
  }

  unsigned below(unsigned n) { return random() % n; }
  Stream any() { return streams[below(3)]; }
  Tensor<float> empty() { return Tensor<float>::empty({4}, any()); }
  static void compare(const Tensor<float> &z, float times) {
    EXPECT_EQ(z.toHost(),
              (Floats{11 * times, 22 * times, 33 * times, 44 * times}));
  }

  std::mt19937 random;
  Kernel add, axpy;
  Shared<float> x, y;
  Doubled &all;
  std::vector<Stream> streams;
};

struct Stress : testing::Test {
  Kernel add = simulatedKernel("add"), axpy = simulatedKernel("axpy");
  std::optional<Shared<float>> x = tensorOf({1, 2, 3, 4}).share();
  std::optional<Shared<float>> y = tensorOf({10, 20, 30, 40}).share();

  int known = simulated().simErrors();

  void TearDown() override {
    x.reset();
    y.reset();
    Device::get().synchronize();
    EXPECT_EQ(simulated().errors(known), std::vector<std::string>());
  }
};

TEST_F(Stress, MixedLaunches) {
  long launches = howMany("GIRIH_LAUNCHES", 1'000'000, 4'000);
  std::vector<std::jthread> threads;
  std::optional<Worker::Doubled> all =
      record(doubled(add, *x, *y, Tensor<float>::empty({4})));
  for (unsigned t = 0; t < threadCount; ++t) {
    threads.emplace_back([&, t] {
      Worker worker(t, add, axpy, *x, *y, *all);
      for (long done = 0; done < launches / threadCount && !HasFailure();) {
        done += worker.step();
      }
    });
  }
  threads.clear();
  EXPECT_EQ(all->get<1>().toHost(), (Floats{22, 44, 66, 88}));
  all.reset();
  x.reset();
  y.reset();
  Device::get().synchronize();
  EXPECT_EQ(Device::get().memory().live, 0u);
  EXPECT_EQ(Device::get().memory().failedFrees, 0u);
}

//===-- Failures ----------------------------------------------------------===//

/// One pipeline; what came of it. It gives 2 (x + y), or throws.
Floats run(unsigned kind, const Kernel &add, const Kernel &axpy,
           const Shared<float> &x, const Shared<float> &y) {
  auto empty = [] { return Tensor<float>::empty({4}); };
  auto once = [&](auto a, auto b, auto z) {
    auto [c, w] = axpy.launch({{"alpha", 1.0}}, std::move(a), std::move(z))
                      .queue(Stream::create());
    return axpy.launch({{"alpha", 1.0}}, std::move(b), std::move(w));
  };
  switch (kind % 5) {
  case 0: {
    auto [a, b, z] = add.launch({}, x, y, empty()).sync();
    return std::get<1>(once(x, y, std::move(z)).sync()).toHost();
  }
  case 1:
    return std::get<1>(add.launch({}, x, y, empty()).let(once).sync()).toHost();
  case 2: {
    auto all = whenAll(add.launch({}, x, y, empty()),
                       add.launch({}, x, y, empty()).on(Stream::create()))
                   .sync();
    auto [c, w] =
        axpy.launch({{"alpha", 1.0}}, std::get<2>(all).clone().share(),
                    std::move(std::get<5>(all)))
            .sync();
    return w.toHost();
  }
  case 3: { // a graph: recorded, replayed, with another result
    Graph g = record(doubled(add, x, y, empty()));
    g.launch();
    g.launch(Stream::create());
    if (kind % 2) {
      auto old = g.exchange<1>(empty());
      g.sync();
    }
    auto [a, z] = std::move(g).dissolve();
    return z.toHost();
  }
  default: {
    auto [a, b, z] = add.launch({}, x, y, empty()).queue();
    auto pieces = std::move(z).partition({2});
    {
      auto low = pieces[0], high = pieces[1];
      low.assign(Floats{22, 44});
      high.assign(Floats{66, 88});
    }
    return std::move(pieces).join().toHost();
  }
  }
}

constexpr const char *calls[] = {"cuEventRecord",
                                 "cuEventSynchronize",
                                 "cuEventQuery",
                                 "cuStreamWaitEvent",
                                 "cuStreamCreate",
                                 "cuStreamSynchronize",
                                 "cuMemAllocAsync",
                                 "cuMemFreeAsync",
                                 "cuMemcpyHtoDAsync",
                                 "cuMemcpyDtoHAsync",
                                 "cuLaunchKernel",
                                 "cuEventCreate",
                                 "cuGraphLaunch",
                                 "cuGraphInstantiate",
                                 "cuGraphAddKernelNode",
                                 "cuGraphCreate",
                                 "cuGraphExecKernelNodeSetParams"};

TEST_F(Stress, FailingRuns) {
  const Simulated &driver = simulated();
  long runs = howMany("GIRIH_RUNS", 100'000, 1'000);
  std::mt19937 random(static_cast<unsigned>(driver.simSeed()));
  long failed = 0;
  uint64_t before = Device::get().memory().live;
  for (long number = 0; number < runs && !HasFailure(); ++number) {
    unsigned kind = random();
    int failedCalls = driver.simFailedCalls();
    // One call, any, or some of those that seldom fail together.
    switch (random() % 3) {
    case 0:
      driver.simFailCall("*", 1 + static_cast<int>(random() % 40), 1);
      break;
    case 1:
      driver.simFailRandomly(0.02, 1);
      break;
    default:
      for (int k = 0; k < 3; ++k) {
        driver.simFailCall(calls[random() % std::size(calls)],
                           1 + static_cast<int>(random() % 3), 1);
      }
    }
    uint64_t lost = Device::get().memory().failedFrees;
    try {
      EXPECT_EQ(run(kind, add, axpy, *x, *y), (Floats{22, 44, 66, 88}));
    } catch (const RuntimeError &error) {
      ++failed;
      EXPECT_EQ(error.code(), 1) << error.what();
      EXPECT_GT(driver.simFailedCalls(), failedCalls) << error.what();
    }
    driver.simFailRandomly(0, 0);
    driver.simStopFailing();
    // What failed has shown, and does not show again.
    EXPECT_EQ(run(kind, add, axpy, *x, *y), (Floats{22, 44, 66, 88}))
        << "run " << number;
    lost = Device::get().memory().failedFrees - lost;
    uint64_t live = Device::get().memory().live;
    EXPECT_EQ(live, before + 16 * lost) << "run " << number;
    before = live;
    // The simulated driver tells streams apart for as long as the host has not
    // waited behind them.
    if (number % 100 == 99) {
      Device::get().synchronize();
    }
  }
  EXPECT_GT(failed, runs / 20);
  std::printf("%ld of %ld runs failed\n", failed, runs);
}

/// A kernel that fails on the device: the error stays with the context, so each
/// run is a process of its own. What comes of it is the exit code.
int runWithFailingWork(unsigned seed) {
  const Simulated &driver = simulated();
  std::mt19937 random(seed);
  Kernel add = simulatedKernel("add"), axpy = simulatedKernel("axpy");
  auto x = tensorOf({1, 2, 3, 4}).share(), y = tensorOf({1, 2, 3, 4}).share();
  driver.simFailWork(1 + static_cast<int>(random() % 4), 700);
  std::atomic<int> errors = 0, others = 0;
  std::string text;
  for (int k = 0; k < 3 && !errors; ++k) {
    try {
      auto z = run(random(), add, axpy, x, y);
      ++others;
    } catch (const RuntimeError &error) {
      ++errors;
      text = error.what();
    }
  }
  // Once, and not silent; then everything fails, and nothing hangs.
  if (errors != 1 || text.find("ILLEGAL_ADDRESS") == std::string::npos) {
    std::fprintf(stderr, "%d errors: %s\n", errors.load(), text.c_str());
    return 1;
  }
  std::atomic<int> completions = 0;
  for (int k = 0; k < 5; ++k) {
    try {
      auto operation = connect(add.launch({}, x, y, Tensor<float>::empty({4})),
                               Counting{&completions});
      start(operation);
    } catch (const RuntimeError &) {
      ++completions;
    }
  }
  return completions == 5 ? 0 : 2;
}

TEST(StressDeathTest, FailingWork) {
  // Started anew: no thread of a driver is forked.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  long runs = std::min(howMany("GIRIH_RUNS", 2'000, 30), 2'000L);
  for (long number = 0; number < runs && !HasFailure(); ++number) {
    EXPECT_EXIT(
        {
          alarm(60); // a hang is a failure
          _exit(runWithFailingWork(static_cast<unsigned>(number)));
        },
        testing::ExitedWithCode(0), "")
        << "run " << number;
  }
}

} // namespace
