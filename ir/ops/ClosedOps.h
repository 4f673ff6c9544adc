// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The closed list: which ops, types and attributes a kernel's body may hold.

#ifndef GIRIH_IR_OPS_CLOSEDOPS_H
#define GIRIH_IR_OPS_CLOSEDOPS_H

#include "mlir/IR/Operation.h"

namespace girih::tile {

/// True if the language has the op `name`, such as "arith.addi".
bool isClosedOp(llvm::StringRef name);

/// Why it does not, and what it has nearby.
std::string refuseOp(llvm::StringRef name);

/// A statement of an op of our own, as an example; empty for others.
llvm::StringRef statementForm(llvm::StringRef name);

/// Why `{...}` behind the op `name` is refused, and how the op is written.
std::string refuseBraces(llvm::StringRef name);

/// Refuses ops outside the list by their names alone, before their own
/// verifiers run.
llvm::LogicalResult verifyOpNames(mlir::Region &body);

/// What is wrong with the type of a value; empty if nothing is.
std::string refuseType(mlir::Type type);

/// Holds one op to the list: its types, flags and attributes.
llvm::LogicalResult verifyClosedOp(mlir::Operation *op);

/// Holds an scf.while to what is asked of its condition region.
llvm::LogicalResult verifyWhile(mlir::Operation *op);

} // namespace girih::tile

#endif // GIRIH_IR_OPS_CLOSEDOPS_H
