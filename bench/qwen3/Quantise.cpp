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

bf16 quantiseGroup(std::span<const bf16, groupColumns> group,
                   std::span<std::int8_t, groupColumns / 2> to) {
  constexpr float most = 7, offset = 8;
  constexpr bf16 nan = {0x7FC0};
  float largest = 0;
  bool isFinite = true;
  for (bf16 element : group) {
    float size = std::fabs(numberOf(element));
    isFinite = isFinite && std::isfinite(size);
    largest = std::max(largest, size);
  }
  bf16 scale = isFinite ? rounded<bf16>(largest / most) : nan;
  float divisor = numberOf(scale);
  // Of zeros, and of what is no number.
  bool isZero = divisor == 0 || !isFinite;
  auto code = [&](bf16 element) {
    float number = isZero ? 0 : std::nearbyint(numberOf(element) / divisor);
    // The smallest numbers have no scale near enough.
    return static_cast<unsigned>(std::clamp(number, -most, most) + offset);
  };
  for (std::size_t j = 0; j < to.size(); ++j) {
    to[j] = static_cast<std::int8_t>(code(group[j]) | code(group[j + to.size()])
                                                          << 4);
  }
  return scale;
}

/// Calls one(k) for each k below count, by as many threads as there are cores.
template <typename One> static void forEach(std::size_t count, One one) {
  std::size_t threads =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 32);
  std::size_t each = (count + threads - 1) / threads;
  std::vector<std::jthread> running;
  for (std::size_t first = 0; first < count; first += each) {
    std::size_t end = std::min(first + each, count);
    running.emplace_back([&one, first, end] {
      for (std::size_t k = first; k < end; ++k) {
        one(k);
      }
    });
  }
}

std::vector<float> quantiseRows(std::span<const bf16> rows, std::size_t columns,
                                std::span<f8e4m3> to) {
  std::vector<float> scale(rows.size() / columns);
  forEach(scale.size(), [&](std::size_t row) {
    scale[row] = quantiseRow(rows.subspan(row * columns, columns),
                             to.subspan(row * columns, columns));
  });
  return scale;
}

std::vector<bf16> quantiseGroups(std::span<const bf16> all,
                                 std::span<std::int8_t> to) {
  constexpr std::size_t columns = groupColumns, bytes = columns / 2;
  std::vector<bf16> scale(all.size() / columns);
  forEach(scale.size(), [&](std::size_t k) {
    scale[k] = quantiseGroup(all.subspan(k * columns).first<columns>(),
                             to.subspan(k * bytes).first<bytes>());
  });
  return scale;
}

} // namespace girih::qwen3
