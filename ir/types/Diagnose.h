// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that know which operand they mean. The number of the operand travels
// in the location of the diagnostic; whoever prints it may underline the
// operand's text, and others see the location of the op.

#ifndef GIRIH_IR_TYPES_DIAGNOSE_H
#define GIRIH_IR_TYPES_DIAGNOSE_H

#include "ir/types/Counted.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/SourceMgr.h"

#include <optional>
#include <string>

namespace girih::tile {

/// The location of an op, naming one of its operands.
mlir::Location operandLocation(mlir::Location op, unsigned operand);

/// The operand that such a location names.
std::optional<unsigned> namedOperand(mlir::Location location);

/// An error at an operand of `op`.
mlir::InFlightDiagnostic emitOperandError(mlir::Operation *op,
                                          unsigned operand);

/// `file:line:column` of a location, as far as it is known.
std::string locationText(mlir::Location loc);

/// Text of a file as it may be shown: what would steer a terminal, or is no
/// UTF-8, is escaped: `\x1b`, `\u{202e}`. Newlines and tabs stay.
std::string printable(llvm::StringRef text);

/// Shows a line of a file and underlines `columns` bytes of it, at least one,
/// from the 1-based byte `column`; marks stand where these bytes are shown.
/// Tabs are blanks up to the next multiple of 8. Of a long line a part is
/// shown.
void printUnderlined(llvm::raw_ostream &os, llvm::StringRef line,
                     unsigned column, unsigned columns);

/// Prints a message with its place in a file and that line, underlined.
/// Without a line where that is longer than `maxColumns`.
void printMessage(llvm::raw_ostream &os, const llvm::SourceMgr &sources,
                  llvm::SMRange range, llvm::SourceMgr::DiagKind kind,
                  const llvm::Twine &message, size_t maxColumns = SIZE_MAX);

} // namespace girih::tile

#endif // GIRIH_IR_TYPES_DIAGNOSE_H
