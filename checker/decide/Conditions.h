// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The closed list of conditions that may be missing from a contract.

#ifndef GIRIH_CHECKER_DECIDE_CONDITIONS_H
#define GIRIH_CHECKER_DECIDE_CONDITIONS_H

#include "checker/decide/ContractValues.h"

namespace girih::checker {

/// Below this nothing outgrows a width.
inline constexpr int64_t leastLarge = int64_t(1) << 20;

/// Conditions on the launch symbols of the kernel, in this order: lower bounds
/// of 0 and 1; products and sums that stay below what they are at `large`, a
/// launch that faults because of its size (empty: at 2^31); symbols, sums,
/// products and counts of tiles in order; divisibility by tiles; equalities;
/// at most one tile, at most 1.
std::vector<tile::ComparisonAttr>
missingConditions(tile::KernelOp kernel, const ContractValues &contract,
                  llvm::ArrayRef<int64_t> large);

/// A copy of the kernel with more conditions and preconditions behind its own,
/// alone in a module.
mlir::OwningOpRef<mlir::ModuleOp>
kernelUnder(tile::KernelOp kernel,
            llvm::ArrayRef<tile::ComparisonAttr> conditions,
            llvm::ArrayRef<tile::GivenAttr> givens = {});

/// The kernel of such a module.
tile::KernelOp kernelOf(mlir::ModuleOp module);

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_CONDITIONS_H
