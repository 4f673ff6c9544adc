// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of the dialect.

#ifndef GIRIH_IR_OPS_OPS_H
#define GIRIH_IR_OPS_OPS_H

#include "ir/types/Attrs.h"
#include "ir/types/Types.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <variant>

namespace girih::tile {

/// A number in a view's clause: a constant, a launch symbol, a value.
using ViewNumber = std::variant<int64_t, mlir::StringAttr, mlir::Value>;

} // namespace girih::tile

// Generated code leaves parameters unused.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GET_OP_CLASSES
#include "ir/ops/KernelOps.h.inc"
#define GET_OP_CLASSES
#include "ir/ops/LoopOps.h.inc"
#define GET_OP_CLASSES
#include "ir/ops/MapOps.h.inc"
#define GET_OP_CLASSES
#include "ir/ops/MemoryOps.h.inc"
#define GET_OP_CLASSES
#include "ir/ops/ValueOps.h.inc"
#define GET_OP_CLASSES
#include "ir/ops/ViewOps.h.inc"
#pragma GCC diagnostic pop

#endif // GIRIH_IR_OPS_OPS_H
