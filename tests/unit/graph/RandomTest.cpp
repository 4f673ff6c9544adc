// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random pipelines, recorded and replayed, beside the same pipelines launched
// directly: over streams and threads, with other tensors and numbers between
// replays, and with calls of the driver that fail.

#include "runtime/graph/Graph.h"
#include "tests/unit/Long.h"
#include "tests/unit/graph/Kernels.h"

#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;

namespace {

constexpr int tensorCount = 5, depth = 4, nodesPerStep = 4;
constexpr int64_t elements = 3;

/// What a pipeline does, as numbers: so that it can be made again.
struct Program {
  struct Step {
    /// Tensors, all different, and kernels.
    int x = 0, y = 1, z = 2;
    bool copies = false, scales = false;
    int first = 0, second = 0; ///< streams, of a direct launch
  };
  std::vector<Step> steps;
  /// By node: of axpy and scale the factor, of fill the value.
  std::vector<double> numbers;

  explicit Program(std::mt19937 &random) {
    for (int k = 0; k < depth; ++k) {
      int at[tensorCount];
      std::iota(at, at + tensorCount, 0);
      std::shuffle(at, at + tensorCount, random);
      steps.push_back({at[0], at[1], at[2], random() % 3 == 0,
                       random() % 2 == 0, int(random() % 3),
                       int(random() % 3)});
      for (int n = 0; n < nodesPerStep; ++n) {
        numbers.push_back(double(int(random() % 5)) - 2);
      }
    }
  }
  /// The number of a node by its name in the kernel; none where it has none.
  const char *nameOf(size_t node) const {
    const Step &step = steps[node / nodesPerStep];
    switch (node % nodesPerStep) {
    case 0:
      return step.copies ? nullptr : "alpha";
    case 1:
      return step.scales ? "alpha" : "value";
    case 2:
      return "value";
    default:
      return "alpha";
    }
  }
};

struct State {
  std::shared_ptr<const Program> program;
  std::vector<Stream> streams; ///< none while a graph is recorded
  std::vector<std::optional<Tensor<float>>> tensors;

  Tensor<float> take(int number) {
    Tensor<float> out = std::move(*tensors[number]);
    tensors[number].reset();
    return out;
  }
  Stream stream(int number) const {
    return streams.empty() ? Device::get().nextStream() : streams[number];
  }
};

/// y += alpha x, or y = x.
auto two(const Program::Step &step, double number, Tensor<float> x,
         Tensor<float> y) {
  static const auto &axpy = *new Kernel(simulatedKernel("axpy"));
  static const auto &copies = *new Kernel(simulatedKernel("copy"));
  NamedValues values;
  if (!step.copies) {
    values["alpha"] = number;
  }
  return (step.copies ? copies : axpy)
      .launch(values, std::move(x), std::move(y));
}
/// z *= alpha, or z = value.
auto one(const Program::Step &step, double number, Tensor<float> z) {
  return step.scales ? scale(number, std::move(z)) : fill(number, std::move(z));
}

template <int left> auto pipeline(State state) {
  if constexpr (left == 0) {
    return std::apply([](auto &...each) { return just(std::move(*each)...); },
                      std::tie(state.tensors[0], state.tensors[1],
                               state.tensors[2], state.tensors[3],
                               state.tensors[4]));
  } else {
    const Program::Step step = state.program->steps[depth - left];
    const double *numbers =
        &state.program->numbers[(depth - left) * nodesPerStep];
    Stream first = state.stream(step.first), second = state.stream(step.second);
    Tensor<float> x = state.take(step.x), y = state.take(step.y),
                  z = state.take(step.z);
    return whenAll(two(step, numbers[0], std::move(x), std::move(y)).on(first),
                   one(step, numbers[1], std::move(z)).on(second),
                   fill(numbers[2], empty(elements)).on(first),
                   just(std::move(state)))
        .let([=](auto x, auto y, auto z, auto temporary, State state) {
          double alpha =
              state.program->numbers[(depth - left) * nodesPerStep + 3];
          state.tensors[step.x] = std::move(x);
          state.tensors[step.y] = std::move(y);
          return whenAll(
                     axpy(alpha, std::move(temporary), std::move(z)).on(second),
                     just(std::move(state)))
              .let([=](auto, auto z, State state) {
                state.tensors[step.z] = std::move(z);
                return pipeline<left - 1>(std::move(state));
              });
        });
  }
}

Floats contentsOf(std::mt19937 &random) {
  Floats out(elements);
  for (float &each : out) {
    each = float(random() % 7);
  }
  return out;
}

/// A pipeline as a graph, and its tensors as they are when it runs directly.
struct Both {
  std::mt19937 random;
  Program program;
  std::vector<Stream> streams;
  std::vector<Floats> start;
  std::vector<Tensor<float>> direct;

  explicit Both(unsigned seed) : random(seed), program(random) {
    for (int k = 0; k < 3; ++k) {
      streams.push_back(Stream::create());
    }
    for (int k = 0; k < tensorCount; ++k) {
      start.push_back(contentsOf(random));
      direct.push_back(tensor(start.back()));
    }
  }
  auto recorded() {
    State state{std::make_shared<Program>(program), {}, {}};
    for (const Floats &each : start) {
      state.tensors.emplace_back(tensor(each));
    }
    return record(pipeline<depth>(std::move(state)));
  }
  void launch() {
    State state{std::make_shared<Program>(program), streams, {}};
    for (Tensor<float> &each : direct) {
      state.tensors.emplace_back(std::move(each));
    }
    auto results = syncWait(pipeline<depth>(std::move(state)));
    direct.clear();
    std::apply([&](auto &...each) { (direct.push_back(std::move(each)), ...); },
               *results);
  }
  template <typename G> bool agree(const G &graph) const {
    return graph.template get<0>().toHost() == direct[0].toHost() &&
           graph.template get<1>().toHost() == direct[1].toHost() &&
           graph.template get<2>().toHost() == direct[2].toHost() &&
           graph.template get<3>().toHost() == direct[3].toHost() &&
           graph.template get<4>().toHost() == direct[4].toHost();
  }
};

struct Random : testing::Test {
  void SetUp() override { live = Device::get().memory().live; }
  void TearDown() override {
    simulated().simDelay(60);
    Device::get().synchronize();
    EXPECT_EQ(Device::get().memory().live, live);
    EXPECT_EQ(simulated().errors(), std::vector<std::string>());
  }
  uint64_t live = 0;
  unsigned rounds = girih::test::isLong ? 2000 : 40;
};

TEST_F(Random, AgreesWithDirectLaunches) {
  simulated().simDelay(100);
  size_t orders = 0;
  for (unsigned seed = 0; seed < rounds; ++seed) {
    Both both(seed);
    auto graph = both.recorded();
    ASSERT_EQ(graph.size(), size_t(depth * nodesPerStep));
    orders += graph.report().criticalPath.size() < graph.size();
    for (int step = 0; step < 8; ++step) {
      switch (both.random() % 4) {
      case 0: {
        Floats fresh = contentsOf(both.random);
        both.direct[2] = tensor(fresh);
        auto old = graph.exchange<2>(tensor(fresh));
        break;
      }
      case 1: {
        size_t node = both.random() % graph.size();
        if (const char *name = both.program.nameOf(node)) {
          both.program.numbers[node] = int(both.random() % 5) - 2;
          graph.set(node, name, both.program.numbers[node]);
        }
        break;
      }
      default:
        both.random() % 2 ? graph.launch()
                          : graph.launch(both.streams[both.random() % 3]);
        both.launch();
      }
      if (both.random() % 3 == 0) {
        ASSERT_TRUE(both.agree(graph)) << seed << " " << graph.text();
      }
    }
    ASSERT_TRUE(both.agree(graph)) << seed;
  }
  EXPECT_GT(orders, rounds / 2); // not all of them are chains
}

TEST_F(Random, AgreesOverThreads) {
  simulated().simDelay(100);
  for (unsigned seed = 0; seed < rounds / 4; ++seed) {
    Both one(1000 + seed), other(5000 + seed);
    auto graph = one.recorded(), second = other.recorded();
    {
      std::vector<std::jthread> threads;
      for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&] {
          Stream stream = Stream::create();
          for (int k = 0; k < 4; ++k) {
            graph.launch(stream);
            second.replay().sync();
          }
        });
      }
    }
    for (int k = 0; k < 12; ++k) {
      one.launch();
      other.launch();
    }
    ASSERT_TRUE(one.agree(graph) && other.agree(second)) << seed;
  }
}

//===-- Failures ----------------------------------------------------------===//

/// y += alpha x on a graph of three launches, some of which fail; what did not
/// throw has happened, what threw has not.
struct Failing {
  float wanted = 0, alpha = 2;
  int errors = 0;

  template <typename Run> bool tried(Run run) {
    try {
      run();
      return true;
    } catch (const RuntimeError &error) {
      EXPECT_EQ(error.code(), 1) << error.what();
      ++errors;
      return false;
    }
  }
  void run(std::mt19937 random) {
    std::optional<Shared<float>> x;
    std::optional<Graph<Shared<float>, Tensor<float>>> graph;
    tried([&] {
      x = tensor({1, 1, 1}).share();
      graph.emplace(record(
          axpy(alpha, *x, Tensor<float>::zeros({3})).let([](auto a, auto y) {
            return axpy(1, std::move(a), std::move(y)).let([](auto a, auto y) {
              return add(std::move(a), std::move(y), empty(3))
                  .let([](auto a, auto y, auto) {
                    return axpy(3, std::move(a), std::move(y));
                  });
            });
          })));
    });
    for (int step = 0; graph && step < 12; ++step) {
      switch (random() % 3) {
      case 0:
        tried([&] {
          auto fresh = float(random() % 9);
          graph->set(0, "alpha", fresh);
          alpha = fresh;
        });
        break;
      case 1:
        tried([&] {
          auto fresh = tensor({5, 5, 5});
          auto old = graph->exchange<1>(std::move(fresh));
          wanted = 5;
        });
        break;
      default:
        tried([&] {
          graph->launch();
          wanted += alpha + 4;
        });
      }
    }
    simulated().simStopFailing();
    if (graph) {
      ASSERT_EQ(graph->get<1>().toHost(), Floats(3, wanted));
      graph->sync();
      auto [a, y] = std::move(*graph).dissolve();
      ASSERT_EQ(y.toHost(), Floats(3, wanted + alpha + 4));
    }
  }
};

/// What gives something back is not asked to fail: nobody could do anything.
void spare() {
  for (const char *name :
       {"cuGraphDestroy", "cuGraphExecDestroy", "cuEventDestroy", "cuMemFree",
        "cuMemFreeAsync", "cuStreamDestroy", "cuCtxPushCurrent",
        "cuCtxPopCurrent", "cuEventRecord", "cuStreamWaitEvent"}) {
    simulated().simSpare(name);
  }
}

/// Makes what the library keeps: its streams, events to use again, code.
void warm() {
  for (int k = 0; k < 16; ++k) {
    auto used = Device::get().nextStream();
    Failing().run(std::mt19937(static_cast<unsigned>(k)));
  }
}

TEST_F(Random, EveryCallFailsOnce) {
  warm();
  spare();
  int handles = simulated().simLiveHandles();
  int failed = 0;
  for (unsigned seed = 1; seed <= rounds / 10; ++seed) {
    for (int n = 1; n < 150; ++n) {
      simulated().simFailCall("*", n, 2);
      Failing failing;
      failing.run(std::mt19937(seed));
      // An error shows once, where it happened.
      ASSERT_LE(failing.errors, 1) << seed << ": " << n;
      failed += failing.errors;
    }
  }
  EXPECT_GT(failed, int(rounds));
  Device::get().synchronize();
  EXPECT_EQ(simulated().simLiveHandles(), handles);
}

TEST_F(Random, ManyCallsFail) {
  warm();
  spare();
  int handles = simulated().simLiveHandles();
  for (unsigned seed = 1; seed <= 5 * rounds; ++seed) {
    simulated().simFailRandomly(0.05, 2);
    Failing().run(std::mt19937(seed));
  }
  Device::get().synchronize();
  EXPECT_EQ(simulated().simLiveHandles(), handles);
}

} // namespace
