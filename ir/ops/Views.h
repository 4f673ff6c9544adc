// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of views of a tensor argument: where such a chain starts, and what it
// is made of.

#ifndef GIRIH_IR_OPS_VIEWS_H
#define GIRIH_IR_OPS_VIEWS_H

#include "ir/ops/Ops.h"

namespace girih::tile {

/// The tensor argument that a tensor value is, or is a view of.
mlir::BlockArgument rootOf(mlir::Value tensor);

/// The views between that argument and a tensor value, first things first.
llvm::SmallVector<ViewOp> viewsOf(mlir::Value tensor);

/// The constant 1.
bool isOne(const ViewNumber &n);

/// The axis along which two elements share a byte, if elements are below one.
std::optional<unsigned> packedAxis(mlir::Value tensor);

/// The partition that a partition value is, or that a piece is a tile of.
PartitionOp partitionOf(mlir::Value partitionOrPiece);

} // namespace girih::tile

#endif // GIRIH_IR_OPS_VIEWS_H
