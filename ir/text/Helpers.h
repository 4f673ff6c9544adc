// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands beside a kernel in its file: helper functions and maps.

#ifndef GIRIH_IR_TEXT_HELPERS_H
#define GIRIH_IR_TEXT_HELPERS_H

#include "ir/ops/Ops.h"

namespace girih::tile {

/// Calls among helpers nest as deep as there are helpers at most.
inline constexpr unsigned maxHelpers = 64;

/// Whether an op beside the kernel is a helper or a map.
bool isHelper(mlir::Operation *op);

/// The helper or map that an op calls or applies; null for any other op, or if
/// the file has none of that name.
mlir::Operation *calledHelper(mlir::Operation *op, mlir::ModuleOp module);

/// Checks the helpers and maps of a file, which is otherwise verified: they
/// are pure, call each other in no circle, and are applied to what they take.
llvm::LogicalResult verifyHelpers(mlir::ModuleOp module);

} // namespace girih::tile

#endif // GIRIH_IR_TEXT_HELPERS_H
