// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results that leave a graph between its replays and come back, graphs that
// have tensors in common, and pieces that a recording joins: on the simulated
// driver, which finds races.

#include "runtime/graph/Graph.h"
#include "tests/unit/graph/Kernels.h"

#include <gtest/gtest.h>
#include <random>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;

namespace {

struct Lent : testing::Test {
  void TearDown() override {
    Device::get().synchronize();
    EXPECT_EQ(Device::get().memory().failedFrees, 0u);
    EXPECT_EQ(simulated().errors(), std::vector<std::string>());
  }
  /// The text of a refusal.
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

TEST_F(Lent, ResultsAreUsedBetweenReplays) {
  Graph g = record(scale(2, tensor({1, 2, 3})));
  for (int k = 0; k < 20; ++k) {
    g.launch();
    g.put<0>(scale(0.5, g.take<0>()).queue(Stream::create()));
  }
  g.launch();
  EXPECT_EQ(g.get<0>().toHost(), (Floats{2, 4, 6}));
}

TEST_F(Lent, ResultsAreReadBackBehindTheirReplay) {
  Graph g = record(scale(2, tensor({1, 2, 3})));
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<Readback<float>> all;
    std::vector<float> factors;
    // In place: each replay doubles what the one before has left.
    g.put<0>(scale(0, g.take<0>()).queue());
    for (int k = 0; k < 6; ++k) {
      Tensor<float> taken = g.take<0>();
      taken.assign(Floats{float(k), 1, float(round)});
      g.put<0>(std::move(taken));
      if (random() % 2) {
        g.launch();
      } else {
        g.launch(Stream::create());
      }
      all.push_back(g.get<0>().readBack());
    }
    while (!all.empty()) {
      std::size_t k = random() % all.size();
      factors.push_back(all[k].get()[0]);
      EXPECT_EQ(all[k].get()[1], 2);
      EXPECT_EQ(all[k].get()[2], 2.0f * float(round));
      EXPECT_TRUE(all[k].isReady());
      all.erase(all.begin() + std::ptrdiff_t(k));
    }
    std::ranges::sort(factors);
    EXPECT_EQ(factors, (Floats{0, 2, 4, 6, 8, 10}));
  }
}

TEST_F(Lent, NothingRunsWithoutThem) {
  Graph g = record(scale(2, tensor({1, 2, 3})));
  Graph other = record(scale(3, tensor({1, 1, 1})));
  Tensor<float> out = g.take<0>();
  std::string why = "graph of 1 (scale): its result 0 is taken out";
  EXPECT_EQ(refused([&] { g.launch(); }), why);
  EXPECT_EQ(refused([&] { g.sync(); }), why);
  EXPECT_EQ(refused([&] { auto all = std::move(g).dissolve(); }), why);
  EXPECT_EQ(refused([&] { auto none = g.take<0>(); }), "the tensor was moved");
  EXPECT_EQ(refused([&] { g.get<0>().toHost(); }), "the tensor was moved");
  // Another tensor is refused and stays here, and so does a part of this one.
  Tensor<float> wrong = empty(3);
  std::string another = "graph of 1 (scale): what is put back is not the "
                        "result 0 that was taken out";
  EXPECT_EQ(refused([&] { g.put<0>(std::move(wrong)); }), another);
  EXPECT_EQ(wrong.count(), 3);
  EXPECT_EQ(refused([&] { other.put<0>(std::move(out)); }),
            "graph of 1 (scale): its result 0 is not taken out");
  out = std::move(out).reshape({1, 3});
  EXPECT_EQ(refused([&] { g.put<0>(std::move(out)); }), another);
  out = std::move(out).reshape({3});
  g.put<0>(std::move(out));
  g.launch();
  EXPECT_EQ(std::move(g).dissolve().toHost(), (Floats{2, 4, 6}));
  // Whoever drops it has ended the replays, and nothing else.
  {
    Tensor<float> dropped = other.take<0>();
  }
  EXPECT_NE(refused([&] { other.launch(); }), "nothing");
}

TEST_F(Lent, GraphsShareThem) {
  Graph doubles = record(scale(2, tensor({1, 2, 3})));
  Graph triples = record(scale(3, doubles.take<0>()));
  // One of the two has it.
  std::mt19937 random(7);
  float factor = 1;
  bool isOut = true;
  for (int k = 0; k < 40; ++k) {
    bool wanted = random() % 2 != 0;
    if (wanted && !isOut) {
      triples.put<0>(doubles.take<0>());
    } else if (!wanted && isOut) {
      doubles.put<0>(triples.take<0>());
    }
    isOut = wanted;
    (isOut ? triples.launch() : doubles.launch());
    EXPECT_NE(refused([&] { isOut ? doubles.launch() : triples.launch(); }),
              "nothing");
    factor *= isOut ? 3 : 2;
    if (k % 8 == 7) {
      Tensor<float> now = isOut ? triples.take<0>() : doubles.take<0>();
      EXPECT_EQ(now.toHost(), (Floats{factor, 2 * factor, 3 * factor}));
      now = scale(1 / factor, std::move(now)).queue();
      isOut ? triples.put<0>(std::move(now)) : doubles.put<0>(std::move(now));
      factor = 1;
    }
  }
}

/// A tensor with another owner is refused, whoever has lent it.
TEST_F(Lent, NobodyElseHasThem) {
  Graph g = record(scale(2, tensor({1, 2})));
  std::optional<Tensor<float>> kept;
  EXPECT_NE(refused([&] {
              auto other = record(scale(2, g.take<0>()).let([&](auto t) {
                kept = std::move(t);
                return fill(2, empty());
              }));
            }),
            "nothing");
  g.put<0>(std::move(*kept));
  g.sync();
  EXPECT_EQ(g.get<0>().toHost(), (Floats{2, 4}));
}

TEST_F(Lent, PiecesAreJoined) {
  Graph g = record([](Recording &run) {
    auto pieces = run(fill(1, empty(9))).partition({3});
    for (int k = 0; k < 3; ++k) {
      auto piece = run(scale(k + 2, pieces[static_cast<size_t>(k)]));
    }
    Tensor<float> all = run.join(std::move(pieces));
    auto again = run(scale(10, std::move(all))).partition({5});
    {
      auto piece = run(scale(2, again[1]));
    }
    return run.join(std::move(again));
  });
  EXPECT_EQ(g.report().edges,
            (std::vector<DagEdge>{
                {0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 5}}));
  for (int k = 0; k < 3; ++k) {
    g.launch();
    Tensor<float> all = scale(0.1, g.take<0>()).queue(Stream::create());
    EXPECT_EQ(all.toHost(), (Floats{2, 2, 2, 3, 3, 6, 8, 8, 8}));
    g.put<0>(std::move(all));
  }
}

TEST_F(Lent, PiecesThatAreOutAreNotJoined) {
  EXPECT_EQ(refused([&] {
              auto g = record([](Recording &run) {
                auto pieces = empty(4).partition({2});
                auto piece = run(fill(1, pieces[1]));
                return run.join(std::move(pieces));
              });
            }),
            "piece [1] is out: a tensor is joined of all pieces");
  // Uses of pieces and of their tensor would be in no order.
  auto pieces = Tensor<float>::zeros({4}).partition({2});
  Graph g = record(whenAll(fill(1, pieces[0]), fill(2, pieces[1])));
  EXPECT_NE(refused([&] { auto out = g.take<0>(); }), "nothing");
  g.sync();
  EXPECT_EQ(g.get<1>().toHost(), (Floats{2, 2}));
}

TEST_F(Lent, PiecesOfOthersWaitForTheTensor) {
  Tensor<float> some = fill(1, empty(8)).queue();
  Graph g = record([&](Recording &run) {
    auto pieces = std::move(some).partition({4});
    {
      auto piece = run(scale(2, pieces[0]));
    }
    return run.join(std::move(pieces));
  });
  g.launch();
  g.launch(Stream::create());
  auto pieces = g.take<0>().partition({2});
  for (size_t k = 0; k < 4; ++k) {
    auto piece = scale(3, pieces[k]).queue(Stream::create());
  }
  g.put<0>(std::move(pieces).join());
  g.launch(Stream::create());
  EXPECT_EQ(g.get<0>().toHost(), (Floats{24, 24, 24, 24, 3, 3, 3, 3}));
}

} // namespace
