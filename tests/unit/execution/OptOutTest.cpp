// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opt-outs in pipelines and graphs: ordered by the modes that they declare,
// named wherever they show, refused where that is asked for.

#include "runtime/driver/HostFunctions.h"
#include "tests/unit/execution/Embedded.h"

#include <gtest/gtest.h>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;
constexpr AccessMode reads = AccessMode::Read, writes = AccessMode::Write;

namespace {

const runtime::HostFunctions &functions() {
  static const runtime::HostFunctions opened = *runtime::openHostFunctions();
  return opened;
}

/// A library's copy of floats, in two parts.
void copyInParts(const RawCall &call) {
  auto bytes = static_cast<size_t>(4 * call.tensors[0].extents[0]);
  for (size_t at : {size_t(0), bytes / 2}) {
    if (functions().copyOnDeviceBehind(call.tensors[1].address + at,
                                       call.tensors[0].address + at, bytes / 2,
                                       call.stream)) {
      throw std::runtime_error("the copy failed");
    }
  }
}

struct OptOutTest : testing::Test {
  const Simulated &driver = simulated();
  int known = driver.simErrors();
  LibraryCall copy{"vendor_copy", {reads, writes}, copyInParts};
  ForeignKernel axpy =
      ForeignKernel::load("vendor.axpy", simulatedCubin("axpy", "4 8 8 8"),
                          "axpy", {reads, writes});
  Kernel add = simulatedKernel("add");

  void TearDown() override {
    setOptOuts(OptOuts::Allowed);
    driver.simStopFailing();
    Device::get().synchronize();
    EXPECT_EQ(driver.errors(known), std::vector<std::string>());
  }

  static Tensor<float> empty(const Place &place = {}) {
    return Tensor<float>::empty({4}, place);
  }
  auto axpyOf(float alpha, Shared<float> x, Tensor<float> y) {
    return axpy.launch({}, alpha, std::move(x), std::move(y), int64_t(4));
  }
  template <typename Run> static std::string refused(Run run, int code = 3) {
    try {
      run();
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    return "nothing";
  }
  uint64_t uses(const std::string &name) {
    for (const OptOutUse &use : usedOptOuts()) {
      if (use.name == name) {
        return use.uses;
      }
    }
    return 0;
  }
};

TEST_F(OptOutTest, AreOrderedByWhatTheyDeclare) {
  driver.simDelay(1000);
  for (int k = 0; k < 10; ++k) {
    auto x = tensorOf({1, 2, 3, 4}, Stream::create()).share();
    auto [a, b, z] =
        add.launch({}, x, x, empty(Stream::create())).queue(Stream::create());
    auto [c, w] = copy(std::move(z).share(), empty(Stream::create()))
                      .queue(Stream::create());
    auto [d, v] = axpyOf(10, x, std::move(w)).queue(Stream::create());
    auto [e, f, u] =
        add.launch({}, std::move(v).share(), c, empty(Stream::create())).sync();
    EXPECT_EQ(u.toHost(), (Floats{14, 28, 42, 56}));
  }
  driver.simDelay(200);
}

TEST_F(OptOutTest, AreSenders) {
  auto x = tensorOf({1, 2, 3, 4}).share();
  auto [b, w] = copy(x, empty())
                    .let([&](auto from, auto to) {
                      return axpyOf(2, std::move(from), std::move(to));
                    })
                    .sync();
  EXPECT_EQ(w.toHost(), (Floats{3, 6, 9, 12}));
}

TEST_F(OptOutTest, AreCounted) {
  auto x = tensorOf({1, 2, 3, 4}).share();
  uint64_t copies = uses("vendor_copy"), launches = uses("vendor.axpy");
  auto [a, z] = copy(x, empty()).sync();
  auto [b, w] = axpyOf(1, x, std::move(z)).sync();
  {
    auto never = copy(x, empty());
  }
  EXPECT_EQ(uses("vendor_copy"), copies + 1);
  EXPECT_EQ(uses("vendor.axpy"), launches + 1);
}

TEST_F(OptOutTest, AreRefusedWhereAsked) {
  auto x = tensorOf({1, 2, 3, 4}).share();
  auto made = copy(x, empty());
  auto recorded = copy(x, empty());
  setOptOuts(OptOuts::Refused);
  EXPECT_EQ(refused([&] { (void)copy(x, empty()); }),
            "opt-out vendor_copy: opt-outs are refused (setOptOuts)");
  EXPECT_NE(refused([&] { (void)axpyOf(1, x, empty()); }), "nothing");
  EXPECT_NE(refused([&] { (void)std::move(made).queue(); }), "nothing");
  EXPECT_NE(refused([&] { auto g = record(std::move(recorded)); }), "nothing");
  auto [a, b, z] = add.launch({}, x, x, empty()).sync(); // verified
  EXPECT_EQ(z.toHost()[0], 2);
}

TEST_F(OptOutTest, HaveNamesAndModes) {
  auto x = tensorOf({1, 2, 3, 4}).share();
  for (const char *name : {"", "two words", "a\nb", "\xc3\xa9"}) {
    EXPECT_NE(refused([&] { LibraryCall(name, {}, copyInParts); }), "nothing");
  }
  EXPECT_NE(refused([&] { LibraryCall("name", {}, nullptr); }), "nothing");
  EXPECT_EQ(refused([&] { (void)copy(x, x); }),
            "opt-out vendor_copy: tensor 1 is written, a shared one is given");
  EXPECT_EQ(refused([&] { (void)copy(x); }),
            "opt-out vendor_copy: it has modes for 2 tensors, 1 are given");
  EXPECT_EQ(refused([&] {
              (void)axpy.launch({{0, 1, 1}, {}, 0}, 1.0f, x, empty(),
                                int64_t(4));
            }),
            "opt-out vendor.axpy: a grid or block without an element");
}

TEST_F(OptOutTest, ParametersAreTheFunctions) {
  auto x = tensorOf({1, 2, 3, 4}).share();
  std::string text = refused(
      [&] { (void)axpy.launch({}, 1.0, x, empty(), int64_t(4)).queue(); });
  EXPECT_EQ(text, "opt-out vendor.axpy(grid (1, 1, 1)): the parameters of axpy "
                  "have 4, 8, 8, 8 bytes, 8, 8, 8, 8 are given");
  text = refused([&] { (void)axpy.launch({}, 1.0f, x, empty()).queue(); });
  EXPECT_NE(text.find("4, 8, 8 are given"), std::string::npos) << text;
  auto other = ForeignKernel::load("other", simulatedCubin("axpy", "4 8 8 8"),
                                   "gone", {reads, writes});
  text = refused(
      [&] { (void)other.launch({}, 1.0f, x, empty(), int64_t(4)).queue(); }, 1);
  EXPECT_EQ(text, "opt-out other(grid (1, 1, 1)): cuModuleGetFunction: "
                  "CUDA_ERROR_NOT_FOUND");
  auto none = ForeignKernel::load("none", "no cubin", "axpy", {});
  EXPECT_NE(refused([&] { (void)none.launch({}).queue(); }, 1), "nothing");
}

TEST_F(OptOutTest, ErrorsHaveTheName) {
  auto x = tensorOf({1, 2, 3, 4}).share();
  LibraryCall fails("vendor_fails", {reads, writes}, [](const RawCall &call) {
    copyInParts(call);
    throw std::runtime_error("no workspace");
  });
  auto z = empty();
  driver.simDelay(2000);
  EXPECT_EQ(refused([&] { (void)fails(x, std::move(z)).queue(); }, 1),
            "opt-out vendor_fails: no workspace");
  // What it queued before is behind nothing that goes now: the operation and
  // its tensors are gone already.
  driver.simFailCall("cuMemcpyDtoDAsync", 2, 1);
  EXPECT_EQ(refused([&] { (void)copy(x, empty()).sync(); }, 1),
            "opt-out vendor_copy: the copy failed");
  driver.simDelay(200);
}

TEST_F(OptOutTest, WorkQueuedBeforeAFailureIsInTheLedger) {
  auto x = tensorOf({1, 2, 3, 4}).share();
  LibraryCall fails("vendor_fails", {reads, writes}, [](const RawCall &call) {
    copyInParts(call);
    throw std::runtime_error("late");
  });
  driver.simDelay(2000);
  for (int k = 0; k < 10; ++k) {
    auto share = tensorOf({1, 2, 3, 4}).share();
    EXPECT_NE(
        refused([&] { (void)fails(share, empty()).queue(Stream::create()); },
                1),
        "nothing");
    auto own = std::move(share).tryUnique();
    ASSERT_TRUE(own);
    // Written while the copy may still read: the driver sees a race otherwise.
    auto [a, b, z] =
        add.launch({}, x, x, std::move(*own)).queue(Stream::create());
    EXPECT_EQ(z.toHost()[3], 8);
  }
  driver.simDelay(200);
}

TEST_F(OptOutTest, AreRecorded) {
  auto x = tensorOf({1, 2, 3, 4}).share();
  auto g = record(
      add.launch({}, x, x, empty())
          .let([&](auto, auto, auto z) {
            return copy(std::move(z).share(), empty());
          })
          .let([&](auto, auto w) { return axpyOf(1, x, std::move(w)); }));
  EXPECT_EQ(g.text(), "nodes 3\n"
                      "0: add(N = 4; grid (1)): reads b0 b0, writes b1\n"
                      "1: opt-out vendor_copy: reads b1, writes b2\n"
                      "2: opt-out vendor.axpy(grid (1, 1, 1)): reads b0, "
                      "writes b2\n"
                      "unverified vendor_copy at 1, vendor.axpy at 2\n"
                      "edges 2 of 2\n0 -> 1\n1 -> 2\n"
                      "critical path 112: 0 -> 1 -> 2\n");
  for (int k = 0; k < 3; ++k) {
    g.launch();
    EXPECT_EQ(g.get<1>().toHost(), (Floats{3, 6, 9, 12}));
  }
  // Another result: the opt-outs are captured again with its address.
  auto old = g.exchange<1>(tensorOf({0, 0, 0, 0}));
  g.launch();
  EXPECT_EQ(g.get<1>().toHost(), (Floats{3, 6, 9, 12}));
  old.assign(Floats{5, 5, 5, 5});
  g.sync();
  EXPECT_EQ(old.toHost()[0], 5);
  auto [y, w] = std::move(g).dissolve();
  EXPECT_EQ(w.toHost()[1], 6);
}

TEST_F(OptOutTest, ThatCannotBeRecordedSaySo) {
  auto x = tensorOf({1, 2, 3, 4}).share();
  LibraryCall waits("vendor_waits", {reads, writes}, [](const RawCall &call) {
    copyInParts(call);
    call.on.synchronize();
  });
  EXPECT_NE(refused([&] { auto g = record(waits(x, empty())); }, 1)
                .find("opt-out vendor_waits: cuStreamSynchronize"),
            std::string::npos);
  LibraryCall elsewhere("vendor_elsewhere", {reads}, [](const RawCall &call) {
    auto other = Stream::create(call.on.device());
    other.wait(call.on.record());
    functions().fill8Behind(call.tensors[0].address, 0, 1, other.handle());
    static std::vector<Stream> kept;
    kept.push_back(other);
  });
  EXPECT_NE(refused([&] { auto g = record(elsewhere(x)); }, 1)
                .find("opt-out vendor_elsewhere"),
            std::string::npos);
  LibraryCall nothing("vendor_nothing", {reads}, [](const RawCall &) {});
  auto g = record(nothing(x));
  g.sync();
}

TEST_F(OptOutTest, CodeGoesWhenNoLaunchRunsIt) {
  driver.simCloseGates();
  int loaded = driver.simCalls("cuModuleLoadData");
  int unloaded = driver.simCalls("cuModuleUnload");
  {
    auto gated = ForeignKernel::load(
        "gated", simulatedCubin("fill", "8 4 8", "gated"), "fill", {writes});
    auto [z] = std::tuple(
        gated.launch({}, empty(), 3.0f, int64_t(4)).queue(Stream::create()));
  }
  EXPECT_EQ(driver.simCalls("cuModuleLoadData"), loaded + 1);
  EXPECT_EQ(driver.simCalls("cuModuleUnload"), unloaded);
  driver.simOpenGates();
  for (int k = 0; k < 5000 && driver.simCalls("cuModuleUnload") == unloaded;
       ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(driver.simCalls("cuModuleUnload"), unloaded + 1);
}

/// A program may have a stream for each request: it is not kept by the code
/// that ran on it, which then stays loaded.
TEST_F(OptOutTest, CodeKeepsFewStreams) {
  int unloaded = driver.simCalls("cuModuleUnload");
  const int before = driver.simLiveHandles();
  {
    auto fill = ForeignKernel::load("fill", simulatedCubin("fill", "8 4 8"),
                                    "fill", {writes});
    for (int k = 0; k < 300; ++k) {
      auto [z] = std::tuple(
          fill.launch({}, empty(), 3.0f, int64_t(4)).queue(Stream::create()));
    }
    Device::get().synchronize();
    EXPECT_LT(driver.simLiveHandles(), before + 100);
  }
  Device::get().synchronize();
  EXPECT_EQ(driver.simCalls("cuModuleUnload"), unloaded);
}

TEST_F(OptOutTest, EachCallOfTheDriverMayFail) {
  auto x = tensorOf({1, 2, 3, 4}).share();
  int failures = 0;
  for (int n = 1; n < 60; ++n) {
    driver.simFailCall("*", n, 999);
    try {
      auto kernel = ForeignKernel::load(
          "axpy", simulatedCubin("axpy", "4 8 8 8"), "axpy", {reads, writes});
      auto g = record(copy(x, empty()).let([&](auto a, auto z) {
        return kernel.launch({}, 1.0f, std::move(a), std::move(z), int64_t(4));
      }));
      g.sync();
      EXPECT_EQ(g.get<1>().toHost()[1], 4);
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 1) << error.what();
      ++failures;
    }
    driver.simStopFailing();
  }
  EXPECT_GT(failures, 10);
}

} // namespace
