// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// What an engine says of itself, as JSON; qwen3.h has the keys.

#ifndef GIRIH_BENCH_QWEN3_REPORT_H
#define GIRIH_BENCH_QWEN3_REPORT_H

#include "bench/qwen3/Engine.h"

namespace girih::qwen3 {

/// Its sizes, and each kernel with its verdict and where that comes from.
std::string reportOf(const Engine &engine);
std::string countersOf(const Engine &engine);

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_REPORT_H
