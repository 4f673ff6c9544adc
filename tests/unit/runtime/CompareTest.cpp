// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparing within bounds: what counts as the same, and what is reported.

#include "runtime/run/Compare.h"
#include "tests/unit/runtime/Fixture.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace girih::runtime;
using namespace girih::tests;

static Array bounds(const std::vector<double> &values) {
  Array array{Element::F64,
              {static_cast<int64_t>(values.size())},
              std::string(8 * values.size(), 0)};
  std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

TEST(Compare, SameNumbersSameInfinitiesAndNan) {
  Array a = floats({1, -0.0F, INFINITY, NAN}),
        b = floats({1, 0, INFINITY, NAN});
  EXPECT_TRUE(compare(a, b, nullptr).agrees());
  EXPECT_EQ(compare(a, b, nullptr).maxError, 0);
}

TEST(Compare, TheFirstDifferenceIsNamed) {
  Array a = floats({1, 2, 3, 4, 5, 6}), b = floats({1, 2, 3, 4, 7, 6.5});
  a.shape = b.shape = {2, 3};
  Comparison c = compare(a, b, nullptr);
  ASSERT_TRUE(c.first);
  EXPECT_EQ(c.first->index, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(c.first->got, "5");
  EXPECT_EQ(c.first->expected, "7");
  EXPECT_EQ(c.mismatches, 2);
  EXPECT_EQ(c.maxError, 2);
}

TEST(Compare, BoundsAreInclusiveAndInfinityPromisesNothing) {
  Array a = floats({1, 1, 1, NAN, 1}), b = floats({1.5, 1.5, 9, 1, NAN});
  Array within = bounds({0.5, 0.49, INFINITY, INFINITY, 1e30});
  Comparison c = compare(a, b, &within);
  EXPECT_EQ(c.mismatches, 2);
  EXPECT_EQ(c.first->index, std::vector<int64_t>{1});
  EXPECT_TRUE(std::isinf(c.maxError));
}

TEST(Compare, ABoundThatIsNoNumberAllowsNothing) {
  Array a = floats({1}), b = floats({2}), within = bounds({NAN});
  EXPECT_FALSE(compare(a, b, &within).agrees());
}

TEST(Compare, IntegersAreEqualOrNot) {
  Array a{Element::I64, {1}, std::string(8, '\xff')}, b = a;
  EXPECT_TRUE(compare(a, b, nullptr).agrees());
  b.bytes[0] = '\xfe';
  Array within = bounds({10});
  Comparison c = compare(a, b, &within);
  EXPECT_EQ(c.mismatches, 1);
  EXPECT_EQ(c.first->got, "-1");
  EXPECT_EQ(c.first->expected, "-2");
}

TEST(Compare, ShapesMustAgree) {
  Array a = floats({1, 2}), b = floats({1});
  EXPECT_EQ(compare(a, b, nullptr).shape,
            "shape [2] of f32 against [1] of f32");
  EXPECT_FALSE(compare(a, b, nullptr).agrees());
  Array within = bounds({1});
  EXPECT_FALSE(compare(a, a, &within).agrees());
}
