// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the simulated driver sees of kernels of the language: accesses, mistakes
// in ordering, contracts, cubins that are none.

#include "tests/simulated/ExecutedCall.h"

#include "runtime/artefact/Artefact.h"

#include <elf.h>
#include <filesystem>
#include <gtest/gtest.h>

namespace girih::tests {

namespace cu = runtime::cu;

namespace {

std::string cubinOf(const std::string &kernel) {
  for (const auto &entry :
       std::filesystem::directory_iterator(GIRIH_EXECUTED "/" + kernel)) {
    if (entry.path().extension() == ".cubin") {
      return *runtime::readFile(entry.path());
    }
  }
  return "";
}

/// The function of a kernel, for calls of the driver.
void *functionOf(Machine &m, const std::string &kernel) {
  void *module = nullptr, *function = nullptr;
  EXPECT_EQ(m.d.moduleLoadData(&module, cubinOf(kernel).data()), 0);
  EXPECT_EQ(m.d.moduleGetFunction(&function, module, kernel.c_str()), 0);
  return function;
}

ExecutedCall filled(const ExecutedArtefact &artefact,
                    std::map<std::string, int64_t> symbols,
                    std::vector<std::string> given = {}) {
  ExecutedCall call(artefact, std::move(symbols), std::move(given));
  std::mt19937_64 random(1);
  call.fill(random);
  return call;
}

} // namespace

TEST(ExecutedChecks, LaunchesInOrderAreSound) {
  Machine m;
  ExecutedArtefact add("add");
  ExecutedCall first = filled(add, {{"N", 1500}}),
               second = filled(add, {{"N", 1500}});
  second.share("x", first, "z");
  void *one = m.stream(), *two = m.stream();
  EXPECT_EQ(first.queue(one), 0);
  m.order(one, two);
  EXPECT_EQ(second.queue(two), 0);
  EXPECT_EQ(m.d.contextSynchronize(), 0);
  EXPECT_EQ(m.s.simErrors(), 0);
  EXPECT_EQ(first.difference(), "");
}

TEST(ExecutedChecks, FindARace) {
  Machine m;
  ExecutedArtefact add("add");
  ExecutedCall first = filled(add, {{"N", 1500}}),
               second = filled(add, {{"N", 1500}});
  second.share("x", first, "z");
  void *one = m.stream(), *two = m.stream();
  EXPECT_EQ(first.queue(one), 0);
  EXPECT_EQ(second.queue(two), 0);
  EXPECT_TRUE(m.found("race"));
}

TEST(ExecutedChecks, RowsOfACacheDoNotRaceUnlessTheyAreOne) {
  for (int64_t row : {1, 2}) {
    Machine m;
    ExecutedArtefact append("kv_append");
    std::map<std::string, int64_t> symbols{
        {"S", 1}, {"H", 2}, {"T", 4}, {"pos", 1}};
    ExecutedCall first = filled(append, symbols, {"pos"});
    symbols["pos"] = row;
    ExecutedCall second = filled(append, symbols, {"pos"});
    second.share("k_cache", first, "k_cache");
    EXPECT_EQ(first.queue(m.stream()), 0);
    EXPECT_EQ(second.queue(m.stream()), 0);
    EXPECT_EQ(m.s.simErrors() > 0, row == 1);
  }
}

TEST(ExecutedChecks, AtomicsDoNotRaceAmongEachOther) {
  Machine m;
  ExecutedArtefact histogram("histogram");
  std::map<std::string, int64_t> symbols{{"N", 2000}, {"V", 1}};
  ExecutedCall first = filled(histogram, symbols);
  std::vector<ExecutedCall> more;
  for (int k = 0; k < 6; ++k) {
    more.push_back(filled(histogram, symbols));
    more.back().share("hist", first, "hist");
  }
  first.put("hist", {0});
  for (const ExecutedCall &call : more) {
    EXPECT_EQ(call.queue(m.stream()), 0);
  }
  EXPECT_EQ(m.d.contextSynchronize(), 0);
  EXPECT_EQ(m.s.simErrors(), 0);
  int32_t count = 0;
  std::memcpy(&count, first.contents()["hist"].data(), sizeof count);
  EXPECT_EQ(count, 6 * 2000);
}

TEST(ExecutedChecks, FindWhatIsOutOfBounds) {
  Machine m;
  void *add = functionOf(m, "add"), *stream = m.stream();
  uint64_t x = m.floats(100), z = m.floats(99);
  EXPECT_EQ(m.launch(add, stream, x, x, z, int64_t(100)), 0);
  EXPECT_TRUE(m.found("out of bounds"));
  EXPECT_EQ(m.d.streamSynchronize(stream), cu::illegalAddress);
}

TEST(ExecutedChecks, FindAUseAfterFree) {
  Machine m;
  void *add = functionOf(m, "add"), *stream = m.stream();
  uint64_t x = m.floats(100), z = m.floats(100);
  m.d.memoryFree(x);
  EXPECT_EQ(m.launch(add, stream, x, x, z, int64_t(100)), 0);
  EXPECT_TRUE(m.s.errors()[0].starts_with("use after free: "));
}

TEST(ExecutedChecks, FindALaunchThatTheContractForbids) {
  Machine m;
  void *gemv = functionOf(m, "gemv"), *stream = m.stream();
  uint64_t x = m.floats(100);
  // Seven is no multiple of eight.
  EXPECT_EQ(m.launch(gemv, stream, x, x, x, int64_t(4), int64_t(7), int64_t(1)),
            0);
  EXPECT_TRUE(m.found("bad launch"));
  EXPECT_NE(m.s.errors()[0].find("mod(K, 8)"), std::string::npos);
}

TEST(ExecutedChecks, FindAGridOfOtherBlocks) {
  Machine m;
  void *add = functionOf(m, "add"), *stream = m.stream();
  uint64_t x = m.floats(1100), z = m.floats(1100);
  EXPECT_EQ(m.launch(add, stream, x, x, z, int64_t(1100)), 0);
  EXPECT_TRUE(m.found("bad launch"));
}

TEST(ExecutedChecks, FindContentsThatBreakWhatIsGiven) {
  Machine m;
  ExecutedArtefact embedding("embedding_batch");
  ExecutedCall call = filled(embedding, {{"M", 1}, {"V", 3}, {"N", 8}});
  call.put("ids", {3});
  EXPECT_EQ(call.queue(), 0);
  EXPECT_EQ(m.d.contextSynchronize(), cu::illegalAddress);
  EXPECT_TRUE(m.found("fault"));
  EXPECT_NE(m.s.errors()[0].find("within(%ids, 0, V)"), std::string::npos);
}

TEST(ExecutedChecks, GraphsReplayKernels) {
  Machine m;
  ExecutedArtefact add("add"), norm("rms_norm");
  ExecutedCall first = filled(add, {{"N", 700}}),
               second = filled(add, {{"N", 700}});
  second.share("x", first, "z");
  // The code is loaded before the capture, which allows no loading.
  EXPECT_EQ(first.queue(), 0);
  EXPECT_EQ(m.d.contextSynchronize(), 0);
  void *stream = m.stream(), *graph = nullptr, *executable = nullptr;
  EXPECT_EQ(m.h.streamBeginCapture(stream, cu::captureThreadLocal), 0);
  EXPECT_EQ(first.queue(stream), 0);
  EXPECT_EQ(second.queue(stream), 0);
  EXPECT_EQ(m.h.streamEndCapture(stream, &graph), 0);
  EXPECT_EQ(m.h.graphInstantiate(&executable, graph, 0), 0);
  std::mt19937_64 random(7);
  first.fill(random);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(m.h.graphLaunch(executable, stream), 0);
  }
  EXPECT_EQ(m.d.streamSynchronize(stream), 0);
  EXPECT_EQ(m.s.simErrors(), 0);
  EXPECT_EQ(first.difference(), "");
  std::string z = first.contents()["z"], y = second.contents()["y"],
              sum = second.contents()["z"];
  for (size_t at = 0; at < sum.size(); at += sizeof(float)) {
    float a = 0, b = 0, c = 0;
    std::memcpy(&a, &z[at], sizeof a);
    std::memcpy(&b, &y[at], sizeof b);
    std::memcpy(&c, &sum[at], sizeof c);
    EXPECT_EQ(c, a + b);
  }
}

TEST(ExecutedChecks, CubinsThatWereCutOffOrChangedAreRefused) {
  Machine m;
  std::string cubin = cubinOf("add");
  size_t begin = sizeof(Elf64_Ehdr);
  size_t end = cubin.find('\0', begin);
  void *module = nullptr;
  for (size_t size = begin; size < end; size += 13) {
    EXPECT_EQ(m.d.moduleLoadData(&module, cubin.substr(0, size).data()),
              cu::invalidImage);
  }
  for (size_t at = begin; at < end; at += 13) {
    std::string changed = cubin;
    changed[at] ^= 1;
    EXPECT_EQ(m.d.moduleLoadData(&module, changed.data()), cu::invalidImage);
  }
  EXPECT_EQ(m.d.moduleLoadData(&module, cubin.data()), 0);
}

} // namespace girih::tests
