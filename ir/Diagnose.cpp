// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations that name an operand.

#include "ir/Diagnose.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Location.h"

using namespace mlir;

namespace girih::tile {

Location operandLocation(Location op, unsigned operand) {
  MLIRContext *context = op.getContext();
  return FusedLoc::get(context, {op}, Builder(context).getIndexAttr(operand));
}

std::optional<unsigned> namedOperand(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  auto index = fused ? dyn_cast_if_present<IntegerAttr>(fused.getMetadata())
                     : IntegerAttr();
  if (!index) {
    return std::nullopt;
  }
  return static_cast<unsigned>(index.getInt());
}

InFlightDiagnostic emitOperandError(Operation *op, unsigned operand) {
  return emitError(operandLocation(op->getLoc(), operand));
}

std::string counted(uint64_t count, StringRef one, StringRef many) {
  return std::to_string(count) + " " + (count == 1 ? one : many).str();
}

} // namespace girih::tile
