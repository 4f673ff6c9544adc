// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of the C++ that a kernel's text was made from, for diagnostics. The
// text says which file, and may be an enemy's: nothing but a C++ source is
// opened, so that neither a key nor a device ends in a log.

#ifndef GIRIH_IR_TYPES_SOURCES_H
#define GIRIH_IR_TYPES_SOURCES_H

#include "ir/types/Places.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace girih::tile {

/// A place in C++ as it is shown.
struct ShownPlace {
  std::string file;
  /// 1-based; column 0 is the whole line, and `columns` is 0 for a point.
  unsigned line = 0, column = 0, columns = 0;
  /// The line of the file, if it can be shown.
  std::optional<std::string> text;
  /// Why the file as it is now is not shown; empty where there is none.
  std::string why;
};

/// Files that one text names, each read once.
class Sources {
public:
  /// `kernel` is the path of the text; what is newer than it is not shown.
  explicit Sources(llvm::StringRef kernel) : kernel(kernel) {}
  ShownPlace look(const SourcePlace &place);

private:
  struct File {
    std::string text, why;
    std::vector<size_t> lines; ///< where they begin; none if it is not shown
  };
  File read(llvm::StringRef path) const;

  std::string kernel;
  std::map<std::string, File, std::less<>> files;
};

/// What is underlined of a place's line, 1-based, and how much: of a whole line
/// what is written there before a comment.
std::pair<unsigned, unsigned> underlined(const ShownPlace &place);

/// `file:line:column`, escaped as text of a file is.
std::string headOf(const ShownPlace &place);

/// Prints `file:line:column: MESSAGE`, then the line with the place underlined,
/// or why it is not shown.
void printAt(llvm::raw_ostream &os, const ShownPlace &place,
             const llvm::Twine &message);

} // namespace girih::tile

#endif // GIRIH_IR_TYPES_SOURCES_H
