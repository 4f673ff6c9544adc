// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a verdict leaves the tool: lines of text, one JSON object a line.

#ifndef GIRIH_CHECKER_REPORT_OUTPUT_H
#define GIRIH_CHECKER_REPORT_OUTPUT_H

#include "checker/report/Diagnose.h"

#include "llvm/Support/JSON.h"

namespace girih::checker {

/// One kernel of a file with all that is known about it.
struct Checked {
  std::string path;
  std::unique_ptr<tile::KernelFile> file; ///< null when it is malformed
  Verdict verdict;
  std::vector<Diagnostic> diagnostics;
  size_t leftOut = 0; ///< diagnostics that were not kept
  double seconds = 0;
};

/// The path, for a variant with its name: `gemm.mlir @gemm_small`.
std::string title(const Checked &c);

/// How many diagnostics were left out, in words; empty when all are there.
std::string leftOutText(const Checked &c);

/// Exit code of one verdict: 0 proved, 1 refuted, 2 unknown, 3 malformed. What
/// is proved with opt-outs counts as unknown unless they are allowed.
int exitCode(const Verdict &v, bool allowTrust = false);

/// Number of obligations by rule, in the order of spec/Rules.def.
std::vector<std::pair<Rule, unsigned>> census(const Verdict &v);

/// The diagnostics, then one line with the verdict.
void printText(const Checked &c, llvm::raw_ostream &os);

/// One line of JSON; the schema is spec/schemas/verdict.schema.json.
llvm::json::Object toJson(const Checked &c, Width width);

/// All obligations with hash and status, as text for a diff.
void dumpObligations(const Checked &c, llvm::raw_ostream &os);

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_OUTPUT_H
