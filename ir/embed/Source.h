// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a C++ file calls its values, read from its text. C++20 has no way to
// ask, and the names only serve readers: without the file values have names of
// their ops.

#ifndef GIRIH_IR_EMBED_SOURCE_H
#define GIRIH_IR_EMBED_SOURCE_H

#include <string>
#include <vector>

namespace girih::kernel::recorder {

/// An assignment, a declaration or the head of a range-based loop. Anything
/// else names nothing.
struct Statement {
  unsigned first, last; // lines
  std::string text;
  std::vector<std::string> names = {}; // several of `auto [i, j]`
  bool isLoop = false;
  /// Whether all that it calls is the language's: then its last op is the
  /// value.
  bool isPlain = false;
  /// Whether one call is all of it, of a function that always makes an op: no
  /// other op of it comes later, in whichever order arguments are evaluated.
  bool isCall = false;
  bool isRead = false; // by read()
};

/// The statements of a file's text. One that stands within another comes before
/// it.
std::vector<Statement> statementsOf(const std::string &text);
/// Finds out what a statement names, once somebody asks.
void read(Statement &statement);

} // namespace girih::kernel::recorder

#endif // GIRIH_IR_EMBED_SOURCE_H
