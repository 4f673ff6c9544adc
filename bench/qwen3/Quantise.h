// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Weights in fewer bits than they were trained in: round to nearest, a scale a
/// row, no data but the weights themselves.

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

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_QUANTISE_H
