// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers out of bits and back, against the processor's own conversions.

#include "runtime/artefact/Element.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>

using namespace girih::runtime;

/// Every number of a format has its own bits again, NaN some of NaN.
template <typename Bits> static void comesBack(Element element) {
  for (uint32_t bits = 0; bits <= std::numeric_limits<Bits>::max(); ++bits) {
    auto stored = static_cast<Bits>(bits);
    double value = floatAt(element, &stored);
    if (!std::isnan(value)) {
      ASSERT_EQ(bitsOf(element, value), bits) << nameOf(element);
    } else {
      uint64_t again = bitsOf(element, value);
      ASSERT_TRUE(std::isnan(floatAt(element, &again)));
    }
  }
}

TEST(Element, EveryShortFloatComesBack) {
  comesBack<uint16_t>(Element::F16);
  comesBack<uint16_t>(Element::BF16);
}

TEST(Element, EverySmallFloatComesBack) {
  comesBack<uint8_t>(Element::F8E4M3FN);
  comesBack<uint8_t>(Element::F8E5M2);
  auto number = [](Element element, uint8_t bits) {
    return floatAt(element, &bits);
  };
  EXPECT_EQ(number(Element::F8E4M3FN, 0x7e), 448);
  EXPECT_EQ(number(Element::F8E4M3FN, 0x01), 0x1p-9);
  EXPECT_TRUE(std::isnan(number(Element::F8E4M3FN, 0xff)));
  EXPECT_EQ(number(Element::F8E5M2, 0x7b), 57344);
  EXPECT_EQ(number(Element::F8E5M2, 0xfc), -INFINITY);
  EXPECT_EQ(number(Element::F8E5M2, 0x83), -3 * 0x1p-16);
  EXPECT_EQ(bitsOf(Element::F8E4M3FN, 465), 0x7fU);
  EXPECT_EQ(bitsOf(Element::F8E5M2, 61440), 0x7cU);
  EXPECT_EQ(number(Element::F8E8M0FNU, 0), 0x1p-127);
  EXPECT_EQ(number(Element::F8E8M0FNU, 0xfe), 0x1p127);
  EXPECT_TRUE(std::isnan(number(Element::F8E8M0FNU, 0xff)));
  EXPECT_EQ(number(Element::F4E2M1FN, 1), 0.5);
  EXPECT_EQ(number(Element::F4E2M1FN, 7), 6);
  EXPECT_EQ(number(Element::F4E2M1FN, 0xd), -3);
}

TEST(Element, TwoOfFourBitsShareAByte) {
  EXPECT_EQ(bytesOf(Element::F4E2M1FN, 6), 3);
  EXPECT_EQ(bytesOf(Element::I4, 7), 4);
  EXPECT_EQ(bytesOf(Element::F16, 7), 14);
}

TEST(Element, HalfWayGoesToEven) {
  for (Element element : {Element::F16, Element::BF16}) {
    uint16_t last = element == Element::F16 ? 0x7bff : 0x7f7f;
    for (uint16_t bits = 0; bits < last; ++bits) {
      auto next = static_cast<uint16_t>(bits + 1);
      double half = (floatAt(element, &bits) + floatAt(element, &next)) / 2;
      ASSERT_EQ(bitsOf(element, half), bits % 2 ? next : bits);
      ASSERT_EQ(bitsOf(element, std::nextafter(half, 0)), bits);
      ASSERT_EQ(bitsOf(element, std::nextafter(half, 1e300)), next);
    }
  }
}

TEST(Element, Edges) {
  EXPECT_EQ(bitsOf(Element::F16, 65519.99), 0x7bffU);
  EXPECT_EQ(bitsOf(Element::F16, 65520), 0x7c00U);
  EXPECT_EQ(bitsOf(Element::F16, -1e300), 0xfc00U);
  EXPECT_EQ(bitsOf(Element::BF16, -0.0), 0x8000U);
  EXPECT_EQ(bitsOf(Element::F32, INFINITY), 0x7f800000U);
  EXPECT_EQ(bitsOf(Element::F32, 1e-300), 0U);
  EXPECT_EQ(bitsOf(Element::F64, 5e-324), 1U);
}

RC_GTEST_PROP(Element, RoundsLikeTheProcessor, (uint64_t bits)) {
  double value;
  std::memcpy(&value, &bits, 8);
  auto narrow = static_cast<float>(value);
  uint32_t expected;
  std::memcpy(&expected, &narrow, 4);
  if (!std::isnan(value)) {
    RC_ASSERT(bitsOf(Element::F32, value) == expected);
    RC_ASSERT(bitsOf(Element::F64, value) == bits);
  }
}

RC_GTEST_PROP(Element, RoundsFloatsNearOneLikeTheProcessor,
              (int64_t numerator)) {
  double value = static_cast<double>(numerator) / 0x1p60;
  auto narrow = static_cast<float>(value);
  uint32_t expected;
  std::memcpy(&expected, &narrow, 4);
  RC_ASSERT(bitsOf(Element::F32, value) == expected);
}

TEST(Element, IntegersExtendTheirSign) {
  int64_t minusOne = -1;
  uint8_t four = 0x0c;
  EXPECT_EQ(integerAt(Element::I4, &four), -4);
  EXPECT_EQ(integerAt(Element::I8, &minusOne), -1);
  EXPECT_EQ(integerAt(Element::I16, &minusOne), -1);
  EXPECT_EQ(integerAt(Element::I32, &minusOne), -1);
  EXPECT_EQ(integerAt(Element::I64, &minusOne), -1);
  EXPECT_EQ(integerAt(Element::I1, &minusOne), 1);
}

TEST(Element, NamesAreOfOneElement) {
  for (int k = 0; k <= static_cast<int>(Element::F4E2M1FN); ++k) {
    auto element = static_cast<Element>(k);
    EXPECT_EQ(elementNamed(nameOf(element)), element);
  }
  EXPECT_FALSE(elementNamed("index"));
  EXPECT_FALSE(elementNamed(""));
}
