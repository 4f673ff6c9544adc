// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir/text/Print.h"
#include "ir/types/Places.h"

#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

static OpPrintingFlags plainFlags() {
  constexpr int64_t neverAsBytes = -1;
  return OpPrintingFlags().enableDebugInfo(false).printLargeElementsAttrWithHex(
      neverAsBytes);
}

static std::string print(Operation *op, const OpPrintingFlags &flags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, flags);
  return text;
}

std::string girih::tile::printText(Operation *op) {
  return print(op, plainFlags());
}

/// The text without ` loc(unknown)`, which MLIR prints behind all that has no
/// place. In quotes it is the author's; a quote in quotes is printed as \22.
static std::string withoutUnknown(StringRef text) {
  constexpr StringRef unknown = " loc(unknown)";
  std::string out;
  bool isQuoted = false;
  while (!text.empty()) {
    if (isQuoted || !text.consume_front(unknown)) {
      isQuoted ^= text.front() == '"';
      out += text.front();
      text = text.drop_front();
    }
  }
  return out;
}

std::string girih::tile::printPlaced(Operation *op) {
  OwningOpRef<Operation *> copy = op->clone();
  auto unknown = UnknownLoc::get(op->getContext());
  bool isPlaced = false;
  (*copy)->walk([&](Operation *inner) {
    auto place = sourcePlace(inner->getLoc());
    isPlaced |= place.has_value();
    inner->setLoc(
        place ? Location(FileLineColLoc::get(op->getContext(), place->file,
                                             place->line, place->column))
              : unknown);
    for (Region &region : inner->getRegions()) {
      for (BlockArgument argument : region.getArguments()) {
        argument.setLoc(unknown);
      }
    }
  });
  if (!isPlaced) {
    return printText(op);
  }
  // A copy stands in no module, where alone it would be verified.
  return withoutUnknown(print(
      *copy,
      plainFlags().enableDebugInfo(true).useLocalScope().assumeVerified()));
}
