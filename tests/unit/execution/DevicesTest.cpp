// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several devices: copies between them, and collectives with a stand-in for
// NCCL. The simulated driver finds what is not ordered across devices.

#include "runtime/host/States.h"
#include "tests/unit/execution/Embedded.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;

namespace {

struct Devices : testing::Test {
  const Simulated &driver = simulated();
  int known = driver.simErrors();
  Device first = Device::get(0), second = Device::get(1);
  Kernel add = simulatedKernel("add");

  void TearDown() override {
    driver.simStopFailing();
    driver.simDelay(200);
    first.synchronize();
    second.synchronize();
    EXPECT_EQ(driver.errors(known), std::vector<std::string>());
    EXPECT_EQ(first.memory().live, 0u);
    EXPECT_EQ(second.memory().live, 0u);
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
};

//===-- The current device -----------------------------------------------===//

/// The driver's current context of this thread.
void *currentContext() {
  void *context = nullptr;
  EXPECT_EQ(detail::driver().contextGetCurrent(&context), 0);
  return context;
}

TEST_F(Devices, AreCurrentInAThread) {
  void *before = currentContext();
  {
    CurrentDevice one(second);
    EXPECT_EQ(currentContext(), second.context());
    int pushed = driver.simCalls("cuCtxPushCurrent");
    tensorOf({1, 2}, Stream::create(second)).toHost();
    EXPECT_EQ(driver.simCalls("cuCtxPushCurrent"), pushed);
    // Calls for another device leave it.
    EXPECT_EQ(tensorOf({1, 2}, Stream::create(first)).toHost(), (Floats{1, 2}));
    EXPECT_EQ(currentContext(), second.context());
    {
      CurrentDevice other(first);
      EXPECT_EQ(currentContext(), first.context());
    }
    EXPECT_EQ(currentContext(), second.context());
  }
  EXPECT_EQ(currentContext(), before);
  driver.simFailCall("cuCtxPushCurrent", 1, 999);
  EXPECT_NE(refused([&] { CurrentDevice one(first); }, 1), "nothing");
  driver.simStopFailing();
  EXPECT_EQ(currentContext(), before);
}

//===-- Copies between devices -------------------------------------------===//

TEST_F(Devices, CopyElements) {
  driver.simDelay(1000);
  for (int k = 0; k < 10; ++k) {
    auto x = tensorOf({1, 2, 3, 4, 5, 6}, Stream::create(first))
                 .reshape({2, 3})
                 .permute({1, 0});
    auto y = x.copyTo(second);
    EXPECT_EQ(y.toHost(), (Floats{1, 4, 2, 5, 3, 6}));
    // What is written next on the first device waits for the copy to the other.
    auto z = x.copyTo(Stream::create(second), PeerPath::Direct);
    x.assign(Floats(6, 0));
    EXPECT_EQ(z.toHost(), y.toHost());
    auto gone = std::move(x);
  }
}

TEST_F(Devices, FreeBehindCopiesToOthers) {
  driver.simDelay(2000);
  std::vector<Tensor<float>> kept;
  for (int k = 0; k < 10; ++k) {
    kept.push_back(tensorOf({1, 2, 3, 4}, Stream::create(first))
                       .copyTo(Stream::create(second)));
  }
  for (const auto &tensor : kept) {
    EXPECT_EQ(tensor.toHost(), (Floats{1, 2, 3, 4}));
  }
}

TEST_F(Devices, LaunchesStayOnTheirs) {
  auto x = tensorOf({1, 2, 3, 4}, first).share();
  auto y = x.clone(second).share();
  std::string text = refused([&] {
    (void)add.launch({}, x, y, Tensor<float>::empty({4}, second)).queue();
  });
  EXPECT_NE(text.find("lies on device 0, the stream is of device 1"),
            std::string::npos)
      << text;
  auto [a, b, z] =
      add.launch({}, y, y, Tensor<float>::empty({4}, second)).sync();
  EXPECT_EQ(z.toHost()[3], 8);
}

TEST_F(Devices, CopiesAreSenders) {
  driver.simDelay(1000);
  auto x = tensorOf({1, 2, 3, 4}, first).share();
  auto [a, y] = copy(x, Tensor<float>::empty({4}, second))
                    .let([&](auto, auto to) {
                      auto share = std::move(to).share();
                      return add.launch({}, share, share,
                                        Tensor<float>::empty({4}, second));
                    })
                    .then([](auto a, auto, auto z) {
                      return std::tuple(std::move(a), std::move(z));
                    })
                    .sync();
  EXPECT_EQ(y.toHost(), (Floats{2, 4, 6, 8}));
  std::string text = refused([&] {
    (void)copy(x, Tensor<float>::empty({4}, second))
        .queue(Stream::create(first));
  });
  EXPECT_EQ(text, "argument 1 lies on device 1, the stream is "
                  "of device 0");
  EXPECT_NE(refused([&] {
              auto g = record(copy(x, Tensor<float>::empty({4}, second)));
            }).find("lie on two devices"),
            std::string::npos);
}

TEST_F(Devices, DirectPathsAreThereOrNot) {
  EXPECT_TRUE(second.canReach(first));
  auto x = tensorOf({1, 2, 3, 4}, first);
  driver.simFailCall("cuDeviceCanAccessPeer", 1, 101);
  EXPECT_EQ(refused([&] { (void)x.copyTo(second, PeerPath::Direct); }, 1),
            "cuDeviceCanAccessPeer: CUDA_ERROR_INVALID_DEVICE");
  driver.simPeers(0);
  EXPECT_FALSE(second.canReach(first));
  EXPECT_EQ(refused([&] { (void)x.copyTo(second, PeerPath::Direct); }),
            "device 1 does not reach the memory of device 0; PeerPath::Any "
            "copies through the host");
  EXPECT_EQ(x.copyTo(second).toHost()[0], 1);
  driver.simPeers(1);
  driver.simFailCall("cuMemcpyPeerAsync", 1, 719);
  EXPECT_EQ(refused([&] { (void)x.copyTo(second); }, 1),
            "cuMemcpyPeerAsync: CUDA_ERROR_LAUNCH_FAILED");
}

//===-- Collectives ------------------------------------------------------===//

/// The library; for GPUs that of the environment.
const char *nccl() {
  const char *ofGpus = std::getenv("GIRIH_GPU_NCCL");
  return ofGpus ? ofGpus : GIRIH_NCCL;
}

struct Collectives : Devices {
  void *library = dlopen(nccl(), RTLD_NOW);
  template <typename F> F function(const char *name) {
    void *found = library ? dlsym(library, name) : nullptr;
    if (!found) {
      throw std::runtime_error("needs the simulated driver");
    }
    return reinterpret_cast<F>(found);
  }
  void fail(int n) { function<void (*)(int)>("fakeNcclFail")(n); }
  int live() { return function<int (*)()>("fakeNcclLive")(); }

  Communicator group = Communicator::all({first, second}, nccl());

  Shared<float> from(const Device &device, Floats values) {
    return tensorOf(values, Stream::create(device)).share();
  }
  Tensor<float> empty(const Device &device, int64_t count = 2) {
    return Tensor<float>::empty({count}, Stream::create(device));
  }
  std::vector<Shared<float>> both(Floats a, Floats b) {
    return {from(first, std::move(a)), from(second, std::move(b))};
  }
  std::vector<Tensor<float>> empties(int64_t count = 2) {
    std::vector<Tensor<float>> out;
    out.push_back(empty(first, count));
    out.push_back(empty(second, count));
    return out;
  }
};

TEST_F(Collectives, Reduce) {
  driver.simDelay(1000);
  const std::pair<Reduction, Floats> cases[] = {
      {Reduction::Sum, {11, 22}},
      {Reduction::Product, {10, 40}},
      {Reduction::Max, {10, 20}},
      {Reduction::Min, {1, 2}},
      {Reduction::Average, {5.5, 11}}};
  for (const auto &[reduction, expected] : cases) {
    auto [x, z] =
        group.allReduce(both({1, 2}, {10, 20}), empties(), reduction).sync();
    EXPECT_EQ(x[1].toHost(), (Floats{10, 20}));
    EXPECT_EQ(z[0].toHost(), expected);
    EXPECT_EQ(z[1].toHost(), expected);
    // In place, behind what has used them, and before what uses them.
    auto [none, twice] = group.allReduce(std::move(z)).queue();
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(twice[1].toHost()[0], 2 * expected[0]);
  }
}

/// A communicator that lives long is used on many streams and keeps few.
TEST_F(Collectives, KeepFewStreams) {
  const int before = driver.simLiveHandles();
  for (int k = 0; k < 300; ++k) {
    auto [x, z] = group.allReduce(both({1, 2}, {10, 20}), empties())
                      .on(Stream::create(first))
                      .sync();
    EXPECT_EQ(z[1].toHost(), (Floats{11, 22}));
  }
  EXPECT_LT(driver.simLiveHandles(), before + 150);
}

TEST_F(Collectives, AreDoneOnAllRanks) {
  driver.simDelay(2000);
  for (int k = 0; k < 10; ++k) {
    auto x = both({1, 2}, {10, 20});
    auto z = empties();
    first.synchronize();
    second.synchronize();
    int before = driver.simOutstanding();
    auto [y, w] = group.allReduce(std::move(x), std::move(z)).sync();
    EXPECT_EQ(driver.simOutstanding(), before);
  }
}

TEST_F(Collectives, AreDoneOnAllRanksForWhatFollows) {
  driver.simDelay(2000);
  for (int k = 0; k < 10; ++k) {
    auto x = from(second, {7, 8});
    auto z = empty(first);
    first.synchronize();
    second.synchronize();
    int before = driver.simOutstanding(), behind = -1;
    auto [y, w] = group.send(1, std::move(x), 0, std::move(z))
                      .then([&](auto from, auto to) {
                        behind = driver.simOutstanding();
                        return std::tuple(std::move(from), std::move(to));
                      })
                      .sync();
    EXPECT_EQ(behind, before);
  }
}

TEST_F(Collectives, GatherAndScatter) {
  auto [x, all] = group.allGather(both({1, 2}, {3, 4}), empties(4)).queue();
  EXPECT_EQ(all[0].toHost(), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(all[1].toHost(), (Floats{1, 2, 3, 4}));
  auto [y, parts] =
      group.reduceScatter(both({1, 2, 3, 4}, {10, 20, 30, 40}), empties())
          .sync();
  EXPECT_EQ(parts[0].toHost(), (Floats{11, 22}));
  EXPECT_EQ(parts[1].toHost(), (Floats{33, 44}));
}

TEST_F(Collectives, Send) {
  driver.simDelay(1000);
  auto [x, z] = group.send(1, from(second, {7, 8}), 0, empty(first)).queue();
  EXPECT_EQ(z[0].toHost(), (Floats{7, 8}));
  EXPECT_NE(refused([&] {
              (void)group.send(1, from(second, {7, 8}), 1, empty(second));
            }),
            "nothing");
  EXPECT_NE(refused([&] {
              (void)group.send(0, from(first, {7, 8}), 2, empty(second));
            }),
            "nothing");
}

TEST_F(Collectives, AreOrderedWithLaunches) {
  driver.simDelay(1000);
  for (int k = 0; k < 10; ++k) {
    std::vector<Tensor<float>> sums;
    for (const Device &device : {first, second}) {
      auto x = from(device, {1, 2});
      auto [a, b, z] = add.launch({}, x, x, empty(device)).queue();
      sums.push_back(std::move(z));
    }
    auto [none, all] = group.allReduce(std::move(sums)).queue();
    auto x = std::move(all[1]).share();
    auto [a, b, z] =
        add.launch({}, x, x, empty(second)).queue(Stream::create(second));
    EXPECT_EQ(z.toHost(), (Floats{8, 16}));
  }
}

TEST_F(Collectives, RefuseWhatDoesNotFit) {
  auto why = [&](auto make) { return refused([&] { (void)make(); }); };
  EXPECT_EQ(
      why([&] { return group.allReduce(both({1, 2}, {1, 2}), empties(3)); }),
      "opt-out nccl.allReduce(2 ranks): rank 0 has 3 elements and gives "
      "2 elements, which do not go together or with those of rank 0");
  EXPECT_NE(
      why([&] { return group.allReduce(both({1, 2}, {1, 2, 3}), empties()); }),
      "nothing");
  EXPECT_NE(
      why([&] { return group.allGather(both({1, 2}, {3, 4}), empties()); }),
      "nothing");
  EXPECT_EQ(
      why([&] { return group.allReduce(std::vector<Shared<float>>(), {}); }),
      "opt-out nccl.allReduce(2 ranks): tensors of 0 ranks");
  EXPECT_NE(why([&] {
              std::vector<Shared<float>> one{from(first, {1, 2})};
              return group.allReduce(std::move(one), empties());
            }),
            "nothing");
  EXPECT_NE(why([&] {
              std::vector<Tensor<int16_t>> list;
              list.push_back(Tensor<int16_t>::zeros({2}, first));
              list.push_back(Tensor<int16_t>::zeros({2}, second));
              return group.allReduce(std::move(list));
            }).find("NCCL has no elements of i16"),
            std::string::npos);
  // On the wrong device; columns.
  std::string text = refused([&] {
    std::vector<Tensor<float>> swapped;
    swapped.push_back(empty(second));
    swapped.push_back(empty(first));
    (void)group.allReduce(std::move(swapped)).queue();
  });
  EXPECT_EQ(text, "opt-out nccl.allReduce(2 ranks): rank 0 is device 0, its "
                  "tensor lies on device 1");
  EXPECT_NE(why([&] {
              std::vector<Tensor<float>> list;
              for (const Device &device : {first, second}) {
                list.push_back(
                    Tensor<float>::zeros({2, 3}, device).permute({1, 0}));
              }
              return group.allReduce(std::move(list));
            }),
            "nothing");
  setOptOuts(OptOuts::Refused);
  EXPECT_NE(why([&] { return group.allReduce(empties()); }), "nothing");
  setOptOuts(OptOuts::Allowed);
}

TEST_F(Collectives, CommunicatorsAreOfDevices) {
  EXPECT_EQ(group.size(), 2u);
  EXPECT_EQ(group.device(1).ordinal(), 1);
  EXPECT_NE(refused([&] { (void)group.device(2); }), "nothing");
  EXPECT_NE(refused([&] { (void)Communicator::all({}, nccl()); }), "nothing");
  EXPECT_EQ(refused([&] { (void)Communicator::all({first, first}, nccl()); }),
            "device 0 is two ranks of a communicator");
  std::string text = refused(
      [&] { (void)Communicator::all({first}, "/nowhere/libnccl.so.2"); }, 77);
  EXPECT_TRUE(text.starts_with("no NCCL: ")) << text;
  int before = live();
  {
    auto other = Communicator::all({second}, nccl());
    EXPECT_EQ(live(), before + 1);
    std::vector<Tensor<float>> one;
    one.push_back(empty(second));
    one[0].assign(Floats{1, 2});
    auto [none, same] = other.allReduce(std::move(one)).queue();
    EXPECT_EQ(same[0].toHost(), (Floats{1, 2}));
  }
  EXPECT_EQ(live(), before);
}

TEST_F(Collectives, LiveAsLongAsTheirWork) {
  driver.simDelay(2000);
  int before = live();
  auto op = [&] {
    auto other = Communicator::all({first, second}, nccl());
    return other.allReduce(both({1, 2}, {3, 4}), empties());
  }();
  EXPECT_EQ(live(), before + 2);
  auto [x, z] = std::move(op).sync();
  EXPECT_EQ(z[1].toHost(), (Floats{4, 6}));
}

TEST_F(Collectives, ErrorsHaveTheName) {
  for (int n = 1; n <= 4; ++n) {
    fail(n);
    std::string text = refused(
        [&] { (void)group.allReduce(both({1, 2}, {3, 4}), empties()).sync(); },
        1);
    EXPECT_TRUE(text.starts_with("opt-out nccl.allReduce(2 ranks): nccl"))
        << text;
    EXPECT_TRUE(text.ends_with(": unhandled cuda error")) << text;
    fail(0);
    auto [x, z] = group.allReduce(both({1, 2}, {3, 4}), empties()).sync();
    EXPECT_EQ(z[0].toHost(), (Floats{4, 6}));
  }
  group.check();
  function<void (*)(int)>("fakeNcclAsyncError")(1);
  EXPECT_EQ(refused([&] { group.check(); }, 1), "rank 0: unhandled cuda error");
  function<void (*)(int)>("fakeNcclAsyncError")(0);
}

TEST_F(Collectives, EachCallOfTheDriverMayFail) {
  int failures = 0;
  for (int n = 1; n < 40; ++n) {
    auto x = both({1, 2}, {3, 4});
    auto z = empties();
    driver.simFailCall("*", n, 999);
    try {
      auto [a, b] = group.allReduce(std::move(x), std::move(z)).sync();
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 1) << error.what();
      ++failures;
    }
    driver.simStopFailing();
    // And no group of calls was left open.
    auto [y, w] = group.allReduce(both({1, 2}, {3, 4}), empties()).sync();
    EXPECT_EQ(w[1].toHost(), (Floats{4, 6}));
  }
  EXPECT_GT(failures, 5);
}

} // namespace
