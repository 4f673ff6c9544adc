// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel of the dialect to the dialects LLVM and NVVM, op by op.

#ifndef GIRIH_LOWER_HOPPER_NVVM_TOLLVM_H
#define GIRIH_LOWER_HOPPER_NVVM_TOLLVM_H

#include "mlir/IR/BuiltinOps.h"

namespace girih::hopper {

/// Lowers the kernels of a module in place.
mlir::LogicalResult lowerToLLVM(mlir::ModuleOp module);

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_NVVM_TOLLVM_H
