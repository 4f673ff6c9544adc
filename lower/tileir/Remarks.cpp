// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/Remarks.h"
#include "ir/types/Sources.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <tuple>

namespace girih::tileir {

/// `"FILE":LINE:COLUMN` at the start of the text, or nothing.
static NamedPlace quotedPlace(llvm::StringRef text) {
  NamedPlace place;
  if (!text.consume_front("\"")) {
    return {};
  }
  auto [file, rest] = text.split("\":");
  bool good = !rest.consumeInteger(10, place.line) && rest.consume_front(":") &&
              !rest.consumeInteger(10, place.column);
  place.file = file.str();
  return good ? place : NamedPlace();
}

std::vector<Remark> parseRemarks(llvm::StringRef words) {
  std::vector<Remark> out;
  std::string entry;
  bool open = false; // a remark to which lines belong
  for (llvm::StringRef line : llvm::split(words, '\n')) {
    line = line.trim();
    if (line.consume_front("in function: ")) {
      entry = line.rtrim(':').str();
      open = false;
    } else if (line.consume_front("remark[")) {
      auto [kind, text] = line.split("]: ");
      out.push_back({entry, kind.str(), text.str(), "", 0, 0, {}});
      open = true;
    } else if (line.empty()) {
      open = false;
    } else if (open && line.consume_front("--> ")) {
      NamedPlace place = quotedPlace(line);
      out.back().file = place.file;
      out.back().line = place.line;
      out.back().column = place.column;
    } else if (open && line.consume_front("= ") &&
               !line.starts_with("name: ")) {
      // A note of a reason says the place once more.
      auto [word, text] = line.split(": ");
      if (text.starts_with("loc(")) {
        text = text.split("): ").second;
      }
      out.back().notes.push_back(word == "note" ? text.str()
                                                : (word + ": " + text).str());
    }
  }
  // The assembler works on several things at once.
  llvm::sort(out, [](const Remark &a, const Remark &b) {
    return std::tie(a.entry, a.line, a.column, a.text) <
           std::tie(b.entry, b.line, b.column, b.text);
  });
  return out;
}

NamedPlace placeIn(llvm::StringRef words) {
  for (size_t at = words.find('"'); at != llvm::StringRef::npos;
       at = words.find('"', at + 1)) {
    NamedPlace place = quotedPlace(words.substr(at));
    if (place.line > 0) {
      return place;
    }
  }
  return {};
}

void printAt(llvm::raw_ostream &out, llvm::SourceMgr::DiagKind kind,
             const NamedPlace &place, const std::string &kernel,
             const std::string &text, const std::vector<std::string> &notes) {
  std::string message =
      (kind == llvm::SourceMgr::DK_Remark ? "remark: " : "error: ") + text;
  llvm::SourceMgr manager;
  llvm::SMLoc where;
  if (place.line > 0 && place.file == kernel) {
    if (auto buffer = llvm::MemoryBuffer::getFile(place.file)) {
      unsigned id =
          manager.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
      where = manager.FindLocForLineAndColumn(id, place.line, place.column);
    }
  }
  if (where.isValid()) {
    manager.PrintMessage(out, where, kind, text, {}, {}, /*ShowColors=*/false);
  } else if (place.line > 0 && place.file != kernel) {
    tile::printAt(
        out, tile::Sources(kernel).look({place.file, place.line, place.column}),
        message);
  } else {
    out << message << "\n";
  }
  for (const std::string &note : notes) {
    out << "note: " << note << "\n";
  }
}

} // namespace girih::tileir
