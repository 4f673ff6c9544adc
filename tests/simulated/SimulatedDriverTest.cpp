// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kind of mistake is found where it is planted, and nothing else.

#include "tests/simulated/Machine.h"

#include "runtime/artefact/Artefact.h"

#include <atomic>
#include <gtest/gtest.h>
#include <vector>

namespace girih::tests {

namespace cu = runtime::cu;

TEST(Simulated, ComputesInStreamOrder) {
  Machine m;
  void *fill = m.function("fill", "8 4 8"), *add = m.function("add", "8 8 8 8");
  void *one = m.stream(), *two = m.stream();
  uint64_t x = m.floats(64), y = m.floats(64), z = m.floats(64);
  m.fill(fill, one, x, 2, 64);
  m.fill(fill, two, y, 3, 64);
  m.order(two, one);
  m.launch(add, one, x, y, z, int64_t(64));
  float out[64];
  EXPECT_EQ(m.d.copyToHostBehind(out, z, sizeof out, one), 0);
  EXPECT_EQ(m.d.streamSynchronize(one), 0);
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[63], 5);
  EXPECT_EQ(m.s.simErrors(), 0);
}

TEST(Simulated, FindsARace) {
  Machine m;
  void *fill = m.function("fill", "8 4 8");
  void *one = m.stream(), *two = m.stream();
  uint64_t x = m.floats(64);
  m.fill(fill, one, x, 2, 64);
  m.fill(fill, two, x + 128, 3, 8);
  EXPECT_TRUE(m.found("race"));
}

TEST(Simulated, DisjointBytesDoNotRace) {
  Machine m;
  void *fill = m.function("fill", "8 4 8");
  void *one = m.stream(), *two = m.stream();
  uint64_t x = m.floats(64);
  m.fill(fill, one, x, 2, 32);
  m.fill(fill, two, x + 128, 3, 32);
  EXPECT_EQ(m.s.simErrors(), 0);
}

TEST(Simulated, FindsAUseAfterFree) {
  Machine m;
  void *fill = m.function("fill", "8 4 8"), *one = m.stream();
  uint64_t x = 0;
  EXPECT_EQ(m.h.memoryAllocateBehind(&x, 256, one), 0);
  m.fill(fill, one, x, 1, 64);
  EXPECT_EQ(m.h.memoryFreeBehind(x, one), 0);
  EXPECT_EQ(m.s.simErrors(), 0);
  m.fill(fill, one, x, 1, 64);
  EXPECT_TRUE(m.found("use after free"));
  EXPECT_EQ(m.d.streamSynchronize(one), cu::illegalAddress);
  EXPECT_EQ(m.d.contextSynchronize(), cu::illegalAddress);
}

TEST(Simulated, FindsAFreeInFlight) {
  Machine m;
  void *fill = m.function("fill", "8 4 8");
  void *one = m.stream(), *two = m.stream();
  uint64_t x = 0;
  m.h.memoryAllocateBehind(&x, 256, one);
  m.fill(fill, one, x, 1, 64);
  m.h.memoryFreeBehind(x, two);
  EXPECT_EQ(m.s.simErrors(), 1);
  EXPECT_TRUE(m.s.errors()[0].starts_with("free "));
}

TEST(Simulated, FindsAUseOfFreedHostMemory) {
  Machine m;
  void *one = m.stream(), *pinned = nullptr;
  uint64_t x = m.floats(1024);
  EXPECT_EQ(m.h.hostAllocate(&pinned, 4096, 0), 0);
  EXPECT_EQ(m.h.copyToDeviceBehind(x, pinned, 4096, one), 0);
  EXPECT_EQ(m.d.streamSynchronize(one), 0);
  EXPECT_EQ(m.h.hostFree(pinned), 0);
  EXPECT_EQ(m.s.simErrors(), 0);
  EXPECT_EQ(m.h.copyToDeviceBehind(x, pinned, 4096, one), 0);
  EXPECT_TRUE(m.found("use after free"));
}

// A copy from a vector that lies where pinned memory was is none of that.
TEST(Simulated, OtherHostMemoryIsNeverWherePinnedMemoryWas) {
  Machine m;
  void *one = m.stream();
  uint64_t x = m.floats(size_t(1) << 18);
  for (size_t bytes : {64, 4096, 12288, 1 << 18, 1 << 20}) {
    void *pinned = nullptr;
    EXPECT_EQ(m.h.hostAllocate(&pinned, bytes, 0), 0);
    EXPECT_EQ(m.h.hostFree(pinned), 0);
    std::vector<std::vector<char>> others;
    for (int k = 0; k < 64; ++k) {
      others.emplace_back(bytes);
      EXPECT_EQ(m.h.copyToDeviceBehind(x, others.back().data(), bytes, one), 0);
    }
    EXPECT_EQ(m.d.streamSynchronize(one), 0);
  }
  EXPECT_EQ(m.s.simErrors(), 0);
}

TEST(Simulated, FindsADoubleFreeAndAForeignHandle) {
  Machine m;
  uint64_t x = m.floats(4);
  EXPECT_EQ(m.d.memoryFree(x), 0);
  EXPECT_EQ(m.d.memoryFree(x), cu::invalidValue);
  EXPECT_TRUE(m.found("double free"));
  m.s.simReset(1);
  int local = 0;
  EXPECT_EQ(m.h.streamQuery(&local), cu::invalidHandle);
  EXPECT_TRUE(m.found("unknown handle"));
}

TEST(Simulated, UseOnAnotherStreamWaitsForTheAllocation) {
  Machine m;
  void *fill = m.function("fill", "8 4 8");
  void *one = m.stream(), *two = m.stream();
  uint64_t x = 0;
  m.h.memoryAllocateBehind(&x, 256, one);
  m.fill(fill, two, x, 1, 64);
  EXPECT_TRUE(m.found("use before allocation"));
}

TEST(Simulated, FailsWhatItIsToldTo) {
  Machine m;
  uint64_t x = 0;
  m.s.simFailCall("cuMemAlloc", 2, cu::outOfMemory);
  EXPECT_EQ(m.d.memoryAllocate(&x, 16), 0);
  EXPECT_EQ(m.d.memoryAllocate(&x, 16), cu::outOfMemory);
  EXPECT_EQ(m.d.memoryAllocate(&x, 16), 0);
  m.s.simMemoryLimit(0, 64);
  EXPECT_EQ(m.d.memoryAllocate(&x, 64), cu::outOfMemory);
  EXPECT_EQ(m.s.simLiveBytes(0), 32u);
  EXPECT_EQ(m.s.simFindLeaks(), 2);
}

TEST(Simulated, GatesHoldWork) {
  Machine m;
  void *fill = m.function("fill", "8 4 8", "gated"), *one = m.stream();
  m.fill(fill, one, m.floats(4), 1, 4);
  EXPECT_EQ(m.h.streamQuery(one), cu::notReady);
  m.s.simOpenGates();
  EXPECT_EQ(m.d.streamSynchronize(one), 0);
}

TEST(Simulated, HostFunctionsRunInOrderAndMayNotCall) {
  Machine m;
  static std::atomic<int> result{-1};
  static Machine *machine = &m;
  machine = &m;
  void *one = m.stream();
  m.h.launchHostFunction(
      one, [](void *) { result = machine->d.init(0); }, nullptr);
  m.d.streamSynchronize(one);
  EXPECT_EQ(result, 800);
  EXPECT_TRUE(m.found("call in a host function"));
}

TEST(Simulated, CapturesAndLaunchesGraphs) {
  Machine m;
  void *fill = m.function("fill", "8 4 8"),
       *scale = m.function("scale", "4 8 8");
  void *one = m.stream(), *two = m.stream();
  uint64_t x = m.floats(8), y = m.floats(8);
  EXPECT_EQ(m.h.streamBeginCapture(one, cu::captureThreadLocal), 0);
  m.fill(fill, one, x, 2, 8);
  m.order(one, two);
  m.fill(fill, two, y, 3, 8);
  m.launch(scale, one, 2.0F, x, int64_t(8));
  m.order(two, one);
  void *graph = nullptr, *executable = nullptr;
  ASSERT_EQ(m.h.streamEndCapture(one, &graph), 0);
  ASSERT_EQ(m.h.graphInstantiate(&executable, graph, 0), 0);
  EXPECT_EQ(m.h.graphLaunch(executable, one), 0);
  EXPECT_EQ(m.h.graphLaunch(executable, two), 0);
  EXPECT_EQ(m.d.streamSynchronize(two), 0);
  float value = 0;
  EXPECT_EQ(m.s.simPeek(x, &value, 4), 0);
  EXPECT_EQ(value, 4);
  EXPECT_EQ(m.s.simErrors(), 0);
}

TEST(Simulated, ForgottenJoinAndUnsafeCallsEndACapture) {
  Machine m;
  void *one = m.stream(), *two = m.stream(), *graph = nullptr;
  void *fill = m.function("fill", "8 4 8");
  uint64_t x = m.floats(8), y = 0;
  m.h.streamBeginCapture(one, cu::captureThreadLocal);
  m.fill(fill, one, x, 1, 8);
  m.order(one, two);
  m.fill(fill, two, x, 1, 8);
  EXPECT_EQ(m.h.streamEndCapture(one, &graph), cu::captureUnjoined);
  m.h.streamBeginCapture(one, cu::captureThreadLocal);
  EXPECT_EQ(m.d.memoryAllocate(&y, 8), cu::captureUnsupported);
  EXPECT_EQ(m.h.streamEndCapture(one, &graph), cu::captureInvalidated);
}

TEST(Simulated, RefusesCycles) {
  Machine m;
  void *graph = nullptr, *a = nullptr, *b = nullptr, *executable = nullptr;
  m.h.graphCreate(&graph, 0);
  m.h.graphAddEmptyNode(&a, graph, nullptr, 0);
  m.h.graphAddEmptyNode(&b, graph, &a, 1);
  EXPECT_EQ(m.h.graphAddDependencies(graph, &b, &a, nullptr, 1), 0);
  EXPECT_EQ(m.h.graphInstantiate(&executable, graph, 0), cu::invalidValue);
}

TEST(Simulated, ArtefactsOpen) {
  for (const char *kernel :
       {"add", "fill", "copy", "scale", "axpy", "gemm", "gemm_strided",
        "fill_rows", "reduce", "accumulate"}) {
    Folder folder(simulatedArtefact(kernel));
    auto artefact = runtime::loadArtefact(folder.path());
    EXPECT_TRUE(artefact) << kernel << ": " << artefact.error().reason;
  }
}

} // namespace girih::tests
