// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command line need not say because its inputs do.

#ifndef GIRIH_SPEC_EXECUTOR_TOOL_INFER_H
#define GIRIH_SPEC_EXECUTOR_TOOL_INFER_H

#include "spec/executor/Executor.h"

namespace girih::exec {

/// Gives the symbols that are extents of inputs the values that the arrays
/// have. Where two sources disagree, a symbol that was set included, the result
/// names both; else it is empty. The length of a list of contents is the extent
/// of its tensor where nothing else tells. A stride that nothing tells is that
/// of a packed tensor.
std::string inferSymbols(tile::KernelOp kernel, Options &options);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_TOOL_INFER_H
