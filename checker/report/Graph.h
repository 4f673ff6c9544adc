// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of obligations: which rest on which, in which order they are
// judged, and what one that is not proved hides.

#ifndef GIRIH_CHECKER_REPORT_GRAPH_H
#define GIRIH_CHECKER_REPORT_GRAPH_H

#include "checker/report/Output.h"

namespace girih::checker {

/// The graph of all kernels in the DOT language. A node is an obligation: its
/// number, rule, instance and status, its level (one more than the highest of
/// those that it rests on, from 0) and, unless it is proved, how many rest on
/// it. An arrow leads from an obligation to one that rests on it; arrows that
/// follow from others are left out.
std::string obligationGraph(llvm::ArrayRef<Checked> checked);

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_GRAPH_H
