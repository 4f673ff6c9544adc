// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/qwen3/Quantise.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

namespace girih::qwen3 {

/// Without a branch: a compiler computes several at a time, as billions are
/// converted while a model is loaded.
f8e4m3 nearestF8(float number) {
  constexpr float most = 448, leastNormal = 0x1p-6F;
  constexpr std::uint32_t nan = 0x7F;
  constexpr unsigned dropped = 20; // bits of the mantissa of f32
  auto bits = std::bit_cast<std::uint32_t>(number);
  std::uint32_t sign = bits >> 24 & 0x80;
  float size = std::fabs(number);
  // Not of NaN, which compares with nothing.
  float bounded = size > most ? most : size;
  auto whole = std::bit_cast<std::uint32_t>(bounded);
  // To even, at the last bit that stays; exponents differ by 120.
  std::uint32_t half = (1U << (dropped - 1)) - 1;
  std::uint32_t normal =
      ((whole + half + (whole >> dropped & 1)) >> dropped) - (120U << 3);
  // Multiples of 2^-9: the low bits of a sum that has no smaller ones.
  constexpr float units = 0x1p14F;
  std::uint32_t small = std::bit_cast<std::uint32_t>(bounded + units) & 0xFF;
  std::uint32_t code = bounded < leastNormal ? small : normal;
  code = size == size ? code : nan;
  return {static_cast<std::uint8_t>(sign | code)};
}

static float numberOf(bf16 element) {
  return std::bit_cast<float>(std::uint32_t(element.bits) << 16);
}

float quantiseRow(std::span<const bf16> row, std::span<f8e4m3> to) {
  constexpr float most = 448;
  float largest = 0;
  for (bf16 element : row) {
    largest = std::max(largest, std::fabs(numberOf(element)));
  }
  float scale = largest / most;
  float divisor = scale > 0 ? scale : 1; // of zeros
  std::ranges::transform(row, to.begin(), [&](bf16 element) {
    return nearestF8(numberOf(element) / divisor);
  });
  return scale;
}

std::vector<float> quantiseRows(std::span<const bf16> rows, std::size_t columns,
                                std::span<f8e4m3> to) {
  std::vector<float> scale(rows.size() / columns);
  std::size_t threads =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 32);
  std::size_t each = (scale.size() + threads - 1) / threads;
  std::vector<std::jthread> running;
  for (std::size_t first = 0; first < scale.size(); first += each) {
    std::size_t end = std::min(first + each, scale.size());
    running.emplace_back([&, first, end] {
      for (std::size_t row = first; row < end; ++row) {
        scale[row] = quantiseRow(rows.subspan(row * columns, columns),
                                 to.subspan(row * columns, columns));
      }
    });
  }
  running.clear();
  return scale;
}

} // namespace girih::qwen3
