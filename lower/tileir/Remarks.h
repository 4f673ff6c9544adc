// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the assembler says about places in the kernel.

#ifndef GIRIH_LOWER_TILEIR_REMARKS_H
#define GIRIH_LOWER_TILEIR_REMARKS_H

#include "llvm/Support/SourceMgr.h"

#include <string>
#include <vector>

namespace girih::tileir {

struct Remark {
  std::string entry, kind, text; ///< kind: passed, missed, failed, analysis
  std::string file;              ///< empty: no place is named
  unsigned line = 0, column = 0;
  std::vector<std::string> notes;
};

/// The remarks among the words of an assembler, in their order.
std::vector<Remark> parseRemarks(llvm::StringRef words);

/// The first place that the words of a failed assembler name, or none.
struct NamedPlace {
  std::string file;
  unsigned line = 0, column = 0;
};
NamedPlace placeIn(llvm::StringRef words);

/// Prints a diagnostic with the line of the kernel and a caret, or its text
/// alone where there is no such place. Another file than `kernel` is one that
/// the text was made from.
void printAt(llvm::raw_ostream &out, llvm::SourceMgr::DiagKind kind,
             const NamedPlace &place, const std::string &kernel,
             const std::string &text, const std::vector<std::string> &notes);

} // namespace girih::tileir

#endif // GIRIH_LOWER_TILEIR_REMARKS_H
