// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the library launched through the runtime on the simulated driver:
// each answer is the reference executor's, bit by bit.

#include "tests/simulated/ExecutedCall.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace girih::tests {

namespace {

constexpr double eps = 1e-6;

int64_t drawn(int64_t low, int64_t high) {
  return *rc::gen::inRange<int64_t>(low, high + 1);
}

/// Launches with drawn contents and compares.
void check(ExecutedCall &call, const Machine &machine, int64_t limit = 1) {
  std::mt19937_64 random(*rc::gen::arbitrary<uint64_t>());
  call.fill(random, limit);
  RC_ASSERT(call.queue() == 0);
  RC_ASSERT(call.difference() == "");
  RC_ASSERT(machine.s.errors().empty());
}

} // namespace

RC_GTEST_PROP(Executed, AddIsTheExecutors, ()) {
  Machine machine;
  ExecutedArtefact add("add");
  ExecutedCall call(add, {{"N", drawn(0, 3000)}});
  check(call, machine);
}

RC_GTEST_PROP(Executed, SoftmaxOfRowsApartIsTheExecutors, ()) {
  Machine machine;
  ExecutedArtefact softmax("softmax_by_row");
  int64_t m = drawn(0, 6), n = 8 * drawn(0, 20);
  int64_t ldx = n + 8 * drawn(0, 3), ldy = n + 8 * drawn(0, 3);
  ExecutedCall call(softmax, {{"M", m}, {"N", n}, {"ldx", ldx}, {"ldy", ldy}},
                    {}, {}, {{"x", {ldx, 1}}, {"y", {ldy, 1}}});
  check(call, machine);
}

RC_GTEST_PROP(Executed, GemvIsTheExecutors, ()) {
  Machine machine;
  ExecutedArtefact gemv("gemv");
  ExecutedCall call(
      gemv, {{"N", drawn(0, 40)}, {"K", 8 * drawn(0, 90)}, {"P", drawn(1, 9)}},
      {"P"});
  check(call, machine);
}

RC_GTEST_PROP(Executed, GemvNormIsTheExecutors, ()) {
  Machine machine;
  ExecutedArtefact gemv("gemv_norm");
  ExecutedCall call(
      gemv, {{"N", drawn(0, 20)}, {"K", 8 * drawn(1, 90)}, {"P", drawn(1, 9)}},
      {"P"}, {{"eps", eps}});
  check(call, machine);
}

RC_GTEST_PROP(Executed, RmsNormIsTheExecutors, ()) {
  Machine machine;
  ExecutedArtefact norm("rms_norm");
  int64_t m = drawn(0, 3), n = drawn(1, 300), ld = n + drawn(0, 5);
  ExecutedCall call(norm, {{"M", m}, {"N", n}, {"ldx", ld}, {"ldy", ld}}, {},
                    {{"eps", eps}}, {{"x", {ld, 1}}, {"y", {ld, 1}}});
  check(call, machine);
}

RC_GTEST_PROP(Executed, EmbeddingIsTheExecutors, ()) {
  Machine machine;
  ExecutedArtefact embedding("embedding_batch");
  int64_t v = drawn(1, 30);
  ExecutedCall call(embedding,
                    {{"M", drawn(0, 9)}, {"V", v}, {"N", drawn(0, 1500)}});
  check(call, machine, v);
}

RC_GTEST_PROP(Executed, ArgmaxIsTheExecutors, ()) {
  Machine machine;
  ExecutedArtefact argmax("argmax_blocks");
  int64_t v = drawn(0, 9000);
  ExecutedCall call(argmax,
                    {{"B", drawn(0, 2)}, {"V", v}, {"NB", (v + 4095) / 4096}});
  check(call, machine);
}

RC_GTEST_PROP(Executed, HistogramIsTheExecutors, ()) {
  Machine machine;
  ExecutedArtefact histogram("histogram");
  int64_t v = drawn(1, 50);
  ExecutedCall call(histogram, {{"N", drawn(0, 2500)}, {"V", v}});
  check(call, machine, v);
}

RC_GTEST_PROP(Executed, AppendedRowsAreTheExecutors, ()) {
  Machine machine;
  ExecutedArtefact append("kv_append");
  int64_t s = drawn(0, 3), t = s + drawn(0, 4);
  ExecutedCall call(
      append,
      {{"S", s}, {"H", drawn(0, 3)}, {"T", t}, {"pos", drawn(0, t - s)}},
      {"pos"});
  check(call, machine);
}

RC_GTEST_PROP(Executed, StepOfAttentionIsTheExecutors, ()) {
  Machine machine;
  ExecutedArtefact attention("attention_step");
  int64_t t = drawn(1, 150);
  ExecutedCall call(attention,
                    {{"G", drawn(0, 2)}, {"R", drawn(1, 8)}, {"T", t}}, {},
                    {{"eps", eps}, {"scale", 0.088}});
  std::mt19937_64 random(*rc::gen::arbitrary<uint64_t>());
  call.fill(random);
  call.put("pos", {static_cast<int32_t>(drawn(-1, t))});
  RC_ASSERT(call.queue() == 0);
  RC_ASSERT(call.difference() == "");
  RC_ASSERT(machine.s.errors().empty());
}

} // namespace girih::tests
