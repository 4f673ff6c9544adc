// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The clause `repack [%a when (c, ...)]` of a kernel: which tensors a launcher
// may pass as copies, and when. It is advice: it changes no result and is no
// part of the contract.

#ifndef GIRIH_IR_OPS_REPACK_H
#define GIRIH_IR_OPS_REPACK_H

#include "ir/ops/Ops.h"

namespace girih::tile {

/// Parses what stands behind `repack`; `parseTensor` reads `%a` and gives the
/// number of the argument.
mlir::ParseResult
parseRepack(mlir::OpAsmParser &parser,
            llvm::function_ref<mlir::FailureOr<unsigned>()> parseTensor,
            llvm::SmallVectorImpl<mlir::Attribute> &copies);

/// Prints the clause with its word, if there is one.
void printRepack(mlir::OpAsmPrinter &printer, KernelOp kernel);

/// Each is a shared tensor whose rows have a stride of their own, named once.
llvm::LogicalResult verifyRepack(KernelOp kernel);

} // namespace girih::tile

#endif // GIRIH_IR_OPS_REPACK_H
