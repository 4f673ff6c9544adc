// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer lanes against the machine's own integers.

#include "spec/executor/numerics/IntegerOps.h"

#include <gtest/gtest.h>

namespace girih::exec {
namespace {

TEST(Integer, EightBitsExhaustively) {
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      ASSERT_EQ(wrap(addInteger(a, b), 8), int8_t(a + b));
      ASSERT_EQ(wrap(subInteger(a, b), 8), int8_t(a - b));
      ASSERT_EQ(wrap(mulInteger(a, b), 8), int8_t(a * b));
      ASSERT_EQ(wrap(minInteger(a, b), 8), std::min(a, b));
      ASSERT_EQ(wrap(maxInteger(a, b), 8), std::max(a, b));
      ASSERT_EQ(wrap(mulHighInteger(uint8_t(a), uint8_t(b), 8), 8),
                int8_t(uint8_t(a) * uint8_t(b) >> 8));
      ASSERT_EQ(wrap(andInteger(a, b), 8), int8_t(a & b));
      ASSERT_EQ(wrap(orInteger(a, b), 8), int8_t(a | b));
      ASSERT_EQ(wrap(xorInteger(a, b), 8), int8_t(a ^ b));
      ASSERT_EQ(compareInteger(CompareInteger::Slt, a, b, 8), a < b);
      ASSERT_EQ(compareInteger(CompareInteger::Sge, a, b, 8), a >= b);
      ASSERT_EQ(compareInteger(CompareInteger::Eq, a, b, 8), a == b);
      if (a >= 0 && b >= 1) {
        ASSERT_EQ(divInteger(a, b), a / b);
        ASSERT_EQ(remInteger(a, b), a % b);
        ASSERT_EQ(ceilDivInteger(a, b), (a + b - 1) / b);
      }
    }
  }
}

TEST(Integer, SixtyFourBitsWrap) {
  int64_t top = INT64_MAX, bottom = INT64_MIN;
  EXPECT_EQ(wrap(absInteger(bottom), 64), bottom);
  Wide most = unsignedOf(-1, 64);
  EXPECT_EQ(wrap(mulHighInteger(most, most, 64), 64), -2);
  EXPECT_EQ(mulHighInteger(most, 1, 64), 0);
  EXPECT_EQ(mulHighInteger(Wide(1) << 32, Wide(1) << 32, 64), 1);
  EXPECT_EQ(wrap(absInteger(-3), 64), 3);
  EXPECT_EQ(wrap(addInteger(top, 1), 64), bottom);
  EXPECT_EQ(wrap(subInteger(bottom, 1), 64), top);
  EXPECT_EQ(wrap(mulInteger(top, top), 64), 1);
  EXPECT_EQ(wrap(mulInteger(bottom, bottom), 64), 0);
  EXPECT_FALSE(fits(addInteger(top, 1), 64));
  EXPECT_TRUE(fits(bottom, 64));
}

TEST(Integer, TruthValues) {
  EXPECT_EQ(wrap(2, 1), 0);
  EXPECT_EQ(wrap(-1, 1), 1);
  EXPECT_EQ(signedOf(1, 1), -1);
  EXPECT_EQ(unsignedOf(1, 1), 1);
  EXPECT_EQ(unsignedOf(-1, 8), 255);
  EXPECT_TRUE(compareInteger(CompareInteger::Slt, 1, 0, 1));
}

TEST(Integer, Text) {
  EXPECT_EQ(wideText(0), "0");
  EXPECT_EQ(wideText(-17), "-17");
  EXPECT_EQ(wideText(Wide(1) << 100), "1267650600228229401496703205376");
}

} // namespace
} // namespace girih::exec
