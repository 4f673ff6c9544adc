// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with their bytes disturbed: reader and checker have to say what is
// wrong, and to stay on their feet.

#ifndef GIRIH_FUZZ_CAMPAIGN_BYTES_H
#define GIRIH_FUZZ_CAMPAIGN_BYTES_H

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace girih::fuzz {

/// A few bytes flipped, deleted, inserted, doubled, or a piece of another text
/// spliced in, or the end cut off.
std::string disturb(const std::vector<std::string> &texts, uint64_t seed);

struct BytesOptions {
  uint64_t seed = 1;
  size_t count = 5000;
  unsigned jobs = 2;
  std::string out;           ///< folder for what crashed; empty: none
  double secondsPerText = 1; ///< of processor time
};

struct BytesResult {
  size_t tried = 0;
  size_t refused = 0; ///< with an error that names a place
  size_t silent = 0;  ///< refused without one
  size_t read = 0, verified = 0, refuted = 0;
  size_t crashed = 0, hung = 0;
  double seconds = 0;
  std::vector<std::string> problems;

  size_t bad() const { return silent + crashed + hung; }
};

BytesResult runBytes(const std::vector<std::string> &texts,
                     const BytesOptions &options);

llvm::json::Object toJson(const BytesResult &r);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_CAMPAIGN_BYTES_H
