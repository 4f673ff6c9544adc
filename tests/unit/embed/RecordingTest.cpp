// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is recorded, as plain data.

#include "ir/embed/Recording.h"
#include "Recorded.h"
using namespace girih::kernel;
using namespace girih::kernel::test;

namespace {
constexpr recorder::Type number{Element::Idx, 0, {}};
constexpr recorder::Type row{Element::F32, 1, {8}};

/// A kernel of no arguments, open as long as it lives.
struct Open {
  Open() {
    recorder::begin();
    recorder::openKernel("T [K = k]", Place::current());
    recorder::grid({}, Place::current());
  }
  ~Open() { recorder::abandon(); }
  recorder::Recording &data() { return recorder::Recording::here(); }
};
} // namespace

TEST(Recording, ConstantsAreRecordedOnce) {
  Open open;
  recorder::Value a = recorder::integer(number, 5, {}),
                  b = recorder::integer(number, 5, {}),
                  c = recorder::integer(number, 6, {});
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
  EXPECT_EQ(open.data().bodies[0].ops.size(), 2u);
  EXPECT_EQ(open.data().bodies[0].hoisted.size(), 2u);
  EXPECT_TRUE(open.data().bodies[0].top.ops.empty()) << "hoisted ops are found "
                                                        "by need";
}

TEST(Recording, AnOpKnowsItsOperandsAndRegion) {
  Open open;
  recorder::Value x = recorder::real(row, 0.5, {}),
                  y = recorder::elementwise("arith.addf", row, {x, x}, {});
  recorder::Recording &r = open.data();
  const recorder::Op &op = *r.values[y].definition;
  EXPECT_EQ(op.operands, (std::vector<recorder::Value>{x, x}));
  EXPECT_EQ(op.results, std::vector<recorder::Value>{y});
  EXPECT_EQ(op.in, &r.bodies[0].top);
  EXPECT_EQ(op.role, recorder::Role::Pure);
  EXPECT_EQ(r.types[r.values[y].type].text, "vector<8xf32>");
}

TEST(Recording, WhatIsNotWrittenIsRecordedOnceARegion) {
  Open open;
  recorder::Value x = recorder::integer(number, 1, {});
  recorder::Type wide{Element::Idx, 1, {8}};
  auto broadcast = [&](bool implied) {
    return recorder::cast("vector.broadcast", number, wide, x, {}, "", implied);
  };
  recorder::Value outside = broadcast(true);
  EXPECT_EQ(broadcast(true), outside);
  EXPECT_NE(broadcast(false), outside) << "what is written stays";
  recorder::Control loop = recorder::openFor(Element::Idx, x, x, x, {});
  EXPECT_NE(broadcast(true), outside);
  recorder::closeFor(loop);
  EXPECT_EQ(broadcast(true), outside);
}

TEST(Recording, VariablesAreCountedAndCopiesAreTheirOwn) {
  Open open;
  Index a = 1, b = a;
  EXPECT_EQ(a.value(), b.value());
  b = Index(2);
  EXPECT_NE(a.value(), b.value());
  EXPECT_GE(open.data().variables.size(), 2u);
}

TEST(Recording, ALoopCarriesWhatItAssignsAndNothingElse) {
  Open open;
  Index read = 1, set = 2;
  for (Index k : range(4)) {
    set = read + k;
  }
  recorder::Recording &r = open.data();
  recorder::Op *loop = r.values[set.value()].definition;
  ASSERT_EQ(loop->kind, recorder::Kind::For);
  EXPECT_EQ(loop->results.size(), 1u);
  EXPECT_EQ(loop->operands.size(), 4u) << "three bounds, and what is carried";
  EXPECT_EQ(loop->regions[0].arguments.size(), 2u);
  EXPECT_EQ(loop->regions[0].yields.size(), 1u);
}

TEST(Recording, NamesOfKernelsAreThoseOfTypes) {
  using recorder::nameOfType;
  EXPECT_EQ(nameOfType("f() [K = gemm<128, 256>]"), "gemm_128_256");
  EXPECT_EQ(nameOfType("f() [with K = {anonymous}::gemm<a::bf16, 2>; X = int]"),
            "gemm_bf16_2");
  EXPECT_EQ(nameOfType("f() [K = (anonymous namespace)::gemm<a::bf16, 2>]"),
            "gemm_bf16_2");
}

TEST(Recording, PlainNames) {
  using recorder::isPlainName;
  for (const char *name : {"a", "A9", "x_1", "index"}) {
    EXPECT_TRUE(isPlainName(name)) << name;
  }
  for (const char *name : {"", "9", "_a", "a b", "a-b", "\xC3\xA4", "a\xC3\xA4",
                           "a.b", "%a", "a\n"}) {
    EXPECT_FALSE(isPlainName(name)) << name;
  }
}
