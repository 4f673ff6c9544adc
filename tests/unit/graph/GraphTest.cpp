// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs on the simulated driver, which finds races, uses after a free and
// leaks, and fails when it is told to: what is recorded, what is refused, and
// who owns what.

#include "runtime/graph/Graph.h"
#include "runtime/driver/HostFunctions.h"
#include "runtime/execution/Task.h"
#include "tests/unit/graph/Kernels.h"

#include <gtest/gtest.h>
#include <thread>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;

namespace {

/// z = x + y, and z += alpha x.
auto sum(Shared<float> x, Shared<float> y, Tensor<float> z, double alpha = 2) {
  return add(x, y, std::move(z)).let([=](auto a, auto, auto c) {
    return axpy(alpha, std::move(a), std::move(c));
  });
}

template <typename F>
concept records = requires(F function) { record(function); };

struct Graphs : testing::Test {
  void TearDown() override {
    Device::get().synchronize();
    EXPECT_EQ(Device::get().memory().failedFrees, 0u);
    EXPECT_EQ(simulated().errors(), std::vector<std::string>());
  }
  /// The text of a refusal.
  template <typename Run> static std::string thrown(int code, Run run) {
    try {
      run();
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), code) << error.what();
      return error.what();
    }
    return "nothing";
  }
  Shared<float> x = tensor({1, 2, 3, 4}).share();
  Shared<float> y = tensor({10, 20, 30, 40}).share();
};

//===-- What is recorded --------------------------------------------------===//

TEST_F(Graphs, AreReplayed) {
  Graph g = record(sum(x, y, empty()));
  EXPECT_EQ(g.size(), 2u);
  int launches = simulated().simCalls("cuLaunchKernel");
  g.sync();
  EXPECT_EQ(g.get<1>().toHost(), (Floats{13, 26, 39, 52}));
  g.launch();
  g.launch(Stream::create());
  EXPECT_EQ(g.get<1>().toHost(), (Floats{13, 26, 39, 52}));
  EXPECT_EQ(simulated().simCalls("cuLaunchKernel"), launches);
  EXPECT_EQ(g.text(), "nodes 2\n"
                      "0: add(N = 4; grid (1)): reads b0 b1, writes b2\n"
                      "1: axpy(N = 4; grid (1)): reads b0, writes b2\n"
                      "edges 1 of 1\n"
                      "0 -> 1\n"
                      "critical path 80: 0 -> 1\n");
  EXPECT_NE(g.picture().find("1: axpy(N = 4; grid (1))"), std::string::npos);
  auto [a, z] = std::move(g).dissolve();
  EXPECT_EQ(z.toHost()[0], 13);
}

/// A graph that lives long is replayed on many streams and keeps few.
TEST_F(Graphs, KeepFewStreams) {
  Graph g = record(sum(x, y, empty()));
  g.sync();
  const int before = simulated().simLiveHandles();
  for (int k = 0; k < 500; ++k) {
    g.launch(Stream::create());
    if (k % 50 == 0) {
      Device::get().synchronize();
    }
  }
  Device::get().synchronize();
  EXPECT_LT(simulated().simLiveHandles(), before + 250);
}

TEST_F(Graphs, AreOfAllSortsOfPipelines) {
  auto pipeline =
      whenAll(fill(3, empty()).on(Stream::create()),
              just(empty()).let([](auto t) { return fill(4, std::move(t)); }),
              setZero(empty()))
          .then([](auto a, auto b, auto c) {
            return std::tuple(std::move(b), std::move(a), std::move(c));
          })
          .let([](auto b, auto a, auto c) {
            return whenAll(copy(std::move(b).share(), std::move(c)),
                           scale(2, std::move(a)));
          });
  static_assert(recordable<decltype(pipeline)>);
  Graph g = record(std::move(pipeline));
  EXPECT_EQ(g.text(), "nodes 5\n"
                      "0: fill(N = 4; grid (1)): writes b0\n"
                      "1: fill(N = 4; grid (1)): writes b1\n"
                      "2: setZero(16 bytes): writes b2\n"
                      "3: copy(16 bytes): reads b1, writes b2\n"
                      "4: scale(N = 4; grid (1)): writes b0\n"
                      "edges 3 of 3\n"
                      "0 -> 4\n"
                      "1 -> 3\n"
                      "2 -> 3\n"
                      "critical path 48: 2 -> 3\n");
  for (int k = 0; k < 3; ++k) {
    g.launch();
  }
  EXPECT_EQ(g.get<1>().toHost(), Floats(4, 4));
  EXPECT_EQ(g.get<2>().toHost(), Floats(4, 6)); // filled anew each time
}

TEST_F(Graphs, AreOfLoops) {
  constexpr int layers = 200;
  std::vector<Shared<float>> weights;
  for (int k = 0; k < layers; ++k) {
    weights.push_back(tensor({1, float(k), 0, 2}).share());
  }
  // The same function launches directly, and records.
  auto program = [&](auto &run) {
    Tensor<float> sum = run(setZero(empty()));
    for (Shared<float> &weight : weights) {
      auto [w, next] = run(axpy(2, weight, std::move(sum)));
      sum = std::move(next);
    }
    return sum;
  };
  Graph g = record(program);
  auto directly = [](auto op) { return std::move(op).queue(); };
  Floats wanted = program(directly).toHost();
  EXPECT_EQ(wanted, (Floats{400, 39800, 0, 800}));
  EXPECT_EQ(g.size(), layers + 1u);
  EXPECT_EQ(g.report().edges.size(), size_t(layers));
  g.launch();
  g.sync();
  EXPECT_EQ(g.get<0>().toHost(), wanted);
  auto host = [](Recording &run) { return run(setZero(empty())).toHost(); };
  static_assert(records<decltype(program)> && !records<decltype(host)>);
}

TEST_F(Graphs, AreSenders) {
  Graph g = record(sum(x, y, empty()));
  Graph h = record(scale(2, empty()));
  int seen = 0;
  whenAll(g.replay(), h.replay()).then([&] { ++seen; }).sync();
  g.replay().let([&] { return h.replay(); }).then([&] { ++seen; }).sync();
  [](auto &g, int &seen) -> Task<> {
    co_await g.replay();
    ++seen;
  }(g, seen)
                                .sync();
  EXPECT_EQ(seen, 3);
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_FALSE(syncWait(g.replay(), stopped.get_token()));
}

TEST_F(Graphs, WritePieces) {
  auto pieces = Tensor<float>::zeros({8}).partition({4});
  {
    Graph g = record(whenAll(fill(1, pieces[0]), fill(2, pieces[1])));
    EXPECT_TRUE(g.report().edges.empty());
    g.launch();
    EXPECT_NE(thrown(3, [&] { auto piece = pieces[0]; }), "nothing");
  }
  EXPECT_EQ(std::move(pieces).join().toHost(),
            (Floats{1, 1, 1, 1, 2, 2, 2, 2}));
  // A tensor, then its pieces: these behind that, and in no order.
  Graph g = record(fill(7, empty(8)).let([](auto t) {
    auto pieces = std::move(t).partition({4});
    auto one = pieces[0], other = pieces[1];
    return whenAll(scale(2, std::move(one)), scale(3, std::move(other)));
  }));
  EXPECT_EQ(g.report().edges, (std::vector<DagEdge>{{0, 1}, {0, 2}}));
  auto sets = empty(8).partition({4});
  EXPECT_EQ(thrown(3, [&] { auto old = g.exchange<0>(sets[0]); }),
            "graph of 3 (fill, scale, scale): what is exchanged is a piece of "
            "a tensor that the graph uses");
  g.sync();
  EXPECT_EQ(g.get<0>().toHost(), Floats(4, 14));
  EXPECT_EQ(g.get<1>().toHost(), Floats(4, 21));
}

//===-- What is none ------------------------------------------------------===//

// Host code that a replay would have to run.
using Op = decltype(scale(1, empty()));
static_assert(recordable<Op>);
static_assert(!recordable<Op &>); // not moved
static_assert(
    recordable<decltype(std::declval<Op>().then([](auto t) { return t; }))>);
static_assert(!recordable<decltype(std::declval<Op>().then([](auto t) {
  return t.toHost()[0];
}))>);
static_assert(!recordable<decltype(std::declval<Op>().then([](auto) {}))>);
static_assert(!recordable<decltype(std::declval<Op>()
                                       .then([](auto t) { return t.toHost(); })
                                       .then([](Floats) { return empty(); }))>);
static_assert(!recordable<decltype(std::declval<Op>().let([](auto t) {
  return just(t.toHost()[0]).then([](float f) { return f; });
}))>);
static_assert(!recordable<decltype(std::declval<Op>().uponError(
                  [](std::exception_ptr) { return empty(); }))>);
static_assert(!recordable<Task<Tensor<float>>>);
static_assert(!recordable<ReplayOp>);
static_assert(!std::copy_constructible<Graph<Tensor<float>>>);

TEST_F(Graphs, ShowNoContentsBeforeTheyHaveRun) {
  auto reads = fill(1, empty()).let([](auto t) {
    t.toHost();
    return scale(2, std::move(t));
  });
  EXPECT_EQ(thrown(3, [&] { auto g = record(std::move(reads)); }),
            "argument 0 is written by a graph that is being recorded, and "
            "nothing of that has run");
  // A piece is no way round, nor is a write in front of a read.
  EXPECT_NE(thrown(3,
                   [&] {
                     auto g = record(fill(1, empty()).let([](auto t) {
                       auto pieces = std::move(t).partition({2});
                       auto piece = pieces[0];
                       piece.toHost();
                       return scale(2, std::move(piece));
                     }));
                   }),
            "nothing");
  EXPECT_NE(thrown(3,
                   [&] {
                     auto g = record(add(x, tensor({1, 2, 3, 4}), empty())
                                         .let([](auto, auto b, auto c) {
                                           b.assign(Floats{0, 0, 0, 0});
                                           return scale(2, std::move(c));
                                         }));
                   }),
            "nothing");
  setLedger(LedgerMode::Orders);
  auto again = fill(1, empty()).then([](auto t) {
    t.toHost();
    return t;
  });
  EXPECT_NE(thrown(3, [&] { auto g = record(std::move(again)); }), "nothing");
  setLedger(LedgerMode::Checks);
  // What a graph only reads is there.
  Graph g = record(add(x, y, empty()).let([](auto a, auto, auto c) {
    EXPECT_EQ(a.toHost()[3], 4);
    return scale(2, std::move(c));
  }));
  // Afterwards all is as it was.
  auto [t] = syncWait(fill(1, empty())).value();
  EXPECT_EQ(t.toHost()[0], 1);
}

TEST_F(Graphs, AreRefusedLikeLaunches) {
  EXPECT_EQ(thrown(3, [&] { auto g = record(sum(x, y, empty(5))); }),
            "add: contract: N is 4 for axis 0 of %x and 5 for axis 0 of %z");
  EXPECT_EQ(thrown(3, [&] { auto g = record(just(empty())); }),
            "the pipeline launches nothing: there is no graph");
  auto strided = tensor({1, 2, 3, 4, 5, 6}).reshape({3, 2}).slice(1, 0, 1);
  EXPECT_EQ(thrown(3, [&] { auto op = setZero(std::move(strided)); }),
            "a tensor to be copied or set to zero does not lie in row-major "
            "order without gaps");
  EXPECT_EQ(thrown(3, [&] { auto op = copy(x, empty(5)); }),
            "a copy between tensors of other extents");
}

TEST_F(Graphs, KeepNoTensorThatOthersHave) {
  std::optional<Tensor<float>> kept;
  auto keeps = fill(1, empty()).let([&](auto t) {
    kept = std::move(t);
    return fill(2, empty());
  });
  EXPECT_EQ(thrown(3, [&] { auto g = record(std::move(keeps)); }),
            "a tensor that the graph writes, b0, has an owner outside of the "
            "pipeline");
  // What is only dropped is the graph's.
  Graph g =
      record(fill(1, empty()).let([&](auto) { return fill(2, empty()); }));
  g.sync();
  EXPECT_EQ(g.get<0>().toHost()[0], 2);
}

TEST_F(Graphs, RuinNoCapture) {
  const runtime::HostFunctions f = *runtime::openHostFunctions();
  Graph g = record(fill(1, empty()));
  auto other = fill(2, empty());
  Stream stream = Stream::create();
  void *graph = nullptr;
  ASSERT_EQ(
      f.streamBeginCapture(stream.handle(), runtime::cu::captureThreadLocal),
      runtime::cu::success);
  EXPECT_EQ(thrown(3, [&] { g.launch(stream); }),
            "graph of 1 (fill): the stream is being captured");
  Graph h = record(std::move(other));
  h.launch();
  EXPECT_EQ(f.streamEndCapture(stream.handle(), &graph), runtime::cu::success);
  f.graphDestroy(graph);
  g.sync();
}

//===-- Who owns what -----------------------------------------------------===//

TEST_F(Graphs, AreNotReplayedAfterTheyAreGone) {
  auto g = std::make_unique<Graph<Shared<float>, Tensor<float>>>(
      record(sum(x, y, empty())));
  auto early = g->replay();
  auto started = g->replay();
  g.reset();
  EXPECT_EQ(thrown(3, [&] { std::move(early).sync(); }),
            "graph of 2 (add, axpy): it was dissolved or dropped");
  Graph h = record(sum(x, y, empty()));
  auto late = h.replay();
  Graph moved = std::move(h);
  EXPECT_EQ(thrown(3, [&] { h.launch(); }), "the graph was moved");
  std::move(late).sync();
  auto after = moved.replay();
  auto [a, z] = std::move(moved).dissolve();
  EXPECT_EQ(z.toHost()[1], 26);
  EXPECT_NE(thrown(3, [&] { std::move(after).sync(); }), "nothing");
  EXPECT_EQ(thrown(3, [&] { moved.sync(); }), "the graph was moved");
  // One graph takes the place of another, which is gone.
  Graph one = record(fill(1, empty())), two = record(fill(2, empty()));
  auto of = one.replay();
  one = std::move(two);
  EXPECT_NE(thrown(3, [&] { std::move(of).sync(); }), "nothing");
  one.sync();
  EXPECT_EQ(one.get<0>().toHost()[0], 2);
}

TEST_F(Graphs, LeaveMemoryToReplaysInFlight) {
  uint64_t live = Device::get().memory().live;
  simulated().simDelay(500);
  for (int k = 0; k < 40; ++k) {
    Graph g = record(sum(x, y, empty()).let([](auto a, auto z) {
      return add(std::move(a), std::move(z), empty());
    }));
    g.launch();
    g.launch(Stream::create());
    auto running = g.replay();
    if (k % 2) {
      auto [a, z, sum] = std::move(g).dissolve();
    }
  }
  simulated().simDelay(60);
  EXPECT_EQ(Device::get().memory().live, live);
}

TEST_F(Graphs, AreInOrderWithAllElse) {
  simulated().simDelay(300);
  Shared<float> z = tensor({1, 1, 1, 1}).share();
  Graph g = record(axpy(1, z, tensor({0, 0, 0, 0})));
  for (int k = 1; k < 20; ++k) {
    g.launch(Stream::create());
    EXPECT_EQ(g.get<1>().toHost(), Floats(4, float(k)));
    auto copy = g.get<1>().clone(Stream::create());
    g.launch();
    EXPECT_EQ(copy.toHost(), Floats(4, float(k)));
    auto [a, b, c] = add(z, std::move(copy), empty()).sync();
    EXPECT_EQ(c.toHost(), Floats(4, float(k + 1)));
    auto [old] = [&] {
      return std::tuple(g.exchange<1>(tensor(Floats(4, float(k)))));
    }();
    EXPECT_EQ(old.toHost(), Floats(4, float(k + 1)));
  }
  simulated().simDelay(60);
}

TEST_F(Graphs, AreReplayedOnTwoThreadsAtOnce) {
  Graph g = record(axpy(1, x, tensor({0, 0, 0, 0})));
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      Stream stream = Stream::create();
      for (int k = 0; k < 50; ++k) {
        k % 2 ? g.launch(stream) : g.launch();
        if (k % 10 == 0) {
          g.sync();
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(g.get<1>().toHost(), (Floats{220, 440, 660, 880}));
}

//===-- Other arguments ---------------------------------------------------===//

TEST_F(Graphs, TakeOtherTensors) {
  Graph g = record(sum(x, y, empty()));
  g.launch();
  Tensor<float> first = g.exchange<1>(empty());
  g.launch();
  Shared<float> was = g.exchange<0>(y); // x, of both launches
  EXPECT_EQ(was.address(), x.address());
  EXPECT_EQ(g.get<0>().address(), y.address());
  EXPECT_EQ(first.toHost(), (Floats{13, 26, 39, 52}));
  EXPECT_EQ(g.get<1>().toHost(), (Floats{13, 26, 39, 52}));
  g.launch();
  EXPECT_EQ(g.get<1>().toHost(), (Floats{40, 80, 120, 160}));
  // Only together: the contract has one N for all.
  Tensor<float> longer = empty(6);
  Shared<float> wide = tensor({1, 1, 1, 1, 1, 1}).share();
  EXPECT_EQ(thrown(3, [&] { auto t = g.exchange<1>(std::move(longer)); }),
            "add: contract: N is 4 for axis 0 of %x and 6 for axis 0 of %z");
  EXPECT_EQ(longer.count(), 6); // refused, it is still here
  g.launch();
  EXPECT_EQ(g.get<1>().toHost(), (Floats{40, 80, 120, 160}));
  Graph h = record(axpy(3, x, Tensor<float>::zeros({4})));
  auto [oldX, oldY] = h.exchange<0, 1>(wide, Tensor<float>::zeros({6}));
  h.launch();
  EXPECT_EQ(h.get<1>().toHost(), Floats(6, 3));
  EXPECT_EQ(oldY.toHost(), Floats(4, 0));
  EXPECT_NE(h.text().find("axpy(N = 6; grid (1))"), std::string::npos);
}

TEST_F(Graphs, TakeOtherTensorsForAllCopies) {
  Graph g = record(add(x, x, empty()));
  EXPECT_NE(thrown(3, [&] { auto old = g.exchange<0, 1>(y, x); }), "nothing");
  auto old = g.exchange<0>(y);
  EXPECT_EQ(g.get<1>().address(), y.address());
  g.launch();
  EXPECT_EQ(g.get<2>().toHost()[3], 80);
  // Another view of the same tensor is not what is exchanged.
  auto parts = tensor({1, 2, 3, 4}).share();
  Graph h = record(add(parts.slice(0, 0, 2), parts.slice(0, 2, 4), empty(2)));
  EXPECT_NE(thrown(3, [&] { auto old = h.exchange<0>(x.slice(0, 0, 2)); }),
            "nothing");
  h.launch();
  EXPECT_EQ(h.get<2>().toHost(), (Floats{4, 6}));
}

TEST_F(Graphs, TakeOtherNumbers) {
  Graph g = record(sum(x, y, empty()));
  g.launch();
  g.set(1, "alpha", 10);
  EXPECT_EQ(g.get<1>().toHost()[0], 13); // the replay before has the old one
  g.launch();
  EXPECT_EQ(g.get<1>().toHost()[0], 21);
  EXPECT_EQ(thrown(3, [&] { g.set(0, "alpha", 1); }),
            "the kernel add has no symbol and no scalar alpha to be given");
  EXPECT_EQ(thrown(3, [&] { g.set(2, "alpha", 1); }),
            "graph of 2 (add, axpy): there is no launch 2");
  Graph h = record(setZero(empty()));
  EXPECT_EQ(thrown(3, [&] { h.set(0, "alpha", 1); }),
            "graph of 1 (setZero): launch 0 is setZero(16 bytes)");
}

} // namespace
