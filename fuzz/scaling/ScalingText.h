// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long texts are put together.

#ifndef GIRIH_FUZZ_SCALING_SCALINGTEXT_H
#define GIRIH_FUZZ_SCALING_SCALINGTEXT_H

#include "fuzz/scaling/Scaling.h"

#include <functional>

namespace girih::fuzz {

inline std::string str(size_t n) { return std::to_string(n); }

/// `piece` n times, with its number.
inline std::string times(size_t n,
                         const std::function<std::string(size_t)> &piece,
                         const std::string &between = "") {
  std::string out;
  for (size_t i = 0; i < n; ++i) {
    out += (i > 0 ? between : "") + piece(i);
  }
  return out;
}

std::vector<ScalingFamily> kernelFamilies();
std::vector<ScalingFamily> certificateFamilies();

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_SCALING_SCALINGTEXT_H
