// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of decode alone, of matrices of Qwen3-4B and 32B.

#ifndef GIRIH_BENCH_PRODUCTTIMES_H
#define GIRIH_BENCH_PRODUCTTIMES_H

#include "bench/Turns.h"

#include <cstdint>
#include <string>

namespace girih::bench {

struct ProductOptions {
  std::string folder;  ///< of artefacts
  std::string weights; ///< f8, f16, int4; bf16 where empty
  std::int64_t blocks = 256;
  bool few = false; ///< of 8 rows
};

/// Prints a line of JSON for each.
void runProducts(const ProductOptions &options, const Limit &limit,
                 const Stream &stream);

} // namespace girih::bench

#endif // GIRIH_BENCH_PRODUCTTIMES_H
