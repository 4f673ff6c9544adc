// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding to f8 beside the one that all formats share, and rows and groups by
// what they are for: their numbers come back.

#include "bench/qwen3/Quantise.h"

#include <array>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <vector>

using namespace girih;
using namespace girih::qwen3;

namespace {

TEST(Quantise, RoundsToNearest) {
  std::mt19937 random(3);
  auto check = [](float number) {
    EXPECT_EQ(nearestF8(number).bits, rounded<f8e4m3>(number).bits) << number;
  };
  for (std::uint32_t high = 0; high < 0x10000; ++high) {
    auto number = std::bit_cast<float>(high << 16);
    if (std::fabs(number) <= 448) {
      check(number);
    }
  }
  // Halfway between two, and beside that.
  for (unsigned code = 0; code < 0x7E; ++code) {
    auto low =
        static_cast<float>(toNumber(f8e4m3{static_cast<std::uint8_t>(code)}));
    auto high = static_cast<float>(
        toNumber(f8e4m3{static_cast<std::uint8_t>(code + 1)}));
    float middle = (low + high) / 2;
    for (float number : {middle, std::nextafter(middle, 0.0F),
                         std::nextafter(middle, 500.0F)}) {
      check(number);
      check(-number);
    }
  }
  for (int k = 0; k < 100000; ++k) {
    auto number = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::fabs(number) <= 448) {
      check(number);
    }
  }
}

TEST(Quantise, HasAnAnswerForAnyNumber) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(nearestF8(449).bits, 0x7E);
  EXPECT_EQ(nearestF8(-1e30F).bits, 0xFE);
  EXPECT_EQ(nearestF8(infinity).bits, 0x7E);
  EXPECT_EQ(nearestF8(std::numeric_limits<float>::quiet_NaN()).bits & 0x7F,
            0x7F);
}

bf16 narrow(float number) { return rounded<bf16>(number); }

TEST(Quantise, RowsComeBack) {
  std::mt19937 random(5);
  std::normal_distribution<float> normal(0, 0.02F);
  std::vector<bf16> row(1000);
  std::vector<f8e4m3> out(row.size());
  for (bf16 &element : row) {
    element = narrow(normal(random));
  }
  row[17] = narrow(-0.25F);
  float scale = quantiseRow(row, out);
  EXPECT_EQ(scale, 0.25F / 448);
  EXPECT_EQ(out[17].bits, 0xFE);
  for (std::size_t k = 0; k < row.size(); ++k) {
    double was = toNumber(row[k]), is = toNumber(out[k]) * double(scale);
    // 3 bits of mantissa, and below 2^-6 multiples of 2^-9.
    EXPECT_LE(std::fabs(is - was),
              std::max(std::fabs(was) / 16, double(scale) * 0x1p-10) * 1.0001);
  }
}

TEST(Quantise, RowsAreAloneAndAtOnceTheSame) {
  std::mt19937 random(7);
  for (std::size_t count : {1U, 2U, 33U, 200U}) {
    constexpr std::size_t columns = 24;
    std::vector<bf16> rows(count * columns);
    for (bf16 &element : rows) {
      element.bits = static_cast<std::uint16_t>(random() & 0xBFFF);
    }
    std::vector<f8e4m3> out(rows.size()), one(columns);
    std::vector<float> scale = quantiseRows(rows, columns, out);
    ASSERT_EQ(scale.size(), count);
    for (std::size_t row = 0; row < count; ++row) {
      std::span of(rows.data() + row * columns, columns);
      EXPECT_EQ(quantiseRow(of, one), scale[row]);
      for (std::size_t k = 0; k < columns; ++k) {
        EXPECT_EQ(out[row * columns + k].bits, one[k].bits);
      }
    }
  }
}

TEST(Quantise, RowsWithoutAScale) {
  std::vector<bf16> zeros(16, narrow(0));
  std::vector<f8e4m3> out(16);
  EXPECT_EQ(quantiseRow(zeros, out), 0);
  for (f8e4m3 element : out) {
    EXPECT_EQ(element.bits, 0);
  }
  zeros[3] = {0x7FC0}; // NaN
  zeros[4] = narrow(2);
  EXPECT_EQ(quantiseRow(zeros, out), 2.0F / 448);
  EXPECT_EQ(out[3].bits, 0x7F);
  EXPECT_EQ(out[4].bits, 0x7E);
  zeros[4] = {0xFF80}; // infinity
  float scale = quantiseRow(zeros, out);
  EXPECT_TRUE(std::isnan(scale * static_cast<float>(toNumber(out[4]))));
}

/// The numbers of a group, by column.
std::vector<int> numbersOf(std::span<const std::int8_t> bytes) {
  std::vector<int> out;
  for (unsigned shift : {0U, 4U}) {
    for (std::int8_t byte : bytes) {
      out.push_back(int(std::uint8_t(byte) >> shift & 15U) - 8);
    }
  }
  return out;
}

TEST(Quantise, GroupsComeBack) {
  std::mt19937 random(9);
  std::normal_distribution<float> normal(0, 0.02F);
  std::array<bf16, 128> group;
  std::array<std::int8_t, 64> out;
  for (float extreme : {-0.25F, 0.25F, -1e-30F}) {
    for (bf16 &element : group) {
      element = narrow(std::clamp(normal(random), -0.24F, 0.24F) *
                       std::fabs(extreme) * 4);
    }
    group[71] = narrow(extreme);
    bf16 scale = quantiseGroup(group, out);
    EXPECT_EQ(scale.bits,
              rounded<bf16>(std::fabs(toNumber(group[71])) / 7).bits);
    std::vector<int> numbers = numbersOf(out);
    EXPECT_EQ(numbers[71], extreme < 0 ? -7 : 7);
    for (std::size_t k = 0; k < group.size(); ++k) {
      EXPECT_LE(std::abs(numbers[k]), 7);
      // Half a step, and of the largest what its scale was rounded by.
      EXPECT_LE(std::fabs(numbers[k] * toNumber(scale) - toNumber(group[k])),
                toNumber(scale) * (0.5 + 7.0 / 256))
          << k;
    }
  }
}

TEST(Quantise, GroupsAreAloneAndAtOnceTheSame) {
  std::mt19937 random(11);
  for (std::size_t count : {1U, 2U, 33U, 200U}) {
    std::vector<bf16> all(count * 128);
    for (bf16 &element : all) {
      element.bits = static_cast<std::uint16_t>(random() & 0xBFFF);
    }
    std::vector<std::int8_t> out(all.size() / 2);
    std::vector<bf16> scale = quantiseGroups(all, out);
    ASSERT_EQ(scale.size(), count);
    std::array<std::int8_t, 64> one;
    for (std::size_t k = 0; k < count; ++k) {
      std::span of(all.data() + k * 128, 128);
      EXPECT_EQ(quantiseGroup(of.first<128>(), one).bits, scale[k].bits);
      EXPECT_TRUE(std::equal(one.begin(), one.end(), out.begin() + k * 64));
    }
  }
}

TEST(Quantise, GroupsWithoutAScale) {
  std::array<bf16, 128> group;
  group.fill(narrow(0));
  std::array<std::int8_t, 64> out;
  EXPECT_EQ(quantiseGroup(group, out).bits, 0);
  for (std::int8_t byte : out) {
    EXPECT_EQ(std::uint8_t(byte), 0x88);
  }
  // The least number has no seventh: nothing but 0 is near.
  group[5] = {0x0001};
  EXPECT_EQ(quantiseGroup(group, out).bits, 0);
  group[5] = {0x0007};
  group[6] = {0x8003};
  EXPECT_EQ(quantiseGroup(group, out).bits, 1);
  EXPECT_EQ(numbersOf(out)[5], 7);
  EXPECT_EQ(numbersOf(out)[6], -3);
  for (std::uint16_t bits : {0x7FC0, 0x7F80, 0xFF80}) {
    group[9].bits = bits;
    EXPECT_TRUE(std::isnan(toNumber(quantiseGroup(group, out))));
  }
}

} // namespace
