// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Typed launches of generated headers on the simulated driver, which finds
// races, uses after a free and leaks, and fails when it is told to.

#include "add.h"
#include "fill_rows.h"
#include "runtime/driver/Driver.h"
#include "saxpy.h"
#include "tests/simulated/Artefacts.h"

#include <girih/runtime.h>
#include <gtest/gtest.h>
#include <thread>

using namespace girih;

namespace {

/// An artefact; for a GPU below the folder that the environment has.
std::string folderOf(const std::string &kernel) {
  const char *folder = std::getenv("GIRIH_GPU_ARTEFACTS");
  return std::string(folder ? folder : GIRIH_KERNELS) + "/" + kernel;
}

Tensor<float> tensor(const std::vector<float> &elements) {
  return Tensor<float>::copyFrom(elements,
                                 {static_cast<int64_t>(elements.size())});
}
Tensor<float> empty() { return Tensor<float>::empty({4}); }

struct Launch : testing::Test {
  Shared<float> x = tensor({1, 2, 3, 4}).share();
  Shared<float> y = tensor({10, 20, 30, 40}).share();

  void TearDown() override {
    EXPECT_EQ(tests::simulated().errors(), std::vector<std::string>());
  }

  /// The text of what a launch throws.
  template <typename Run> std::string thrown(int code, Run run) {
    try {
      run();
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), code);
      return error.what();
    }
    return "nothing";
  }
};

TEST_F(Launch, GivesItsArgumentsBack) {
  auto [a, b, z] = kernels::add(x, y, empty()).sync();
  EXPECT_EQ(z.toHost(), (std::vector<float>{11, 22, 33, 44}));
  EXPECT_EQ(a.address(), x.address());
  auto [p, q] = kernels::saxpy(std::move(b), std::move(z), {.alpha = 2}).sync();
  EXPECT_EQ(q.toHost()[3], 124);
}

/// Strides are the tensors' own, and no arguments of a call.
TEST_F(Launch, OfRowsThatLieApart) {
  for (int64_t from : {0, 4}) {
    auto z = Tensor<float>::zeros({3, 9}).slice(1, from, 9);
    auto filled = kernels::fill_rows(std::move(z), {.value = 2}).sync();
    EXPECT_EQ(filled.toHost(), std::vector<float>(3 * (9 - from), 2));
  }
}

Task<float> chain(Shared<float> x) {
  auto [a, b, z] = co_await kernels::add(x, x, empty());
  auto [p, q] =
      co_await kernels::saxpy(std::move(a), std::move(z), {.alpha = 10});
  co_return q.toHost()[1];
}

TEST_F(Launch, InCoroutines) {
  EXPECT_EQ(chain(x).sync(), 24);
  auto [one, two] = whenAll(chain(x), chain(y)).sync();
  EXPECT_EQ(one + two, 264);
}

TEST_F(Launch, OverSeveralStreams) {
  auto all = whenAll(kernels::add(x, y, empty()),
                     kernels::add(y, y, empty()).on(Stream::create()))
                 .sync();
  EXPECT_EQ(std::get<2>(all).toHost()[0], 11);
  EXPECT_EQ(std::get<5>(all).toHost()[0], 20);
  // One stream after another, with no thread that waits in between.
  auto last =
      kernels::add(x, y, empty())
          .on(Stream::create())
          .let([](auto a, auto, auto z) {
            return kernels::saxpy(std::move(a), std::move(z), {.alpha = 2})
                .on(Stream::create());
          })
          .then([](auto, auto z) { return z.toHost()[1]; })
          .sync();
  EXPECT_EQ(last, 26);
}

TEST_F(Launch, Dropped) {
  int before = tests::simulated().simCalls("cuLaunchKernel");
  {
    auto never = kernels::add(x, y, empty());
  }
  EXPECT_EQ(tests::simulated().simCalls("cuLaunchKernel"), before);
  for (int k = 0; k < 50; ++k) { // the results may go while the device works
    auto dropped = kernels::add(x, y, empty()).queue(Stream::create());
  }
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_FALSE(syncWait(kernels::add(x, y, empty()), stopped.get_token()));
}

TEST_F(Launch, StoppedAtAnyTime) {
  for (int k = 0; k < 20; ++k) {
    std::stop_source source;
    std::jthread stopper([&] { source.request_stop(); });
    auto some = syncWait(chain(x), source.get_token());
    EXPECT_TRUE(!some || std::get<0>(*some) == 24);
  }
}

TEST_F(Launch, RefusedOrFailedSaysWhich) {
  EXPECT_EQ(thrown(3,
                   [&] {
                     auto all =
                         kernels::add(x, y, Tensor<float>::empty({5})).sync();
                   }),
            "add: contract: N is 4 for axis 0 of %x and 5 for axis 0 of %z");
  tests::simulated().simFailCall("cuLaunchKernel", 1, 1);
  EXPECT_EQ(thrown(1, [&] { auto z = kernels::add(x, y, empty()).sync(); }),
            "add(N = 4; grid (1)): cuLaunchKernel: CUDA_ERROR_INVALID_VALUE");
  // Once.
  EXPECT_EQ(std::get<2>(kernels::add(x, y, empty()).sync()).toHost()[0], 11);
  auto failing = kernels::add(x, y, empty()).then([](auto...) -> int {
    throw std::runtime_error("in then");
  });
  EXPECT_THROW(std::move(failing).sync(), std::runtime_error);
}

TEST_F(Launch, RefusedKeepsItsArguments) {
  Stream stream = Stream::create();
  // By the contract.
  auto five = Tensor<float>::empty({5});
  uint64_t address = five.address();
  auto launch = kernels::add(x, y, std::move(five));
  auto refused = [&](auto run) {
    EXPECT_EQ(thrown(3, run), "add: contract: N is 4 for axis 0 of %x and 5 "
                              "for axis 0 of %z");
  };
  refused([&] { auto all = std::move(launch).sync(); });
  refused([&] { auto all = std::move(launch).queue(); });
  refused([&] { auto all = std::move(launch).queue(stream); });
  auto [a, b, same] = std::move(launch).release();
  EXPECT_EQ(same.address(), address);
  EXPECT_EQ(same.extents()[0], 5);
  EXPECT_EQ(a.address(), x.address());
  EXPECT_EQ(thrown(3, [&] { auto all = std::move(launch).release(); }),
            "the launch was started before, or moved");
  // By the ledger, and by the driver: then it runs.
  auto z = empty();
  Access access = accessOf(z, AccessMode::Read);
  auto late = kernels::add(a, b, std::move(z));
  acquire({&access, 1}, stream);
  EXPECT_EQ(thrown(3, [&] { auto all = std::move(late).sync(); }),
            "add(N = 4; grid (1)): argument 2 is to be written, and another "
            "launch reads it");
  release({&access, 1}, stream);
  tests::simulated().simFailCall("cuLaunchKernel", 1, 1);
  EXPECT_NE(thrown(1, [&] { auto all = std::move(late).sync(); }), "nothing");
  auto [p, q, sums] = std::move(late).sync();
  EXPECT_EQ(sums.toHost(), (std::vector<float>{11, 22, 33, 44}));
  EXPECT_EQ(thrown(3, [&] { auto all = std::move(late).release(); }),
            "the launch was started before, or moved");
}

TEST_F(Launch, ReleasedAsItWasGiven) {
  auto launch =
      Kernel::load(folderOf("add")).launch({}, vouched(x), y, empty());
  auto [a, b, z] = std::move(launch).release();
  static_assert(std::is_same_v<decltype(a), Evident<Shared<float>>>);
  EXPECT_EQ(a.known, Known::Vouched);
  EXPECT_EQ(a.argument.address(), x.address());
}

// They go by what was worked out for the first.
TEST_F(Launch, LaterOnesAreRefusedLikeTheFirst) {
  runtime::Driver driver = *runtime::openDriver();
  uint64_t address = 0;
  {
    runtime::Entered in(driver, Device::get().context());
    ASSERT_EQ(driver.memoryAllocate(&address, 64), 0);
  }
  std::shared_ptr<void> owner(reinterpret_cast<void *>(address), [=](void *) {
    runtime::Entered in(driver, Device::get().context());
    EXPECT_EQ(driver.memoryFree(address), 0);
  });
  void *memory = owner.get();
  auto apart = Shared<float>::fromForeign(memory, {4}, {2}, std::move(owner));
  auto wide = tensor({0, 1, 2, 3, 4}).share();
  for (int k = 0; k < 3; ++k) {
    if (k > 0) {
      auto all = kernels::add(x, y, empty()).sync();
    }
    EXPECT_EQ(
        thrown(3, [&] { auto z = kernels::add(apart, y, empty()).sync(); }),
        "add(N = 4; grid (1)): contract: stride 0 of %x is 2, the kernel has "
        "1");
    EXPECT_NE(thrown(3,
                     [&] {
                       auto z =
                           kernels::add(wide.slice(0, 1, 5), y, empty()).sync();
                     })
                  .find("which is not aligned to 16 bytes"),
              std::string::npos);
  }
}

// An error of the device may show at any later call.
TEST_F(Launch, WhicheverCallFailsTheErrorSaysOfWhat) {
  int failed = 0;
  for (int n = 1; n < 40; ++n) {
    auto z = empty();
    auto launched = kernels::add(x, y, std::move(z)).then([](auto...) {});
    tests::simulated().simFailCall("*", n, 1);
    try {
      std::move(launched).sync();
    } catch (const RuntimeError &error) {
      EXPECT_TRUE(
          std::string(error.what()).starts_with("add(N = 4; grid (1)):"))
          << "call " << n << ": " << error.what();
      ++failed;
    }
    tests::simulated().simStopFailing();
  }
  EXPECT_GE(failed, 4);
}

TEST_F(Launch, EveryCallFailsOnce) {
  int failed = 0;
  for (int n = 1; n < 60; ++n) {
    tests::simulated().simFailCall("*", n, 1);
    try {
      auto [a, b, z] = kernels::add(x, y, empty()).sync();
      EXPECT_EQ(z.toHost()[0], 11);
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 1);
      ++failed;
    }
    tests::simulated().simStopFailing();
    auto [a, b, z] = kernels::add(x, y, empty()).sync();
    EXPECT_EQ(z.toHost()[0], 11) << "after call " << n;
  }
  EXPECT_GE(failed, 5);
}

TEST_F(Launch, Untyped) {
  Kernel kernel = Kernel::load(folderOf("add"));
  auto [a, b, z] = kernel.launch({}, x, y, empty()).sync();
  EXPECT_EQ(z.toHost()[0], 11);
  EXPECT_EQ(thrown(3,
                   [&] {
                     auto all =
                         kernel.launch({{"n", int64_t(3)}}, x, y, empty());
                   }),
            "the kernel add has no symbol and no scalar n to be given");
  EXPECT_EQ(thrown(3, [&] { auto all = kernel.launch({}, x, y, y); }),
            "add: tensor 2 is written, a shared one is given");
  EXPECT_EQ(
      thrown(1, [&] { kernels::saxpy.use(Kernel::load(folderOf("add"))); }),
      "the header of saxpy is not of the artefact add: the names differ");
}

TEST_F(Launch, InThreads) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int k = 0; k < 100; ++k) {
        auto [a, b, z] = kernels::add(x, y, empty()).sync();
        EXPECT_EQ(z.toHost()[2], 33);
      }
    });
  }
}

struct Loaded : testing::Environment {
  void SetUp() override {
    kernels::add.load(folderOf("add"));
    kernels::saxpy.load(folderOf("saxpy"));
    kernels::fill_rows.load(folderOf("fill_rows"));
  }
};
[[maybe_unused]] auto *loaded = testing::AddGlobalTestEnvironment(new Loaded);

} // namespace
