// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Families of long kernels, one for each thing that a text can have many of.
// No text of up to 1 MB, whatever it has, may take a tool more than its limits
// of time and memory.

#ifndef GIRIH_FUZZ_SCALING_SCALING_H
#define GIRIH_FUZZ_SCALING_SCALING_H

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace girih::fuzz {

struct ScalingFamily {
  const char *name;
  /// The text with `n` of them, n at least 1.
  std::string (*text)(size_t n);
  /// Not null: the file of certificates beside it, with `n` of something; the
  /// kernel is then that of n = 1.
  std::string (*certificates)(size_t n) = nullptr;
};

const std::vector<ScalingFamily> &scalingFamilies();

/// A kernel, and its certificates if it has some.
struct ScaledKernel {
  std::string text, certificates;
};

/// The longest of a family of at most so many bytes.
ScaledKernel scaledTo(const ScalingFamily &family, size_t bytes);

struct ScalingOptions {
  uint64_t seed = 1;
  size_t count = 200;
  unsigned jobs = 2;
  /// Names of the families to draw from; empty: all.
  std::vector<std::string> families;
  std::string out;            ///< folder for what takes too much; empty: none
  double secondsPerTool = 10; ///< of processor time
  double secondsPerText = 60; ///< after which it is given up
  size_t maxBytes = size_t(1) << 30;
};

struct ScalingResult {
  size_t tried = 0;
  size_t peak = 0;                       ///< bytes of the largest process
  std::map<std::string, double> slowest; ///< processor time, by tool
  double seconds = 0;
  std::vector<std::string> problems;
};

/// Families and sizes at random: on each text each tool does its work
/// (ScalingTools.h) in so much time and memory.
ScalingResult runScaling(const ScalingOptions &options);

llvm::json::Object toJson(const ScalingResult &r);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_SCALING_SCALING_H
