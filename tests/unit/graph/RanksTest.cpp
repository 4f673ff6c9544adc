// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of several devices with collectives between them, on the simulated
// driver with a stand-in for NCCL whose captured collectives wait for each
// other: what is recorded, what is refused, and what ends when a rank does not
// come.

#include "runtime/driver/Driver.h"
#include "runtime/graph/RankGraphs.h"
#include "tests/unit/graph/Kernels.h"

#include <dlfcn.h>
#include <functional>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;

namespace {

struct Ranks : testing::Test {
  const Simulated &driver = simulated();
  int known = driver.simErrors();
  std::vector<Device> devices{Device::get(0), Device::get(1)};
  void *library = dlopen(GIRIH_NCCL, RTLD_NOW);
  Communicator all = Communicator::all(devices, GIRIH_NCCL);

  void TearDown() override {
    driver.simStopFailing();
    driver.simDelay(60);
    for (const Device &device : devices) {
      device.synchronize();
    }
    EXPECT_EQ(driver.errors(known), std::vector<std::string>());
  }
  template <typename F> F function(const char *name) const {
    return reinterpret_cast<F>(dlsym(library, name));
  }
  void fail(int n) const { function<void (*)(int)>("fakeNcclFail")(n); }
  int live() const { return function<int (*)()>("fakeNcclLive")(); }
  int count(const char *name) const { return function<int (*)()>(name)(); }
  /// Owners of memory are let go of in a thread of the library.
  bool comesTo(const char *name, int expected) const {
    for (int k = 0; k < 10'000 && count(name) != expected; ++k) {
      usleep(1000);
    }
    return count(name) == expected;
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

  Tensor<float> on(std::size_t rank, const Floats &values) const {
    return Tensor<float>::copyFrom(
        values, {static_cast<std::int64_t>(values.size())}, devices[rank]);
  }
  Tensor<float> room(std::size_t rank, std::int64_t count = 2) const {
    return Tensor<float>::empty({count}, devices[rank]);
  }
  std::vector<Tensor<float>> rooms(std::int64_t count = 2) const {
    std::vector<Tensor<float>> out;
    for (std::size_t rank = 0; rank < devices.size(); ++rank) {
      out.push_back(room(rank, count));
    }
    return out;
  }

  using Given = std::vector<std::tuple<Shared<float>, Tensor<float>>>;
  /// Of rank r: x[r] *= r + 2, y = the sum of all x, y += x.
  auto sums(const Communicator &of, const RecordOptions &options = {}) const {
    return recordRanks(
        of,
        [&](RankRecordings &run) {
          std::vector<Shared<float>> x;
          for (std::size_t rank = 0; rank < run.size(); ++rank) {
            float first = rank ? 10 : 1;
            auto scaled = run[rank](
                scale(double(rank + 2), on(rank, {first, 2 * first})));
            x.push_back(std::move(scaled).share());
          }
          auto [from, to] = run(of.allReduce(std::move(x), rooms()));
          Given out;
          for (std::size_t rank = 0; rank < run.size(); ++rank) {
            auto [a, y] =
                run[rank](axpy(1, std::move(from[rank]), std::move(to[rank])));
            out.emplace_back(std::move(a), std::move(y));
          }
          return out;
        },
        options);
  }

  /// Sums behind a kernel that waits until gates are open.
  auto gatedSums(const Communicator &some) const {
    return recordRanks(some, [&](RankRecordings &run) {
      static const Kernel kernel = simulatedKernel("scale", "gated");
      std::vector<Tensor<float>> x;
      for (std::size_t rank = 0; rank < run.size(); ++rank) {
        x.push_back(run[rank](kernel.launch({{"alpha", 2}}, on(rank, {1, 2}))));
      }
      auto [none, y] = run(some.allReduce(std::move(x)));
      std::vector<std::tuple<Tensor<float>>> out;
      out.emplace_back(std::move(y[0]));
      out.emplace_back(std::move(y[1]));
      return out;
    });
  }
};

TEST_F(Ranks, AreReplayed) {
  driver.simDelay(1000);
  auto graphs = sums(all);
  EXPECT_EQ(graphs.size(), 2u);
  int launches = driver.simCalls("cuGraphLaunch");
  for (int k = 0; k < 5; ++k) {
    graphs.sync();
  }
  EXPECT_EQ(driver.simCalls("cuGraphLaunch"), launches + 10);
  // x is 2^5 and 3^5 times what it was.
  EXPECT_EQ(graphs[0].get<0>().toHost(), (Floats{32, 64}));
  EXPECT_EQ(graphs[1].get<0>().toHost(), (Floats{2430, 4860}));
  EXPECT_EQ(graphs[0].get<1>().toHost(), (Floats{2494, 4988}));
  EXPECT_EQ(graphs[1].get<1>().toHost(), (Floats{4892, 9784}));
  EXPECT_EQ(graphs[1].text(),
            "nodes 3\n"
            "0: scale(N = 2; grid (1)): writes b0\n"
            "1: opt-out nccl.allReduce(rank 1 of 2): reads b0, writes b1 b2\n"
            "2: axpy(N = 2; grid (1)): reads b0, writes b1\n"
            "unverified nccl.allReduce at 1\n"
            "edges 2 of 3\n"
            "0 -> 1\n"
            "1 -> 2\n"
            "critical path 40: 0 -> 1 -> 2\n");
  graphs[1].set(0, "alpha", 0);
  graphs.sync();
  EXPECT_EQ(graphs[0].get<1>().toHost(), (Floats{128, 256}));
}

TEST_F(Ranks, TakeStreamsAndLendResults) {
  driver.simDelay(1000);
  auto graphs = sums(all);
  std::vector<Stream> streams{Stream::create(devices[0]),
                              Stream::create(devices[1])};
  graphs.launch(streams);
  graphs.launch();
  graphs.launch(streams);
  graphs.wait();
  EXPECT_EQ(graphs[0].get<1>().toHost(), (Floats{286, 572}));
  auto y = graphs[1].take<1>();
  EXPECT_EQ(refused([&] { graphs.launch(); }),
            "graph of 3 (scale, opt-out nccl.allReduce, axpy): its result 1 is "
            "taken out");
  y.assign(Floats{0, 0});
  graphs[1].put<1>(std::move(y));
  EXPECT_EQ(graphs[1].get<1>().toHost(), (Floats{0, 0}));
  graphs.sync();
  auto [x0, y0] = std::move(graphs[0]).dissolve();
  EXPECT_EQ(x0.toHost(), (Floats{16, 32}));
  EXPECT_EQ(y0.toHost(), (Floats{842, 1684}));
}

TEST_F(Ranks, GatherAndScatterInOrder) {
  driver.simDelay(1000);
  // Nothing but the communicator orders the three.
  auto graphs = recordRanks(all, [&](RankRecordings &run) {
    std::vector<Shared<float>> x, y;
    std::vector<Tensor<float>> z;
    for (std::size_t rank = 0; rank < run.size(); ++rank) {
      float first = rank ? 10 : 1;
      x.push_back(on(rank, {first, first + 1}).share());
      y.push_back(on(rank, {first, first, 3 * first, first}).share());
      z.push_back(on(rank, {first}));
    }
    auto [of, gathered] = run(all.allGather(std::move(x), rooms(4)));
    auto [from, parts] = run(all.reduceScatter(std::move(y), rooms()));
    auto [none, most] = run(all.allReduce(std::move(z), Reduction::Max));
    EXPECT_TRUE(none.empty());
    std::vector<std::tuple<Tensor<float>, Tensor<float>, Tensor<float>>> out;
    for (std::size_t rank = 0; rank < run.size(); ++rank) {
      out.emplace_back(std::move(gathered[rank]), std::move(parts[rank]),
                       std::move(most[rank]));
    }
    return out;
  });
  graphs.sync();
  for (std::size_t rank : {0, 1}) {
    EXPECT_EQ(graphs[rank].get<0>().toHost(), (Floats{1, 2, 10, 11}));
    EXPECT_EQ(graphs[rank].get<1>().toHost(),
              rank ? (Floats{33, 11}) : (Floats{11, 11}));
    EXPECT_EQ(graphs[rank].get<2>().toHost(), (Floats{10}));
    EXPECT_EQ(graphs[rank].report().edges,
              (std::vector<DagEdge>{{0, 1}, {1, 2}}));
  }
}

TEST_F(Ranks, OfTwoGroupsRunInTheOrderOfLaunches) {
  driver.simDelay(1000);
  auto a = sums(all), b = sums(all);
  for (int k = 0; k < 10; ++k) {
    std::vector<Stream> streams{Stream::create(devices[0]),
                                Stream::create(devices[1])};
    a.launch();
    b.launch(streams);
    // And with what is queued.
    auto [x, y] =
        all.allReduce({on(0, {1, 2}).share(), on(1, {3, 4}).share()}, rooms())
            .queue();
    EXPECT_EQ(y[1].toHost(), (Floats{4, 6}));
  }
  a.wait();
  b.wait();
  EXPECT_EQ(a[0].get<0>().toHost(), (Floats{1024, 2048}));
  EXPECT_EQ(b[0].get<1>().toHost(), a[0].get<1>().toHost());
}

TEST_F(Ranks, MayBeOne) {
  auto one = Communicator::all({devices[1]}, GIRIH_NCCL);
  auto graphs = recordRanks(one, [&](RankRecordings &run) {
    std::vector<Tensor<float>> x;
    x.push_back(run[0](scale(2, on(1, {1, 2}))));
    auto [none, same] = run(one.allReduce(std::move(x)));
    std::vector<std::tuple<Tensor<float>>> out;
    out.emplace_back(std::move(same[0]));
    return out;
  });
  graphs.sync();
  EXPECT_EQ(graphs[0].get<0>().toHost(), (Floats{2, 4}));
}

//===-- What is refused ---------------------------------------------------===//

template <typename Op>
concept recordsAlone = requires(Op op) { record(std::move(op)); };

TEST_F(Ranks, RunTogether) {
  using Sum = decltype(all.allReduce(rooms()));
  static_assert(!recordsAlone<Sum>);
  auto graphs = sums(all);
  EXPECT_EQ(refused([&] { graphs[1].launch(); }),
            "graph of 3 (scale, opt-out nccl.allReduce, axpy): it is the graph "
            "of rank 1 of 2, which run together: launch all of them");
  EXPECT_NE(refused([&] { graphs[0].sync(); }), "nothing");
  EXPECT_EQ(refused([&] { graphs.launch({Stream::create(devices[0])}); }),
            "1 streams for graphs of 2 ranks");
  std::vector<Stream> swapped{Stream::create(devices[1]),
                              Stream::create(devices[0])};
  EXPECT_NE(refused([&] { graphs.launch(swapped); }).find("the stream is of"),
            std::string::npos);
  graphs.sync();
  {
    auto gone = std::move(graphs[1]);
  }
  EXPECT_EQ(refused([&] { graphs.launch(); }),
            "graph of 3 (scale, opt-out nccl.allReduce, axpy): it was "
            "dissolved or dropped");
  EXPECT_EQ(graphs[0].get<1>().toHost(), (Floats{34, 68}));
}

TEST_F(Ranks, RefuseWhatDoesNotFit) {
  auto why = [&](auto make) {
    return refused([&] {
      (void)recordRanks(all, [&](RankRecordings &run) {
        make(run);
        return Given();
      });
    });
  };
  EXPECT_EQ(why([&](auto &run) {
              (void)run(all.allReduce(
                  {on(0, {1, 2}).share(), on(1, {1, 2, 3}).share()}, rooms()));
            }),
            "opt-out nccl.allReduce(2 ranks): rank 1 has 2 elements and gives "
            "3 elements, which do not go together or with those of rank 0");
  EXPECT_EQ(why([&](auto &run) {
              std::vector<Tensor<float>> swapped;
              swapped.push_back(room(1));
              swapped.push_back(room(0));
              (void)run(all.allReduce(std::move(swapped)));
            }),
            "opt-out nccl.allReduce(2 ranks): rank 0 is device 0, its tensor "
            "lies on device 1");
  auto other = Communicator::all(devices, GIRIH_NCCL);
  EXPECT_EQ(why([&](auto &run) { (void)run(other.allReduce(rooms())); }),
            "opt-out nccl.allReduce(2 ranks): it is of another communicator "
            "than the recording");
  EXPECT_EQ(why([&](auto &run) {
              (void)run(all.send(0, on(0, {1, 2}).share(), 1, room(1)));
            }),
            "opt-out nccl.send(0 to 1): a send is no part of a graph");
  EXPECT_EQ(why([](auto &) {}), "results of 0 ranks: there are 2");
  EXPECT_EQ(why([&](auto &run) { (void)run[0](scale(2, on(1, {1, 2}))); }),
            "results of 0 ranks: there are 2");
  // Launches of a rank on the device of another one.
  EXPECT_EQ(refused([&] {
              (void)recordRanks(all, [&](RankRecordings &run) {
                std::vector<std::tuple<Tensor<float>>> out;
                out.emplace_back(run[0](scale(2, on(1, {1, 2}))));
                out.emplace_back(run[1](scale(2, on(0, {1, 2}))));
                return out;
              });
            }),
            "graph of 1 (scale): rank 0 is device 0, its tensors lie on "
            "device 1");
  setOptOuts(OptOuts::Refused);
  EXPECT_EQ(refused([&] { (void)sums(all); }),
            "opt-out nccl.allReduce: opt-outs are refused (setOptOuts)");
  setOptOuts(OptOuts::Allowed);
}

TEST_F(Ranks, ExchangeWhatNoCollectiveUses) {
  auto graphs = recordRanks(all, [&](RankRecordings &run) {
    auto [none, sums] = run(all.allReduce(rooms()));
    auto [same, others] = run(all.allReduce(rooms()));
    std::vector<std::tuple<Tensor<float>, Tensor<float>>> out;
    for (std::size_t rank = 0; rank < run.size(); ++rank) {
      auto z = run[rank](fill(double(rank), room(rank)));
      out.emplace_back(std::move(sums[rank]), std::move(z));
    }
    return out;
  });
  auto fresh = on(1, {7, 7});
  EXPECT_EQ(refused([&] { (void)graphs[1].exchange<0>(std::move(fresh)); }),
            "opt-out nccl.allReduce(rank 1 of 2): it was captured with those "
            "of the other ranks: record all of them again");
  auto old = graphs[1].exchange<1>(std::move(fresh));
  graphs.sync();
  EXPECT_EQ(graphs[1].get<1>().toHost(), (Floats{1, 1}));
}

//===-- What fails --------------------------------------------------------===//

TEST_F(Ranks, EndWhereOneIsNotQueued) {
  int before = live();
  {
    auto some = Communicator::all(devices, GIRIH_NCCL);
    auto graphs = sums(some), others = sums(some);
    driver.simFailCall("cuGraphLaunch", 1, 999);
    EXPECT_EQ(refused([&] { graphs.launch(); }, 1),
              "graph of 3 (scale, opt-out nccl.allReduce, axpy): "
              "cuGraphLaunch: error 999");
    // Nothing waits, and the next one is a whole one.
    graphs.sync();
    EXPECT_EQ(graphs[0].get<1>().toHost(), (Floats{34, 68}));
    driver.simFailCall("cuGraphLaunch", 2, 999);
    EXPECT_NE(refused([&] { graphs.launch(); }, 1), "nothing");
    devices[0].synchronize(); // ends although rank 1 does not come
    for (auto *each : {&graphs, &others}) {
      std::string text = refused([&] { each->launch(); }, 1);
      EXPECT_TRUE(text.starts_with("the communicator was aborted: ranks before "
                                   "1 wait for it, which was not queued: "))
          << text;
    }
    EXPECT_NE(refused([&] { some.check(); }, 1), "nothing");
    EXPECT_NE(refused([&] { (void)some.allReduce(rooms()).queue(); }, 1),
              "nothing");
    EXPECT_NE(refused([&] { (void)sums(some); }, 1), "nothing");
  }
  EXPECT_EQ(live(), before);
}

TEST_F(Ranks, WaitForTwoEndsBoth) {
  auto one = Communicator::all(devices, GIRIH_NCCL),
       two = Communicator::all(devices, GIRIH_NCCL);
  driver.simCloseGates();
  auto gated = gatedSums(two);
  gated.launch();
  function<void (*)(int)>("fakeNcclAsyncError")(1);
  EXPECT_EQ(refused([&] { one.wait(two); }, 1),
            "the communicator was aborted: rank 0: unhandled cuda error");
  function<void (*)(int)>("fakeNcclAsyncError")(0);
  for (const Communicator *each : {&one, &two}) {
    EXPECT_TRUE(refused([&] { each->wait(); }, 1)
                    .starts_with("the communicator was aborted: "));
  }
  driver.simOpenGates();
  EXPECT_EQ(
      refused([&] { all.wait(Communicator::all({devices[0]}, GIRIH_NCCL)); }),
      "communicators of other devices");
}

TEST_F(Ranks, HaveSymmetricMemory) {
  int before = count("fakeNcclSymmetricCalls");
  auto some = std::optional(Communicator::all(devices, GIRIH_NCCL));
  {
    std::vector<Tensor<float>> x = some->symmetric<float>({3});
    EXPECT_EQ(count("fakeNcclWindows"), 2);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      Floats values = {1, 2, rank ? 30.0f : 3.0f};
      x[rank].assign(values);
    }
    auto [none, sums] = some->allReduce(std::move(x)).sync();
    EXPECT_EQ(sums[0].toHost(), (Floats{2, 4, 33}));
    EXPECT_EQ(sums[1].toHost(), (Floats{2, 4, 33}));
    EXPECT_EQ(count("fakeNcclSymmetricCalls"), before + 2);
    // It stays as long as one rank has a tensor in it.
    auto kept = std::move(sums[1]);
    sums.clear();
    EXPECT_EQ(count("fakeNcclWindows"), 2);
    // A graph has it, too.
    std::vector<Tensor<float>> y = some->symmetric<float>({2, 2});
    auto graphs = recordRanks(*some, [&](RankRecordings &run) {
      auto [nothing, z] = run(some->allReduce(std::move(y)));
      std::vector<std::tuple<Tensor<float>>> out;
      out.emplace_back(std::move(z[0]));
      out.emplace_back(std::move(z[1]));
      return out;
    });
    some.reset();
    graphs.sync();
    EXPECT_EQ(count("fakeNcclSymmetricCalls"), before + 4);
    EXPECT_EQ(count("fakeNcclWindows"), 4);
  }
  EXPECT_TRUE(comesTo("fakeNcclAllocated", 0));
  EXPECT_EQ(count("fakeNcclWindows"), 0);
}

TEST_F(Ranks, FreeSymmetricMemoryWhateverFails) {
  // Memory of each rank, the group, and the window of each.
  for (int n = 1; n <= 6; ++n) {
    fail(n);
    std::string text = refused([&] { (void)all.symmetric<float>({2}); }, 1);
    EXPECT_TRUE(text.starts_with("nccl")) << text;
    fail(0);
    EXPECT_EQ(count("fakeNcclAllocated"), 0) << n;
    EXPECT_EQ(count("fakeNcclWindows"), 0) << n;
  }
  // Where windows cannot be let go of, memory goes with the communicator.
  for (int n = 1; n <= 4; ++n) {
    auto some = Communicator::all(devices, GIRIH_NCCL);
    auto x = some.symmetric<float>({2});
    fail(n);
    x.clear();
    EXPECT_TRUE(comesTo("fakeNcclCallsToFailure", 0)) << n;
    EXPECT_EQ(count("fakeNcclAllocated"), 2) << n;
    some = all;
    EXPECT_TRUE(comesTo("fakeNcclAllocated", 0)) << n;
    EXPECT_EQ(count("fakeNcclWindows"), 0) << n;
  }
}

TEST_F(Ranks, OfAnAbortedCommunicatorKeepMemoryUntilItsEnd) {
  auto some = Communicator::all(devices, GIRIH_NCCL);
  auto x = some.symmetric<float>({2});
  driver.simCloseGates();
  auto gated = gatedSums(some);
  function<void (*)(int)>("fakeNcclAsyncError")(1);
  EXPECT_EQ(refused([&] { gated.sync(); }, 1),
            "the communicator was aborted: rank 0: unhandled cuda error");
  function<void (*)(int)>("fakeNcclAsyncError")(0);
  driver.simOpenGates();
  EXPECT_TRUE(refused([&] { (void)some.symmetric<float>({2}); }, 1)
                  .starts_with("the communicator was aborted: "));
  x.clear();
  EXPECT_EQ(count("fakeNcclAllocated"), 2);
  some = all;
  {
    auto gone = std::move(gated);
  }
  EXPECT_TRUE(comesTo("fakeNcclAllocated", 0));
}

TEST_F(Ranks, WithoutWindowsHaveOrdinaryMemory) {
  auto old = Communicator::all(devices, GIRIH_OLD_NCCL);
  auto x = old.symmetric<float>({2});
  EXPECT_EQ(count("fakeNcclAllocated"), 0);
  // As of no elements.
  EXPECT_EQ(all.symmetric<float>({0, 5})[1].toHost(), Floats());
  EXPECT_EQ(count("fakeNcclAllocated"), 0);
  EXPECT_EQ(refused([&] { (void)all.symmetric<float>({-1}); }),
            "extents [-1] are not all from 0 to 2^40");
}

TEST_F(Ranks, WaitFindsErrorsOfNccl) {
  auto some = Communicator::all(devices, GIRIH_NCCL);
  auto graphs = sums(some);
  driver.simCloseGates();
  function<void (*)(int)>("fakeNcclAsyncError")(1);
  auto gated = gatedSums(some);
  EXPECT_EQ(refused([&] { gated.sync(); }, 1),
            "the communicator was aborted: rank 0: unhandled cuda error");
  function<void (*)(int)>("fakeNcclAsyncError")(0);
  driver.simOpenGates();
}

TEST_F(Ranks, ErrorsOfCapturesHaveTheName) {
  int before = driver.simLiveHandles();
  for (int n = 1; n <= 4; ++n) {
    fail(n);
    std::string text = refused([&] { (void)sums(all); }, 1);
    EXPECT_TRUE(text.starts_with("opt-out nccl.allReduce(2 ranks): nccl"))
        << text;
    EXPECT_TRUE(text.ends_with(": unhandled cuda error")) << text;
    fail(0);
  }
  auto graphs = sums(all);
  graphs.sync();
  EXPECT_EQ(graphs[0].get<1>().toHost(), (Floats{34, 68}));
  auto gone = std::move(graphs);
  EXPECT_LT(driver.simLiveHandles(), before + 40);
}

TEST_F(Ranks, EachCallOfTheDriverMayFail) {
  int failures = 0;
  for (int n = 1; n < 120; ++n) {
    driver.simFailCall("*", n, 999);
    try {
      auto graphs = sums(all);
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 1) << error.what();
      ++failures;
    }
    driver.simStopFailing();
  }
  EXPECT_GT(failures, 30);
  auto graphs = sums(all);
  graphs.sync();
  EXPECT_EQ(graphs[0].get<1>().toHost(), (Floats{34, 68}));
}

/// A kernel that fails on the device of rank 1, which then brings nothing.
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

/// The errors of a replay and of the communicator behind it, on one line each.
template <typename Wait> [[noreturn]] void failOneRank(Wait wait) {
  alarm(60); // a hang is a failure
  std::vector<Device> devices{Device::get(0), Device::get(1)};
  auto all = Communicator::all(devices, GIRIH_NCCL);
  auto graphs = recordRanks(all, [&](RankRecordings &run) {
    std::vector<Tensor<float>> x;
    x.push_back(Tensor<float>::zeros({2}, devices[0]));
    x.push_back(run[1](failing(Tensor<float>::zeros({2}, devices[1]))));
    auto [none, sums] = run(all.allReduce(std::move(x)));
    std::vector<std::tuple<Tensor<float>>> out;
    out.emplace_back(std::move(sums[0]));
    out.emplace_back(std::move(sums[1]));
    return out;
  });
  for (auto &each : {std::function<void()>([&] { wait(all, graphs); }),
                     std::function<void()>([&] { all.check(); })}) {
    try {
      each();
    } catch (const RuntimeError &error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
  }
  devices[0].synchronize();
  std::fprintf(stderr, "rank 0 has ended\n");
  _exit(0);
}

TEST(RanksDeathTest, OneThatFailsEndsTheOthers) {
  // Started anew: the error stays with its context.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const char *end = "the communicator was aborted: rank 1 has failed\n"
                    "rank 0 has ended";
  EXPECT_EXIT(failOneRank([](auto &, auto &graphs) { graphs.sync(); }),
              testing::ExitedWithCode(0),
              std::string("graph of 2 .opt-out breaks, opt-out "
                          "nccl.allReduce.: .*ILLEGAL_ADDRESS.*\n") +
                  end);
  EXPECT_EXIT(failOneRank([](auto &all, auto &graphs) {
                graphs.launch();
                all.wait();
              }),
              testing::ExitedWithCode(0),
              std::string("ILLEGAL_ADDRESS.*\n") + end);
}

} // namespace
