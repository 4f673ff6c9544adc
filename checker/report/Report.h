// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The HTML report: one self-contained page with the verdict table, each source
// with what clashes underlined, and pictures of partitions with the blocks of a
// counterexample in colour.

#ifndef GIRIH_CHECKER_REPORT_REPORT_H
#define GIRIH_CHECKER_REPORT_REPORT_H

#include "checker/report/Output.h"

namespace girih::checker {

/// The page: no script, no reference to anything outside it. The kernels were
/// all checked at `width`.
std::string reportPage(llvm::ArrayRef<Checked> checked, Width width);

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_REPORT_H
