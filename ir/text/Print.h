// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of what was read, such that it reads back: without locations but
// for those that were read, and with the lanes of every constant one by one.
// MLIR prints large constants as bytes in a string, which no author could
// review and the reader refuses.

#ifndef GIRIH_IR_TEXT_PRINT_H
#define GIRIH_IR_TEXT_PRINT_H

#include "mlir/IR/Operation.h"

#include <string>

namespace girih::tile {

/// Of a kernel, or of a module with one.
std::string printText(mlir::Operation *op);

/// The same, with `loc("file":line:column)` behind the ops that were written in
/// another file.
std::string printPlaced(mlir::Operation *op);

} // namespace girih::tile

#endif // GIRIH_IR_TEXT_PRINT_H
