// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verdicts where code review shows them: SARIF 2.1.0 for uploads, workflow
// commands for the log of a GitHub job.

#ifndef GIRIH_CHECKER_REPORT_SARIF_H
#define GIRIH_CHECKER_REPORT_SARIF_H

#include "checker/report/Output.h"

namespace girih::checker {

/// One SARIF log with one run over all kernels. A kernel that could not be
/// read is a notification of the invocation, which then has not succeeded; so
/// is how many diagnostics were left out, which is no failure.
llvm::json::Object toSarif(llvm::ArrayRef<Checked> all);

/// `::error file=k.mlir,line=3,col=5::...`, one line a diagnostic.
void printGithub(const Checked &c, llvm::raw_ostream &os);

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_SARIF_H
