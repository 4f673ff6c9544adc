// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Weights in fewer bits than they were trained in: round to nearest, a scale a
/// row or a group of columns, no data but the weights themselves.

#ifndef GIRIH_BENCH_QWEN3_QUANTISE_H
#define GIRIH_BENCH_QWEN3_QUANTISE_H

#include "runtime/host/Element.h"

#include <span>
#include <vector>

namespace girih::qwen3 {

/// The nearest f8E4M3FN, ties to even; beyond 448 that, and of NaN NaN.
f8e4m3 nearestF8(float number);

/// A row as a number of f32 times elements of f8E4M3FN, the largest of which is
/// 448: scale = largest magnitude / 448, element = nearest(number / scale). A
/// row of zeros has the scale 0. One with a NaN has it where it was; one with
/// an infinity is NaN, times its scale.
/// \param to as many as `row` has.
/// \returns the scale.
float quantiseRow(std::span<const bf16> row, std::span<f8e4m3> to);

/// Rows of so many elements each, by as many threads as the machine has cores.
/// \param to as many as `rows` has.
/// \returns a scale for each row.
std::vector<float> quantiseRows(std::span<const bf16> rows, std::size_t columns,
                                std::span<f8e4m3> to);

/// Columns that share a scale in int4.
constexpr std::int64_t groupColumns = 128;
constexpr std::int64_t paddedToGroups(std::int64_t columns) {
  return (columns + groupColumns - 1) / groupColumns * groupColumns;
}

/// A group as a number of bf16 times whole numbers from -7 to 7: scale =
/// nearest(largest magnitude / 7), number = nearest(element / scale), ties to
/// even. A group of zeros has the scale 0; of one with a NaN or an infinity the
/// scale is NaN.
/// \param to byte j has number j + 8 in its low half, j + 64 in its high one.
/// \returns the scale.
bf16 quantiseGroup(std::span<const bf16, groupColumns> group,
                   std::span<std::int8_t, groupColumns / 2> to);

/// Groups behind each other, by as many threads as the machine has cores.
/// \param to half as many as `all` has.
/// \returns a scale for each group.
std::vector<bf16> quantiseGroups(std::span<const bf16> all,
                                 std::span<std::int8_t> to);

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_QUANTISE_H
