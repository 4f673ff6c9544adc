// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect `hopper`, in one include.

#ifndef GIRIH_LOWER_HOPPER_IR_HOPPER_H
#define GIRIH_LOWER_HOPPER_IR_HOPPER_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" // generated code
#include "lower/hopper/ir/Dialect.h.inc"
#include "lower/hopper/ir/Enums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "lower/hopper/ir/Types.h.inc"

#define GET_OP_CLASSES
#include "lower/hopper/ir/KernelOps.h.inc"
#define GET_OP_CLASSES
#include "lower/hopper/ir/RingOps.h.inc"
#define GET_OP_CLASSES
#include "lower/hopper/ir/BlockOps.h.inc"
#pragma GCC diagnostic pop

namespace girih::hopper {

/// The lanes of a warp.
inline constexpr int64_t lanes = 32;

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_IR_HOPPER_H
