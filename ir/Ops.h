// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of the dialect.

#ifndef GIRIH_IR_OPS_H
#define GIRIH_IR_OPS_H

#include "ir/Attrs.h"
#include "ir/Types.h"

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
#include "ir/KernelOps.h.inc"
#define GET_OP_CLASSES
#include "ir/MapOps.h.inc"
#define GET_OP_CLASSES
#include "ir/MemoryOps.h.inc"
#define GET_OP_CLASSES
#include "ir/ValueOps.h.inc"
#define GET_OP_CLASSES
#include "ir/ViewOps.h.inc"
#pragma GCC diagnostic pop

#endif // GIRIH_IR_OPS_H
