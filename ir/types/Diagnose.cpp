// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locations that name an operand; text of a file as it is shown.

#include "ir/types/Diagnose.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

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

namespace {
/// The first character of a text as it is shown.
struct Shown {
  std::string text;
  size_t bytes = 1; ///< of the file
  unsigned columns = 1;
};
} // namespace

static Shown escaped(StringRef sign, uint32_t code, size_t bytes) {
  std::string text = "\\" + sign.str();
  text += sign == "x" ? llvm::utohexstr(code, true, 2)
                      : "{" + llvm::utohexstr(code, true) + "}";
  auto columns = unsigned(text.size());
  return {std::move(text), bytes, columns};
}

static Shown firstShown(StringRef text) {
  auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) {
    return llvm::isPrint(text.front()) ? Shown{text.take_front(1).str()}
                                       : escaped("x", first, 1);
  }
  auto *bytes = reinterpret_cast<const llvm::UTF8 *>(text.data());
  size_t size = llvm::getNumBytesForUTF8(first);
  llvm::UTF32 code = 0;
  if (size > text.size() ||
      llvm::convertUTF8Sequence(&bytes, bytes + size, &code,
                                llvm::strictConversion) != llvm::conversionOK) {
    return escaped("x", first, 1);
  }
  int columns = llvm::sys::unicode::columnWidthUTF8(text.take_front(size));
  return columns < 0
             ? escaped("u", code, size)
             : Shown{text.take_front(size).str(), size, unsigned(columns)};
}

std::string printable(StringRef text) {
  std::string out;
  while (!text.empty()) {
    if (text.front() == '\n' || text.front() == '\t') {
      out += text.front();
      text = text.drop_front();
      continue;
    }
    Shown shown = firstShown(text);
    out += shown.text;
    text = text.drop_front(shown.bytes);
  }
  return out;
}

/// What is shown of a longer line: so much of it, from so far before the place.
static constexpr size_t maxShown = 2000, maxBefore = 500;

void printUnderlined(llvm::raw_ostream &os, llvm::StringRef line,
                     unsigned column, unsigned columns) {
  if (line.size() > maxShown) {
    size_t from = column > maxBefore ? column - maxBefore : 0;
    line = line.substr(from, maxShown);
    column -= unsigned(from);
    columns = unsigned(std::min<size_t>(columns, maxShown - maxBefore));
  }
  std::string text, marks;
  size_t place = 0; // columns shown so far
  size_t end = column + std::max(columns, 1u);
  for (size_t at = 1; at <= line.size() || at < end;) {
    Shown next{" "};
    if (at <= line.size() && line[at - 1] == '\t') {
      next.columns = unsigned(8 - place % 8);
      next.text.assign(next.columns, ' ');
    } else if (at <= line.size()) {
      next = firstShown(line.drop_front(at - 1));
    }
    if (at < end) {
      bool isBefore = at + next.bytes <= column;
      std::string mark(next.columns, isBefore ? ' ' : '~');
      if (!isBefore && at <= column && !mark.empty()) {
        mark.front() = '^';
      }
      marks += mark;
    }
    text += next.text;
    place += next.columns;
    at += next.bytes;
  }
  os << StringRef(text).rtrim() << '\n' << marks << '\n';
}

void printMessage(llvm::raw_ostream &os, const llvm::SourceMgr &sources,
                  llvm::SMRange range, llvm::SourceMgr::DiagKind kind,
                  const llvm::Twine &message, size_t maxColumns) {
  SmallVector<llvm::SMRange, 1> ranges;
  if (range.isValid()) {
    ranges.push_back(range);
  }
  llvm::SMDiagnostic shown =
      sources.GetMessage(range.Start, kind, message, ranges);
  std::string head = shown.getFilename().str();
  if (shown.getLineNo() > 0) {
    head += ":" + std::to_string(shown.getLineNo()) + ":" +
            std::to_string(shown.getColumnNo() + 1);
  }
  head += kind == llvm::SourceMgr::DK_Note      ? ": note: "
          : kind == llvm::SourceMgr::DK_Warning ? ": warning: "
                                                : ": error: ";
  os << printable(head) << printable(shown.getMessage()) << '\n';
  StringRef line = shown.getLineContents();
  if (shown.getLineNo() <= 0 || line.size() > maxColumns) {
    return;
  }
  unsigned columns = 0;
  for (auto [from, to] : shown.getRanges()) {
    columns = to - from;
  }
  printUnderlined(os, line.rtrim('\r'), unsigned(shown.getColumnNo() + 1),
                  columns);
}

} // namespace girih::tile
