// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holes that launchers with ownership have had (cuTile Rust 0.3), one by one.
// Where a type can, the program does not compile (tests/unit/misuse); here is
// what is refused, or well defined, at run time. Kernels wait behind gates, so
// that work is in flight for certain.

#include "tests/unit/execution/Embedded.h"

#include <barrier>
#include <gtest/gtest.h>
#include <thread>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;

namespace {

Tensor<float> empty(const Place &place = {}) {
  return Tensor<float>::empty({4}, place);
}

struct Hole : testing::Test {
  static inline const Simulated &driver = simulated();
  Kernel gated = simulatedKernel("add", "gated"), add = simulatedKernel("add");
  Shared<float> x = tensorOf({1, 2, 3, 4}).share();
  Shared<float> y = tensorOf({10, 20, 30, 40}).share();

  int known = driver.simErrors();

  Hole() { driver.simCloseGates(); }
  void TearDown() override {
    driver.simStopFailing();
    driver.simOpenGates();
    Device::get().synchronize();
    EXPECT_EQ(driver.errors(known), std::vector<std::string>());
  }

  /// Nothing that was queued since has run.
  bool isInFlight(int before) const { return driver.simOutstanding() > before; }

  template <typename Run> static std::string refused(Run run) {
    try {
      run();
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 3) << error.what();
      return error.what();
    }
    return "nothing";
  }
};

//===-- A future that is dropped in flight --------------------------------===//

TEST_F(Hole, FutureDroppedInFlight) {
  std::atomic<int> completions = 0;
  uint64_t before = Device::get().memory().live;
  int queued = driver.simOutstanding();
  {
    auto operation =
        connect(gated.launch({}, x, y, empty()), Counting{&completions});
    start(operation);
    EXPECT_TRUE(isInFlight(queued));
  }
  // Nobody hears of it any more; the memory is free once the kernel has run.
  EXPECT_EQ(Device::get().memory().live, before);
  EXPECT_TRUE(isInFlight(queued));
  driver.simOpenGates();
  Device::get().synchronize();
  EXPECT_EQ(completions, 0);
}

TEST_F(Hole, InputsDroppedInFlight) {
  Stream stream = Stream::create();
  auto [a, b, z] =
      gated.launch({}, std::move(x), std::move(y), empty(stream)).queue(stream);
  {
    auto first = std::move(a);
    auto second = std::move(b);
  }
  // What takes memory meanwhile does not get theirs before the kernel has run.
  auto other = tensorOf({7, 7, 7, 7}, Stream::create());
  driver.simOpenGates();
  EXPECT_EQ(z.toHost(), (Floats{11, 22, 33, 44}));
  EXPECT_EQ(other.toHost()[0], 7);
}

Task<void> twoLaunches(Kernel gated, Kernel add, Shared<float> x,
                       std::atomic<bool> *reached) {
  auto [a, b, z] = co_await gated.launch({}, x, x, empty());
  *reached = true;
  auto all = co_await add.launch({}, x, a, std::move(z));
}

TEST_F(Hole, CoroutineDroppedInFlight) {
  std::atomic<int> completions = 0;
  std::atomic<bool> reached = false;
  int queued = driver.simOutstanding();
  {
    auto operation =
        connect(twoLaunches(gated, add, x, &reached), Counting{&completions});
    start(operation);
    EXPECT_TRUE(isInFlight(queued));
  }
  driver.simOpenGates();
  Device::get().synchronize();
  EXPECT_FALSE(reached);
  EXPECT_EQ(completions, 0);
}

TEST_F(Hole, StoppedInFlight) {
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    source.request_stop();
  });
  int queued = driver.simOutstanding();
  EXPECT_FALSE(syncWait(gated.launch({}, x, y, empty()), source.get_token())
                   .has_value());
  // It was let go of, and runs to its end.
  EXPECT_TRUE(isInFlight(queued));
}

TEST_F(Hole, CompletesWhenItHasRun) {
  std::atomic<int> completions = 0;
  auto operation =
      connect(gated.launch({}, x, y, empty()), Counting{&completions});
  start(operation);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(completions, 0);
  driver.simOpenGates();
  while (completions == 0) {
    std::this_thread::yield();
  }
  EXPECT_EQ(completions, 1);
}

TEST_F(Hole, HasRunBehindItsSync) {
  Device::get().synchronize();
  driver.simDelay(2000);
  auto all = add.launch({}, x, y, empty()).sync();
  EXPECT_EQ(driver.simOutstanding(), 0);
  driver.simDelay(100);
}

// The last handle of a kernel waits for what runs its code.
TEST_F(Hole, KernelDroppedInFlight) {
  int queued = driver.simOutstanding();
  std::optional<Kernel> own = simulatedKernel("add", "gated");
  auto launch = own->launch({}, x, y, empty());
  own.reset();
  std::jthread opener([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    driver.simOpenGates();
  });
  auto [a, b, z] = std::move(launch).queue();
  EXPECT_FALSE(isInFlight(queued));
  EXPECT_EQ(z.toHost()[3], 44);
}

TEST_F(Hole, KernelDroppedBehindItsLaunches) {
  Device::get().synchronize();
  driver.simDelay(2000);
  for (int number = 0; number < 5; ++number) {
    Kernel own = simulatedKernel("add");
    for (int k = 0; k < 3; ++k) {
      auto all = own.launch({}, x, y, empty()).queue(Stream::create());
    }
    own = add;
    EXPECT_EQ(driver.simOutstanding(), 0);
  }
  driver.simDelay(100);
}

//===-- Clones that run on two threads ------------------------------------===//

// What writes has no clone, so no two threads run it.
using Writes = LaunchOp<Shared<float>, Shared<float>, Tensor<float>>;
static_assert(!std::copy_constructible<Writes>);
static_assert(!std::copy_constructible<Tensor<float>>);
static_assert(!std::copy_constructible<Piece<float>>);
static_assert(std::copy_constructible<Shared<float>>);
static_assert(std::copy_constructible<Kernel>);

TEST_F(Hole, ClonesRunOnTwoThreads) {
  std::barrier both(2);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&, x = x, y = y, add = add] {
      for (int k = 0; k < 50; ++k) {
        both.arrive_and_wait();
        auto [a, b, z] = add.launch({}, x, y, empty()).sync();
        EXPECT_EQ(z.toHost(), (Floats{11, 22, 33, 44}));
      }
    });
  }
}

TEST_F(Hole, LaunchStartedTwice) {
  auto launch = add.launch({}, x, y, empty());
  auto all = std::move(launch).sync();
  EXPECT_EQ(refused([&] { auto more = std::move(launch).sync(); }),
            "the launch was started before, or moved");
  EXPECT_EQ(refused([&] { auto more = std::move(launch).queue(); }),
            "the launch was started before, or moved");
}

TEST_F(Hole, LaunchQueuedTwice) {
  auto other = add.launch({}, x, y, empty());
  auto queued = std::move(other).queue();
  EXPECT_EQ(refused([&] { auto more = std::move(other).queue(); }),
            "the launch was started before, or moved");
}

TEST_F(Hole, TaskStartedTwice) {
  auto task = [](Shared<float> x) -> Task<int64_t> { co_return x.count(); }(x);
  EXPECT_EQ(std::move(task).sync(), 4);
  EXPECT_EQ(refused([&] { std::move(task).sync(); }),
            "the task was started before, or moved");
}

TEST_F(Hole, MovedHandlesAreTheSame) {
  Stream stream = Stream::create();
  Stream moved = std::move(stream);
  EXPECT_TRUE(stream == moved);
  stream.synchronize();
  Event event = moved.record();
  Event other = std::move(event);
  event.synchronize();
  Kernel kernel = std::move(add);
  EXPECT_EQ(add.name(), kernel.name());
}

/// One tensor under two threads, which C++ does not forbid.
TEST_F(Hole, OneTensorLaunchedByTwoThreads) {
  auto z = empty();
  std::barrier both(2);
  std::atomic<int> refusals = 0;
  auto write = [&] {
    Stream stream = Stream::create();
    Access access = accessOf(z, AccessMode::Write);
    bool acquired = true;
    try {
      acquire({&access, 1}, stream);
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 3);
      acquired = false;
      ++refusals;
    }
    both.arrive_and_wait();
    if (acquired) {
      release({&access, 1}, stream);
    }
  };
  std::thread one(write), two(write);
  one.join();
  two.join();
  EXPECT_EQ(refusals, 1);
}

TEST_F(Hole, OneTensorReadAndWritten) {
  auto z = empty();
  Stream stream = Stream::create();
  Access accesses[] = {accessOf(z, AccessMode::Write),
                       accessOf(z, AccessMode::Read)};
  EXPECT_EQ(refused([&] { acquire(accesses, stream); }),
            "arguments 0 and 1 are one tensor, and argument 0 is written");
  std::span<Access> writer(accesses, 1), reader(accesses + 1, 1);
  acquire(reader, stream);
  EXPECT_EQ(refused([&] { acquire(writer, Stream::create()); }),
            "argument 0 is to be written, and another launch reads it");
  release(reader, stream);
  acquire(writer, stream);
  release(writer, stream);
}

TEST_F(Hole, SharedWithALaunchIsNotUnique) {
  auto launch = gated.launch({}, x, y, empty());
  EXPECT_FALSE(std::move(x).tryUnique().has_value());
  {
    auto never = std::move(launch);
  }
  auto unique = std::move(x).tryUnique();
  ASSERT_TRUE(unique.has_value());
  EXPECT_EQ(unique->toHost()[0], 1);
}

//===-- The lifetime of host copies ---------------------------------------===//

TEST_F(Hole, HostMemoryGoesRightAfterTheCopy) {
  driver.simDelay(2000);
  auto made = [] {
    Floats numbers{5, 6, 7, 8};
    auto made = tensorOf(numbers);
    std::fill(numbers.begin(), numbers.end(), -1.0f);
    return made;
  }();
  auto pieces = std::move(made).partition({2});
  {
    Floats numbers{50, 60};
    pieces[0].assign(numbers);
    numbers.assign(2, -1.0f);
  }
  EXPECT_EQ(std::move(pieces).join().toHost(), (Floats{50, 60, 7, 8}));
  driver.simDelay(100);
}

// A copy that fails at any call has not left work behind that reads or writes
// host memory which is gone.
TEST_F(Hole, HostMemoryOutlivesACopyThatFails) {
  driver.simDelay(2000);
  int failed = 0;
  for (int n = 1; n < 12; ++n) {
    auto t = tensorOf({1, 2, 3, 4});
    Device::get().synchronize();
    driver.simFailCall("*", n, 1);
    try {
      Floats numbers{5, 6, 7, 8};
      t.assign(numbers);
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 1);
      ++failed;
    }
    EXPECT_EQ(driver.simOutstanding(), 0) << "call " << n;
    driver.simStopFailing();
    driver.simFailCall("*", n, 1);
    try {
      Floats read = t.toHost();
    } catch (const RuntimeError &) {
      ++failed;
    }
    EXPECT_EQ(driver.simOutstanding(), 0) << "call " << n;
    driver.simStopFailing();
  }
  EXPECT_GE(failed, 6);
  driver.simDelay(100);
}

TEST_F(Hole, HostMemoryOutlivesACopyWhoseWaitsFail) {
  driver.simDelay(2000);
  for (int number = 0; number < 5; ++number) {
    auto t = tensorOf({1, 2, 3, 4});
    Device::get().synchronize();
    for (const char *call : {"cuEventSynchronize", "cuStreamSynchronize"}) {
      driver.simFailCall(call, 1, 1);
    }
    auto copy = [&] {
      Floats numbers{5, 6, 7, 8};
      if (number % 2) {
        t.assign(numbers);
      } else {
        numbers = t.toHost();
      }
    };
    EXPECT_THROW(copy(), RuntimeError);
    EXPECT_EQ(driver.simOutstanding(), 0);
    driver.simStopFailing();
  }
  driver.simDelay(100);
}

//===-- An exception in a drop --------------------------------------------===//

TEST_F(Hole, DropThatTheDriverRefuses) {
  MemoryUse before = Device::get().memory();
  driver.simFailCall("cuMemFreeAsync", 1, 1);
  {
    auto z = empty();
  }
  MemoryUse after = Device::get().memory();
  // Lost, which the accounts show, and not freed under anybody.
  EXPECT_EQ(after.failedFrees, before.failedFrees + 1);
  EXPECT_EQ(after.live, before.live + 16);
}

TEST_F(Hole, DropInAnUnwindingStack) {
  struct Unwound {};
  int queued = driver.simOutstanding();
  uint64_t live = Device::get().memory().live;
  try {
    auto [a, b, z] = gated.launch({}, x, y, empty()).queue();
    auto more = add.launch({}, x, y, std::move(z)).queue(Stream::create());
    throw Unwound();
  } catch (const Unwound &) {
  }
  EXPECT_TRUE(isInFlight(queued));
  EXPECT_EQ(Device::get().memory().live, live);
}

TEST_F(Hole, ExceptionBehindALaunch) {
  driver.simOpenGates();
  auto failing =
      whenAll(gated.launch({}, x, y, empty()).then([](auto...) -> int {
        throw std::runtime_error("in then");
      }),
              add.launch({}, x, y, empty()));
  EXPECT_THROW(std::move(failing).sync(), std::runtime_error);
  EXPECT_THROW(add.launch({}, x, y, empty())
                   .let([](auto...) -> JustSender<int> {
                     throw std::logic_error("in let");
                   })
                   .sync(),
               std::logic_error);
}

//===-- Overlap -----------------------------------------------------------===//

// Pieces overlap nothing, and a piece is out once.
TEST_F(Hole, OverlapOfPieces) {
  auto whole = tensorOf({1, 2, 3, 4, 5, 6, 7, 8});
  Access access = accessOf(whole, AccessMode::Read);
  auto pieces = std::move(whole).partition({4});
  EXPECT_EQ(refused([&] { acquire({&access, 1}, Stream::create()); }),
            "argument 0 is out in pieces");
  auto low = pieces[0];
  EXPECT_EQ(refused([&] { auto again = pieces[0]; }),
            "piece [0] is out already");
  auto all = add.launch({}, x, y, std::move(low)).queue(Stream::create());
  auto high = add.launch({}, x, y, pieces[1]).queue(Stream::create());
  EXPECT_EQ(refused([&] { auto t = std::move(pieces).join(); }),
            "piece [0] is out: a tensor is joined of all pieces");
}

// Callers of C say where memory lies: the launch looks whether it overlaps.
TEST_F(Hole, OverlapOfForeignMemory) {
  Folder folder(simulatedArtefact("add"));
  auto memory = tensorOf({1, 2, 3, 4, 5, 6, 7, 8});
  girih_kernel *kernel = nullptr;
  ASSERT_EQ(girih_open(folder.path().c_str(), &kernel), 0) << girih_error();
  int64_t extent = 4, stride = 1;
  auto argument = [&](const char *name, uint64_t offset) {
    return girih_argument{name, "f32",         memory.address() + offset,
                          1,    &extent,       &stride,
                          0,    GIRIH_NOTHING, nullptr};
  };
  auto launch = [&](uint64_t offset) {
    girih_argument list[] = {argument("x", 0), argument("y", 0),
                             argument("z", offset)};
    return girih_check(kernel, list, 3, nullptr, 0);
  };
  EXPECT_EQ(launch(16), 0);
  EXPECT_EQ(launch(12), 3);
  EXPECT_TRUE(std::string(girih_error())
                  .starts_with("contract: the written tensor %z may share "
                               "memory with %x: "))
      << girih_error();
  girih_close(kernel);
}

//===-- Order across streams ----------------------------------------------===//

TEST_F(Hole, OrderAcrossStreams) {
  Stream one = Stream::create(), two = Stream::create(),
         three = Stream::create();
  int queued = driver.simOutstanding();
  // A writer behind the gate, a reader of what it writes, a writer of what the
  // reader reads: three streams, and nothing said about order.
  auto [a, b, z] = gated.launch({}, x, y, empty(one)).queue(one);
  auto sum = std::move(z).share();
  auto [c, d, w] = add.launch({}, sum, x, empty(two)).queue(two);
  auto unique = [&] {
    {
      auto dropped = std::move(c);
    }
    return *std::move(sum).tryUnique();
  }();
  auto [e, f, v] = add.launch({}, x, x, std::move(unique)).queue(three);
  EXPECT_TRUE(isInFlight(queued));
  driver.simOpenGates();
  EXPECT_EQ(w.toHost(), (Floats{12, 24, 36, 48}));
  EXPECT_EQ(v.toHost(), (Floats{2, 4, 6, 8}));
}

TEST_F(Hole, OrderIntoPiecesAndBack) {
  Stream one = Stream::create(), two = Stream::create(),
         three = Stream::create();
  auto [a, b, z] = gated.launch({}, x, y, empty(one)).queue(one);
  auto pieces = std::move(z).partition({4});
  {
    auto all = add.launch({}, x, x, pieces[0]).queue(two);
  }
  auto joined = std::move(pieces).join();
  auto [c, d, w] =
      add.launch({}, x, std::move(joined).share(), empty(three)).queue(three);
  driver.simOpenGates();
  EXPECT_EQ(w.toHost(), (Floats{3, 6, 9, 12}));
}

TEST_F(Hole, OrderAcrossForeignStreams) {
  Stream owner = Stream::create();
  Stream foreign = Stream::fromForeign(owner.handle());
  auto [a, b, z] = gated.launch({}, x, y, empty()).queue(foreign);
  auto all = add.launch({}, x, y, std::move(z)).queue(Stream::create());
  driver.simOpenGates();
  EXPECT_EQ(std::get<2>(all).toHost()[1], 22);
}

} // namespace
