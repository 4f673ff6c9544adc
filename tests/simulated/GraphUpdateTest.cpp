// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// New parameters for nodes of executable graphs: launches from then on have
// them, those that are queued the old ones, and a call that fails changes
// nothing.

#include "tests/simulated/Machine.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace girih::tests {

namespace cu = runtime::cu;

namespace {

constexpr size_t n = 8;

/// A graph y = 0; y += alpha x; z = y, node by node.
struct Chain {
  Machine m;
  void *stream = m.stream();
  uint64_t x = m.floats(n), y = m.floats(n), z = m.floats(n);
  void *axpy;
  void *graph = nullptr, *executable = nullptr;
  void *zero = nullptr, *add = nullptr, *copy = nullptr;

  explicit Chain(uint64_t seed = 1, const std::string &words = "")
      : m(seed), axpy(m.function("axpy", "4 8 8 8", words)) {
    m.h.fill32Behind(x, 0x3f800000, n, stream); // 1.0F
    m.h.graphCreate(&graph, 0);
    m.h.graphAddFillNode(&zero, graph, nullptr, 0, &fillParams, m.context);
    params(2, x, y);
    m.h.graphAddKernelNode(&add, graph, &zero, 1, &kernelParams);
    copyTo(y, z);
    m.h.graphAddCopyNode(&copy, graph, &add, 1, &copyParams, m.context);
    EXPECT_EQ(m.h.graphInstantiate(&executable, graph, 0), 0);
  }

  runtime::KernelNodeParams &params(float alpha, uint64_t from, uint64_t to) {
    values = {alpha, from, to, n};
    addresses[0] = &values.alpha;
    addresses[1] = &values.from;
    addresses[2] = &values.to;
    addresses[3] = &values.count;
    kernelParams.function = axpy;
    kernelParams.parameters = addresses;
    return kernelParams;
  }
  runtime::CopyParams &copyTo(uint64_t from, uint64_t to) {
    copyParams.from.memoryType = copyParams.to.memoryType = cu::memoryDevice;
    copyParams.from.device = from;
    copyParams.to.device = to;
    copyParams.widthInBytes = 4 * n;
    return copyParams;
  }
  int set(float alpha, uint64_t from, uint64_t to) {
    return m.h.graphExecKernelNodeSetParams(executable, add,
                                            &params(alpha, from, to));
  }
  float at(uint64_t address) {
    float value = -1;
    m.d.streamSynchronize(stream);
    m.s.simPeek(address, &value, sizeof value);
    return value;
  }
  void launch() { EXPECT_EQ(m.h.graphLaunch(executable, stream), 0); }

  struct {
    float alpha;
    uint64_t from, to;
    int64_t count;
  } values = {};
  void *addresses[4] = {};
  runtime::KernelNodeParams kernelParams;
  runtime::CopyParams copyParams;
  runtime::FillParams fillParams{y, 0, 0, 4, n, 1};
};

} // namespace

TEST(GraphUpdate, IsForLaunchesFromThenOn) {
  Chain c(1, "gated");
  c.launch();
  // It has not run and has the old parameters nevertheless.
  EXPECT_EQ(c.set(5, c.x, c.y), 0);
  c.m.s.simOpenGates();
  EXPECT_EQ(c.at(c.z), 2);
  c.launch();
  EXPECT_EQ(c.at(c.z), 5);
  EXPECT_EQ(c.m.s.simErrors(), 0);
}

TEST(GraphUpdate, ReachesCopiesAndFills) {
  Chain c;
  uint64_t other = c.m.floats(n);
  c.fillParams.value = 0x40800000; // 4.0F
  EXPECT_EQ(c.m.h.graphExecFillNodeSetParams(c.executable, c.zero,
                                             &c.fillParams, c.m.context),
            0);
  EXPECT_EQ(c.m.h.graphExecCopyNodeSetParams(
                c.executable, c.copy, &c.copyTo(c.y, other), c.m.context),
            0);
  c.launch();
  EXPECT_EQ(c.at(other), 6);
  EXPECT_EQ(c.m.s.simErrors(), 0);
}

TEST(GraphUpdate, OfWhatIsNoneChangesNothing) {
  Chain c;
  // Another kind of node, a function that is none, a node of another graph.
  EXPECT_EQ(c.m.h.graphExecKernelNodeSetParams(c.executable, c.copy,
                                               &c.params(9, c.x, c.y)),
            cu::invalidValue);
  EXPECT_EQ(c.m.h.graphExecCopyNodeSetParams(c.executable, c.add,
                                             &c.copyTo(c.x, c.y), c.m.context),
            cu::invalidValue);
  void *graph = nullptr, *node = nullptr;
  c.m.h.graphCreate(&graph, 0);
  c.m.h.graphAddKernelNode(&node, graph, nullptr, 0, &c.params(9, c.x, c.y));
  EXPECT_EQ(c.m.h.graphExecKernelNodeSetParams(c.executable, node,
                                               &c.params(9, c.x, c.y)),
            cu::invalidValue);
  c.m.s.simFailCall("cuGraphExecKernelNodeSetParams", 1, cu::outOfMemory);
  EXPECT_EQ(c.set(9, c.x, c.y), cu::outOfMemory);
  c.launch();
  EXPECT_EQ(c.at(c.z), 2);
  EXPECT_EQ(c.m.s.simErrors(), 0);
  c.m.h.graphDestroy(graph);
  EXPECT_EQ(c.m.h.graphExecKernelNodeSetParams(c.executable, node,
                                               &c.params(9, c.x, c.y)),
            cu::invalidHandle);
  EXPECT_TRUE(c.m.found("unknown handle"));
}

TEST(GraphUpdate, IsLookedThroughAsItRuns) {
  Chain c;
  uint64_t gone = c.m.floats(n);
  c.m.d.memoryFree(gone);
  EXPECT_EQ(c.set(1, gone, c.y), 0);
  EXPECT_EQ(c.m.s.simErrors(), 0);
  c.launch();
  EXPECT_TRUE(c.m.found("use after free"));
}

TEST(GraphUpdate, HasTheOrderOfItsNode) {
  // The kernel reads what the copy behind it writes; other streams are in no
  // order with it.
  Chain c;
  EXPECT_EQ(c.set(1, c.z, c.y), 0);
  c.m.h.fill32Behind(c.z, 0, n, c.stream);
  c.launch();
  EXPECT_EQ(c.m.s.simErrors(), 0);
  c.m.h.fill32Behind(c.z, 0, n, c.m.stream());
  EXPECT_TRUE(c.m.found("race"));
}

/// Updates that sometimes fail and launches on two streams, beside a model.
TEST(GraphUpdate, Random) {
  const char *text = std::getenv("GIRIH_DRAWS");
  int draws = text ? std::atoi(text) : 60;
  for (int seed = 1; seed <= draws; ++seed) {
    Chain c(static_cast<uint64_t>(seed));
    std::mt19937 random(static_cast<unsigned>(seed));
    void *streams[] = {c.stream, c.m.stream()};
    uint64_t sources[] = {c.x, c.m.floats(n)};
    c.m.h.fill32Behind(sources[1], 0x40400000, n, c.stream); // 3.0F
    c.m.d.streamSynchronize(c.stream);
    float alpha = 2, source = 1, wanted = 0;
    int last = 0;
    bool launched = false;
    for (int step = 0; step < 30; ++step) {
      int other = static_cast<int>(random() % 2);
      if (random() % 2) {
        bool fails = random() % 4 == 0;
        auto fresh = static_cast<float>(random() % 100);
        if (fails) {
          c.m.s.simFailCall("cuGraphExecKernelNodeSetParams", 1, 2);
        }
        ASSERT_EQ(c.set(fresh, sources[other], c.y), fails ? 2 : 0) << seed;
        alpha = fails ? alpha : fresh;
        source = fails ? source : other ? 3 : 1;
      } else {
        // One executable runs once at a time, on whatever streams.
        ASSERT_EQ(c.m.h.graphLaunch(c.executable, streams[other]), 0);
        last = other;
        wanted = alpha * source;
        launched = true;
      }
    }
    c.m.d.streamSynchronize(streams[last]);
    ASSERT_TRUE(!launched || c.at(c.z) == wanted) << seed;
    ASSERT_EQ(c.m.s.simErrors(), 0) << c.m.s.simError(0);
  }
}

} // namespace girih::tests
