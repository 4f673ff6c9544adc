// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations that name an operand; text of a file as it is shown.

#include "ir/Diagnose.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

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

std::string locationText(mlir::Location loc) {
  if (auto f = mlir::dyn_cast<mlir::FileLineColLoc>(loc)) {
    return (f.getFilename().getValue() + ":" + llvm::Twine(f.getLine()) + ":" +
            llvm::Twine(f.getColumn()))
        .str();
  }
  if (auto f = mlir::dyn_cast<mlir::NameLoc>(loc)) {
    return locationText(f.getChildLoc());
  }
  if (auto f = mlir::dyn_cast<mlir::FusedLoc>(loc)) {
    return f.getLocations().empty() ? "" : locationText(f.getLocations()[0]);
  }
  return "";
}

std::string counted(uint64_t count, StringRef one, StringRef many) {
  return std::to_string(count) + " " + (count == 1 ? one : many).str();
}

std::string printable(std::string text) {
  auto *bytes = reinterpret_cast<const llvm::UTF8 *>(text.data());
  for (size_t i = 0; i < text.size();) {
    size_t size = llvm::getNumBytesForUTF8(bytes[i]);
    if (bytes[i] >= 0x80 && size <= text.size() - i &&
        llvm::isLegalUTF8Sequence(bytes + i, bytes + i + size)) {
      i += size;
      continue;
    }
    if (!llvm::isPrint(text[i]) && text[i] != '\n' && text[i] != '\t') {
      text[i] = '?';
    }
    ++i;
  }
  return text;
}

/// What is shown of a longer line: so much of it, from so far before the place.
static constexpr size_t maxShown = 2000, maxBefore = 500;

void printUnderlined(llvm::raw_ostream &os, llvm::StringRef line,
                     unsigned column, unsigned columns) {
  std::string shown, marks;
  if (line.size() > maxShown) {
    size_t from = column > maxBefore ? column - maxBefore : 0;
    line = line.substr(from, maxShown);
    column -= unsigned(from);
    columns = unsigned(std::min<size_t>(columns, maxShown - maxBefore));
  }
  size_t end = column + std::max(columns, 1u);
  for (size_t at = 1; at <= line.size() || at < end; ++at) {
    char c = at <= line.size() ? line[at - 1] : ' ';
    size_t width = c == '\t' ? 8 - shown.size() % 8 : 1;
    shown.append(width, c == '\t' ? ' ' : c);
    if (at < end) {
      marks.append(width, at < column ? ' ' : at == column ? '^' : '~');
    }
  }
  os << StringRef(printable(std::move(shown))).rtrim() << '\n' << marks << '\n';
}

} // namespace girih::tile
