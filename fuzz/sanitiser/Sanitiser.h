// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fact sanitiser: holds what the generator of obligations says against what
// the executor does. At each instance of each op every hypothesis of every
// obligation anchored there must be true, and a goal is false exactly where the
// executor faults; every event has the obligations that its rule asks for.
// Needs no solver, and guards the generator.

#ifndef GIRIH_FUZZ_SANITISER_SANITISER_H
#define GIRIH_FUZZ_SANITISER_SANITISER_H

#include "checker/generate/Generate.h"
#include "fuzz/sanitiser/Evaluate.h"
#include "ir/text/Reader.h"
#include "spec/executor/Executor.h"

namespace girih::fuzz {

struct SanitiserOptions {
  size_t maxClaims = 48;    ///< instances of one claim kept for pairs
  size_t maxPairs = 150;    ///< of instances, for each pair of claims
  size_t maxElements = 600; ///< of each out tensor
  size_t maxProblems = 5;
  uint64_t seed = 1;
};

struct SanitiserReport {
  /// What is wrong, for a reader; empty when generator and executor agree.
  std::vector<std::string> problems;
  // What was looked at.
  uint64_t instances = 0; ///< of obligations anchored at an op
  uint64_t facts = 0;
  uint64_t pairs = 0;
  uint64_t elements = 0;
  exec::Result result;
};

/// Runs one launch and checks all of `generated` against it. `run.blocks` must
/// be empty: coverage is judged over the whole launch.
SanitiserReport sanitise(tile::KernelOp kernel,
                         const checker::Generated &generated, exec::Options run,
                         const SanitiserOptions &options = {});

/// The events of a kernel at which an obligation of the right rule is missing,
/// seen or not in any run.
std::vector<std::string>
missingObligations(tile::KernelOp kernel, const checker::Generated &generated);

/// The same, and what the text of the file asks of maps and of elements below
/// a byte, which the elaborated kernel only states as conditions.
std::vector<std::string>
missingObligations(const tile::KernelFile &file,
                   const checker::Generated &generated);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_SANITISER_SANITISER_H
