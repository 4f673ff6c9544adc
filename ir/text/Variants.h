// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of kernels for the same call, and what relates it to the kernels of its
// file: one signature, each kernel named once, conditions over launch symbols.

#ifndef GIRIH_IR_TEXT_VARIANTS_H
#define GIRIH_IR_TEXT_VARIANTS_H

#include "ir/ops/Ops.h"

namespace girih::tile {

/// The most kernels that a list has.
inline constexpr unsigned maxVariants = 64;

/// Verifies a list against the kernels of its file, in the file's order.
llvm::LogicalResult verifyVariants(VariantsOp list,
                                   llvm::ArrayRef<KernelOp> kernels);

} // namespace girih::tile

#endif // GIRIH_IR_TEXT_VARIANTS_H
