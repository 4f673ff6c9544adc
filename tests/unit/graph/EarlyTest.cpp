// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that wait by themselves: which of them a graph lets start early.

#include "runtime/graph/Graph.h"
#include "tests/unit/graph/Kernels.h"

#include <gtest/gtest.h>

using namespace girih;
using namespace girih::tests;
using Floats = std::vector<float>;

namespace {

/// The kernel z = x + y, which reads x before it waits where the symbol P is 1,
/// nothing where it is 2. Else another entry point is launched, which waits for
/// nothing by itself.
Kernel earlyAdd() {
  std::map<std::string, std::string> files = simulatedArtefact("add");
  Json manifest = Json::parse(files.at("manifest.json"));
  manifest.erase("seal");
  manifest["symbols"].push_back(
      {{"name", "P"}, {"type", "index"}, {"source", "caller"}});
  Json full = manifest["variants"][0];
  auto waiting = [&](const char *name, int p, Json early) {
    Json made = full;
    made["cubins"]["sm_90"]["launch"] = {{"threads", 64},
                                         {"shared", 0},
                                         {"early", std::move(early)},
                                         {"waits", true}};
    Json isP = {{"op", "=="},
                {"args", {{{"symbol", "P"}}, p}},
                {"text", "P == " + std::to_string(p)}};
    made["when"] = made["requires"] = Json::array({isP});
    made["name"] = name;
    return made;
  };
  Json early = waiting("add_early", 1, {"x"});
  Json late = waiting("add_late", 2, Json::array());
  full["when"] = Json::array();
  manifest["variants"] = Json::array({early, late, full});
  files["manifest.json"] = sealed(manifest);
  return kernelOf(files);
}

struct Early : testing::Test {
  void TearDown() override {
    Device::get().synchronize();
    EXPECT_EQ(simulated().errors(), std::vector<std::string>());
  }
  static auto add(Shared<float> x, Shared<float> y, Tensor<float> z,
                  int64_t p = 1) {
    static const Kernel kernel = earlyAdd();
    return kernel.launch({{"P", p}}, std::move(x), std::move(y), std::move(z));
  }
  /// The lines of the edges in a graph's text.
  static std::string edgesOf(const std::string &text) {
    size_t begin = text.find("edges"), end = text.find("critical");
    return text.substr(begin, end - begin);
  }
  Shared<float> w = tensor({1, 2, 3, 4}).share();
  Shared<float> x = tensor({10, 20, 30, 40}).share();
};

TEST_F(Early, StartsBehindWhatItDoesNotReadEarly) {
  int before = simulated().simCalls("cuGraphAddDependencies");
  Graph g = record([&](auto &run) {
    auto [w1, x1, y] = run(add(w, x, empty()));
    auto [w2, y1, z] = run(add(w, std::move(y).share(), empty()));
    return std::move(z);
  });
  EXPECT_EQ(edgesOf(g.text()), "edges 1 of 1\n0 -> 1 programmatic\n");
  EXPECT_NE(g.text().find("reads b0 early b2"), std::string::npos) << g.text();
  EXPECT_EQ(simulated().simCalls("cuGraphAddDependencies"), before + 1);
  for (int k = 0; k < 3; ++k) {
    g.sync();
  }
  EXPECT_EQ(g.get<0>().toHost(), (Floats{12, 24, 36, 48}));
}

TEST_F(Early, WaitsForWhatItReadsEarly) {
  int before = simulated().simCalls("cuGraphAddDependencies");
  Graph g = record([&](auto &run) {
    auto [w1, x1, y] = run(add(w, x, empty()));
    auto [y1, x2, z] = run(add(std::move(y).share(), x, empty()));
    return std::move(z);
  });
  EXPECT_EQ(edgesOf(g.text()), "edges 1 of 1\n0 -> 1\n");
  EXPECT_EQ(simulated().simCalls("cuGraphAddDependencies"), before);
  g.sync();
  EXPECT_EQ(g.get<0>().toHost(), (Floats{21, 42, 63, 84}));
}

/// What reads nothing early may start early behind whatever writes what it
/// reads; what does not wait starts when all is done.
TEST_F(Early, StartsWhereItReadsAllBehindItsWait) {
  for (int64_t p : {2, 3}) {
    Graph g = record([&](auto &run) {
      auto [w1, x1, y] = run(add(w, x, empty()));
      auto [y1, x2, z] = run(add(std::move(y).share(), x, empty(), p));
      return std::move(z);
    });
    EXPECT_EQ(edgesOf(g.text()), p == 2 ? "edges 1 of 1\n0 -> 1 programmatic\n"
                                        : "edges 1 of 1\n0 -> 1\n");
    g.sync();
    EXPECT_EQ(g.get<0>().toHost(), (Floats{21, 42, 63, 84}));
  }
}

/// 1 lets 2 start before it has waited for 0, of which 2 reads early.
TEST_F(Early, WaitsForWhatIsFurtherBefore) {
  Graph g = record([&](auto &run) {
    auto [w1, x1, a] = run(add(w, x, empty()));
    Shared<float> first = std::move(a).share();
    auto [w2, a1, b] = run(add(w, first, empty()));
    auto [a2, b1, c] = run(add(first, std::move(b).share(), empty()));
    return std::move(c);
  });
  EXPECT_EQ(edgesOf(g.text()), "edges 3 of 3\n0 -> 1 programmatic\n0 -> 2\n"
                               "1 -> 2 programmatic\n");
  g.sync();
  EXPECT_EQ(g.get<0>().toHost(), (Floats{23, 46, 69, 92}));
}

/// As a residual goes: 1 waits for 0, and 2 for 1.
TEST_F(Early, HasNoEdgeFromWhatTheLaunchBeforeWaitsFor) {
  Graph g = record([&](auto &run) {
    auto [w1, x1, a] = run(add(w, x, empty()));
    Shared<float> first = std::move(a).share();
    auto [w2, a1, b] = run(add(w, first, empty()));
    auto [b2, a2, c] = run(add(std::move(b).share(), first, empty(), 2));
    return std::move(c);
  });
  EXPECT_EQ(edgesOf(g.text()), "edges 2 of 3\n0 -> 1 programmatic\n"
                               "1 -> 2 programmatic\n");
  g.sync();
  EXPECT_EQ(g.get<0>().toHost(), (Floats{23, 46, 69, 92}));
}

TEST_F(Early, StartsBehindLaunchesAlone) {
  auto chain = [&](auto &run) {
    auto [w1, x1, y] = run(add(w, x, empty()));
    auto [w2, y1, z] = run(add(w, std::move(y).share(), empty()));
    return std::move(z);
  };
  Graph traced = record(chain, {.traced = true});
  EXPECT_EQ(edgesOf(traced.text()), "edges 1 of 1\n0 -> 1\n");
  Graph full = record(chain, {.early = false});
  EXPECT_EQ(edgesOf(full.text()), "edges 1 of 1\n0 -> 1\n");
  Shared<float> none = tensor({}).share();
  Graph g = record([&](auto &run) {
    auto [w1, x1, y] = run(add(none, none, empty(0)));
    auto [w2, y1, z] = run(add(none, std::move(y).share(), empty(0)));
    return std::move(z);
  });
  EXPECT_EQ(edgesOf(g.text()), "edges 1 of 1\n0 -> 1\n");
}

/// The other entry point would not wait at all.
TEST_F(Early, KeepsItsEntryPoint) {
  Graph g = record([&](auto &run) {
    auto [w1, x1, y] = run(add(w, x, empty()));
    auto [w2, y1, z] = run(add(w, std::move(y).share(), empty()));
    return std::move(z);
  });
  g.set(0, "P", 2);
  try {
    g.set(1, "P", 2);
    FAIL() << "it is launched without waiting";
  } catch (const RuntimeError &error) {
    EXPECT_EQ(error.code(), 3);
    EXPECT_NE(
        std::string(error.what())
            .find("it waits for the launches before it in another way than the "
                  "recorded one: record it again"),
        std::string::npos)
        << error.what();
  }
  g.sync();
  EXPECT_EQ(g.get<0>().toHost(), (Floats{12, 24, 36, 48}));
}

} // namespace
