// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs that say which of their launches has failed. An error of the device
// stays with its context, so each replay that fails is a process of its own.

#include "runtime/driver/HostFunctions.h"
#include "runtime/graph/Graph.h"
#include "tests/unit/graph/Kernels.h"

#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;

namespace {

/// Runs a kernel that fails, wherever it stands.
auto failing(Tensor<float> z) {
  LibraryCall call("breaks", {AccessMode::Write}, [](const RawCall &raw) {
    runtime::Driver driver = *runtime::openDriver();
    void *module = nullptr, *function = nullptr;
    std::string cubin = simulatedCubin("fault", "");
    driver.moduleLoadData(&module, cubin.data());
    driver.moduleGetFunction(&function, module, "fault");
    driver.launchKernel(function, 1, 1, 1, 1, 1, 1, 0, raw.stream, nullptr,
                        nullptr);
  });
  return call(std::move(z));
}

/// Ends the process; its exit code says whether an error has all of the words.
template <typename Run>
[[noreturn]] void exitWithError(Run run,
                                std::initializer_list<const char *> words) {
  alarm(60);
  try {
    run();
  } catch (const RuntimeError &error) {
    std::fprintf(stderr, "%s\n", error.what());
    for (const char *word : words) {
      if (!std::strstr(error.what(), word)) {
        _exit(2);
      }
    }
    _exit(0);
  }
  _exit(3);
}

struct TracedDeathTest : testing::Test {
  TracedDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(TracedDeathTest, NamesTheLaunch) {
  EXPECT_EXIT(
      exitWithError(
          [] {
            auto x = tensor({1, 2, 3, 4}).share();
            Graph g =
                record(add(x, x, empty())
                           .let([](auto, auto, auto z) {
                             return failing(std::move(z));
                           })
                           .let([](auto z) { return scale(2, std::move(z)); }),
                       {.traced = true});
            g.sync();
          },
          {"graph of 3 (add, opt-out breaks, scale) at launch 1, opt-out "
           "breaks: ",
           "CUDA_ERROR_"}),
      testing::ExitedWithCode(0), "");
}

TEST_F(TracedDeathTest, NamesTheLastLaunch) {
  EXPECT_EXIT(exitWithError(
                  [] {
                    auto x = tensor({1, 2, 3, 4}).share();
                    Graph g =
                        record(add(x, x, empty()).let([](auto, auto, auto z) {
                          return failing(std::move(z));
                        }),
                               {.traced = true});
                    g.sync();
                  },
                  {" at launch 1, opt-out breaks: cu"}),
              testing::ExitedWithCode(0), "");
}

TEST_F(TracedDeathTest, NamesWhatRunsBesideIt) {
  EXPECT_EXIT(exitWithError(
                  [] {
                    Graph g = record(whenAll(fill(1, empty()), failing(empty()),
                                             fill(2, empty())),
                                     {.traced = true});
                    g.sync();
                  },
                  {"launch 1, opt-out breaks"}),
              testing::ExitedWithCode(0), "");
}

TEST_F(TracedDeathTest, WithoutATraceItIsTheGraph) {
  EXPECT_EXIT(exitWithError(
                  [] {
                    Graph g = record(failing(empty()));
                    g.sync();
                  },
                  {"graph of 1 (opt-out breaks): cu"}),
              testing::ExitedWithCode(0), "");
}

TEST(Traced, WhicheverCallFailsTheErrorSaysOfWhat) {
  Graph g = record(fill(1, empty()));
  int failed = 0;
  for (int n = 1; n < 20; ++n) {
    simulated().simFailCall("*", n, 1);
    try {
      g.sync();
    } catch (const RuntimeError &error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("graph of 1 (fill): "))
          << "call " << n << ": " << error.what();
      ++failed;
    }
    simulated().simStopFailing();
  }
  EXPECT_GE(failed, 3);
}

TEST(Traced, ReplaysAreTheSame) {
  int known = simulated().simErrors();
  auto x = tensor({1, 2, 3, 4}).share();
  simulated().simDelay(1000);
  {
    Graph g = record(whenAll(add(x, x, empty()), fill(3, empty()))
                         .let([](auto, auto, auto z, auto w) {
                           return axpy(2, std::move(w).share(), std::move(z));
                         }),
                     {.traced = true});
    for (int k = 0; k < 5; ++k) {
      g.launch();
      EXPECT_EQ(g.get<1>().toHost(), (Floats{8, 10, 12, 14}));
    }
    g.launch(Stream::create()); // and goes in flight
  }
  Device::get().synchronize();
  EXPECT_EQ(simulated().errors(known), std::vector<std::string>());
}

} // namespace
