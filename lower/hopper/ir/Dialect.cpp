// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/ir/Hopper.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace girih::hopper;

#include "lower/hopper/ir/Dialect.cpp.inc"
#include "lower/hopper/ir/Enums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "lower/hopper/ir/Types.cpp.inc"

void HopperDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "lower/hopper/ir/Types.cpp.inc"
      >();
}

void HopperDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "lower/hopper/ir/KernelOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lower/hopper/ir/RingOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lower/hopper/ir/BlockOps.cpp.inc"
      >();
}

/// What bulk copies and loads of 16 bytes ask of sizes.
static mlir::LogicalResult
refuseBytes(llvm::function_ref<mlir::InFlightDiagnostic()> error,
            int64_t bytes) {
  if (bytes < 16 || bytes % 16 != 0) {
    return error() << "takes a positive multiple of 16 bytes, not " << bytes;
  }
  return mlir::success();
}

mlir::LogicalResult
RingType::verify(llvm::function_ref<mlir::InFlightDiagnostic()> error,
                 int64_t slots, int64_t bytes) {
  // A longer ring keeps no more in flight than shared memory holds of slots
  // that are worth a copy.
  constexpr int64_t maxSlots = 32;
  if (slots < 1 || slots > maxSlots) {
    return error() << "a ring has 1 to " << maxSlots << " slots, not " << slots;
  }
  return refuseBytes(error, bytes);
}

mlir::LogicalResult
SharedType::verify(llvm::function_ref<mlir::InFlightDiagnostic()> error,
                   int64_t bytes) {
  return refuseBytes(error, bytes);
}
