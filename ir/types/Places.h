// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two places of an op: where it stands in the text of the kernel, and where it
// was written in the language that the text was made from. The second one is
// what `loc("gemm.cpp":12:5)` says; it means nothing to the kernel.

#ifndef GIRIH_IR_TYPES_PLACES_H
#define GIRIH_IR_TYPES_PLACES_H

#include "mlir/IR/Location.h"

#include <optional>

namespace girih::tile {

/// A place in the source that a kernel's text was made from, counted from 1;
/// column 0 is the whole line.
struct SourcePlace {
  llvm::StringRef file;
  unsigned line = 0, column = 0;
};

/// The location of an op that stands at `text` and was written at `source`,
/// any location of MLIR: of it the innermost place in a file counts.
mlir::Location placedAt(mlir::Location text, mlir::Location source);

/// Where an op with this location was written, if its text says so. Of what was
/// inlined that is its own place, else that of the call.
std::optional<SourcePlace> sourcePlace(mlir::Location location);

/// Where an op with this location stands in the text: `location` without names,
/// operands and places in other files.
mlir::Location textLocation(mlir::Location location);

} // namespace girih::tile

#endif // GIRIH_IR_TYPES_PLACES_H
