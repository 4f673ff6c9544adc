// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thousands of runs from one archive: a folder with cases.jsonl, or that file.
// A case is a line
//
//   {"name": "gemm-3x5x7", "artefact": "gemm", "set": {"P": 4},
//    "args": {"a": "a.npy", "alpha": 2.5}, "out": {"c": "c.npy"},
//    "expect": {"c": "expected.npy"}, "bound": {"c": "bound.npy"}, "time": 20,
//    "validate": ["ids"]}
//
// of which all but name and artefact may be missing; paths are relative to the
// archive's folder. For each a line of JSON is printed:
//
//   {"case": "gemm-3x5x7", "verdict": "ok", "blocks": 1, "maxError": 0.0}
//
// The verdict is ok, mismatch (with tensor, index, got, expected, bound),
// refused (with reason; nothing was launched), failed (with reason), or, where
// there is no GPU, once, not run.

#ifndef GIRIH_RUNTIME_RUN_BATCH_H
#define GIRIH_RUNTIME_RUN_BATCH_H

#include "runtime/run/Run.h"

namespace girih::runtime {

struct BatchOptions {
  std::string archive;
  int secondsPerCase = 60;
  std::optional<Policy> policy; ///< of the artefacts
};

/// Runs all cases and prints their lines, then a summary to standard error.
/// Cases run in a child process: a kernel that faults takes the CUDA context
/// with it and one that does not end must be stopped; the next child goes on
/// behind it. Returns the exit code: 3 for a malformed case or archive, else 1
/// when a case is not ok, else 0; 77 without a GPU.
int runBatch(const BatchOptions &options);

/// The case that a line of an archive says. Paths are put behind `folder`.
Expected<Case> parseCase(const std::string &line, const std::string &folder);

/// The line of JSON for a case that ran, or was refused.
std::string lineOf(const std::string &name, const Expected<Outcome> &outcome);

/// 0 ok, 1 mismatch, failure or refused artefact, 3 contract or usage, 77.
int exitCodeOf(const Expected<Outcome> &outcome);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_RUN_BATCH_H
