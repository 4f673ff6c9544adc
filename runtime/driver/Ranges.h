// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX: launches as named ranges for a profiler. Off unless the environment has
// GIRIH_NVTX: 1 for NVIDIA's library where the loader finds it, or its path. It
// is opened at run time, so that nothing depends on it.

#ifndef GIRIH_RUNTIME_DRIVER_RANGES_H
#define GIRIH_RUNTIME_DRIVER_RANGES_H

#include "runtime/arguments/Contract.h"

#include <string>
#include <vector>

namespace girih::runtime {

/// Whether ranges are asked for, and NVIDIA's library is there. Looked up once
/// in a process.
bool hasRanges();

/// Kernel, grid and verdict of a launch: `gemm grid [4, 3] VERIFIED`, with what
/// nobody looks up behind it. Empty where there are no ranges.
std::string rangeText(const Manifest &manifest, const LaunchPlan &plan,
                      const std::vector<std::string> &believed);

/// A range of this thread for as long as it lives; none with an empty text.
class Range {
public:
  explicit Range(const std::string &text) : open(!text.empty()) {
    if (open) {
      push(text);
    }
  }
  Range(const Range &) = delete;
  Range &operator=(const Range &) = delete;
  ~Range() {
    if (open) {
      pop();
    }
  }

private:
  static void push(const std::string &text);
  static void pop();

  bool open;
};

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_DRIVER_RANGES_H
