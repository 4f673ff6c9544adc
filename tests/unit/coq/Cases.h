// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels and launches in a file, for executors that are programs: each reads
// it and answers in order.

#ifndef GIRIH_TESTS_UNIT_COQ_CASES_H
#define GIRIH_TESTS_UNIT_COQ_CASES_H

#include "spec/executor/Executor.h"
#include "tests/unit/Long.h"

#include <cstdlib>
#include <fstream>

namespace girih::test {

/// How many of so many random kernels are tried: a sixth, but for the long form
/// of the tests.
inline uint64_t share(uint64_t count) {
  return isLong ? count : count / 6;
}

/// What became of a launch.
struct Ended {
  std::string how; ///< `clean`, `refused`, or the rule and the block
  /// Lanes of the written tensors by argument number; `_` where undefined.
  std::map<unsigned, std::vector<std::string>> tensors;
};

/// A lane as the semantics has it: a signed number, or the bits of a float.
std::string laneText(const exec::Array &array, size_t lane);

/// What one program answered.
class Answers {
public:
  std::string error; ///< not empty: it failed

  // In the order of what was written.
  std::string readKernel();
  Ended readRun();
  std::string readObligations();

private:
  friend class Cases;
  std::string readUntil(const std::string &last);

  std::ifstream out;
};

class Cases {
public:
  Cases();
  ~Cases();

  void writeKernel(const std::string &term);
  /// A launch of that kernel.
  void writeRun(tile::KernelOp kernel, const exec::Options &options);
  /// The obligations of that kernel.
  void writeObligations(unsigned width);

  /// Has a command answer all that was written.
  Answers answer(const std::string &command);

private:
  std::string folder;
  std::ofstream in;
};

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_COQ_CASES_H
