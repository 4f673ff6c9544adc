// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Self-overlap and aliasing against the list of all bytes: what is called
// disjoint is, and slices of one allocation are recognised.

#include "runtime/arguments/Contract.h"
#include "runtime/driver/Buffer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <set>

using namespace girih::runtime;

static std::multiset<uint64_t> bytesOfAll(const Layout &layout,
                                          uint64_t address) {
  std::multiset<uint64_t> bytes;
  forEachElement(layout, [&](int64_t, int64_t position) {
    for (unsigned b = 0; b < bytesOf(layout.element); ++b) {
      bytes.insert(address + position * bytesOf(layout.element) + b);
    }
  });
  return bytes;
}

static bool shareBytes(const Layout &a, uint64_t addressA, const Layout &b,
                       uint64_t addressB) {
  auto inA = bytesOfAll(a, addressA), inB = bytesOfAll(b, addressB);
  return std::any_of(inA.begin(), inA.end(),
                     [&](uint64_t byte) { return inB.contains(byte); });
}

static Layout anyLayout(int rank) {
  Layout layout;
  layout.element = *rc::gen::element(Element::I8, Element::BF16, Element::F32);
  for (int k = 0; k < rank; ++k) {
    layout.extents.push_back(*rc::gen::inRange(0, 5));
    layout.strides.push_back(*rc::gen::inRange(0, 13));
  }
  return layout;
}

RC_GTEST_PROP(Alias, InjectiveMeansDistinctBytes, ()) {
  Layout layout = anyLayout(*rc::gen::inRange(0, 4));
  auto bytes = bytesOfAll(layout, 1000);
  if (isInjective(layout)) {
    std::set<uint64_t> distinct(bytes.begin(), bytes.end());
    RC_ASSERT(distinct.size() == bytes.size());
  }
}

RC_GTEST_PROP(Alias, DisjointMeansNoCommonByte, ()) {
  int rank = *rc::gen::inRange(0, 4);
  Layout a = anyLayout(rank), b = anyLayout(rank);
  if (*rc::gen::inRange(0, 4) != 0) {
    // Near misses: the same strides and element.
    b.strides = a.strides;
    b.element = a.element;
  }
  uint64_t addressA = 1000, addressB = 1000 + *rc::gen::inRange(-120, 121);
  if (areDisjoint(a, addressA, b, addressB)) {
    RC_ASSERT(!shareBytes(a, addressA, b, addressB));
  }
  RC_ASSERT(areDisjoint(a, addressA, b, addressB) ==
            areDisjoint(b, addressB, a, addressA));
}

/// Boxes of one packed allocation are told apart exactly.
RC_GTEST_PROP(Alias, SlicesOfOneAllocation, ()) {
  int rank = *rc::gen::inRange(1, 5);
  Layout a, b;
  a.element = b.element = *rc::gen::element(Element::I8, Element::F32);
  std::vector<int64_t> whole(rank), strides(rank);
  int64_t stride = 1, startA = 0, startB = 0;
  bool apart = false;
  for (int k = rank; k-- > 0;) {
    whole[k] = *rc::gen::inRange(1, 7);
    strides[k] = stride;
    stride *= whole[k];
  }
  for (int k = 0; k < rank; ++k) {
    auto fromA = *rc::gen::inRange<int64_t>(0, whole[k]);
    auto fromB = *rc::gen::inRange<int64_t>(0, whole[k]);
    a.extents.push_back(*rc::gen::inRange<int64_t>(1, whole[k] - fromA + 1));
    b.extents.push_back(*rc::gen::inRange<int64_t>(1, whole[k] - fromB + 1));
    startA += fromA * strides[k];
    startB += fromB * strides[k];
    apart |= fromA + a.extents[k] <= fromB || fromB + b.extents[k] <= fromA;
  }
  a.strides = b.strides = strides;
  int64_t size = bytesOf(a.element);
  RC_ASSERT(areDisjoint(a, 4096 + startA * size, b, 4096 + startB * size) ==
            apart);
}

TEST(Alias, InterleavedSlices) {
  // Left and right half of the columns of one 4 x 8 matrix.
  Layout half{Element::F32, {4, 4}, {8, 1}};
  EXPECT_TRUE(areDisjoint(half, 0x1000, half, 0x1010));
  EXPECT_TRUE(areDisjoint(half, 0x1010, half, 0x1000));
  EXPECT_FALSE(areDisjoint(half, 0x1000, half, 0x100c));
  EXPECT_FALSE(areDisjoint(half, 0x1000, half, 0x1000));
  // Shifted by less than an element.
  EXPECT_FALSE(areDisjoint(half, 0x1000, half, 0x1011));
  // A row more: the right half of the row above is the left of the next.
  EXPECT_TRUE(areDisjoint(half, 0x1000, half, 0x1030));
  Layout other{Element::F32, {4, 4}, {9, 1}};
  EXPECT_FALSE(areDisjoint(half, 0x1000, other, 0x1010));
}

TEST(Alias, EmptyAndFar) {
  Layout empty{Element::F32, {4, 0}, {8, 1}}, one{Element::F64, {}, {}};
  EXPECT_TRUE(areDisjoint(empty, 0x1000, one, 0x1000));
  EXPECT_FALSE(areDisjoint(one, 0x1000, one, 0x1007));
  EXPECT_TRUE(areDisjoint(one, 0x1000, one, 0x1008));
  EXPECT_TRUE(areDisjoint(one, ~uint64_t(0) - 7, one, 8));
}
