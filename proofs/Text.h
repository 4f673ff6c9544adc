// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the readers of the two text forms share. A reader takes any bytes and
// either understands all of them or says in which line it stopped.

#ifndef GIRIH_PROOFS_TEXT_H
#define GIRIH_PROOFS_TEXT_H

#include "proofs/Obligation.h"

#include <unordered_map>

namespace girih::proofs {

using VariableNumbers = std::unordered_map<std::string_view, Var>;

/// Reads a text from its front. The first error stays, and puts the cursor at
/// the end, so that every loop over the text ends.
class Cursor {
public:
  explicit Cursor(std::string_view text, size_t line = 1)
      : rest(text), line(line) {}

  /// Nothing but blanks is left.
  bool atEnd();
  /// Nothing but blanks is left in this line.
  bool atEndOfLine();
  /// The next character that is no blank; 0 at the end.
  char peek();
  /// Takes the token if it comes next.
  bool accept(std::string_view token);
  /// Takes the token or fails.
  void expect(std::string_view token);
  /// Takes the end of a line (or of the text) or fails.
  void endLine();
  /// Takes everything up to the end of the line and the end of the line.
  void skipLine();
  /// Takes a name: printable characters but those that the forms use.
  std::string_view word();
  /// Takes a name or a text in double quotes.
  std::string string();
  /// Takes the text between two single quotes.
  std::string_view quoted();
  uint32_t number();
  Int integer();
  Var variable(const VariableNumbers &names);
  Poly polynomial(const VariableNumbers &names);

  void fail(std::string message);
  bool failed() const { return error.has_value(); }
  const ParseError &failure() const { return *error; }
  size_t lineNumber() const { return line; }

private:
  void skipBlanks();
  unsigned __int128 magnitude();
  Int withSign(bool negative, unsigned __int128 magnitude);

  std::string_view rest;
  size_t line;
  std::optional<ParseError> error;
};

/// Whether `word()` reads exactly this.
bool isWord(std::string_view s);

/// The number in `v17`, the name that every variable has.
std::optional<Var> numberedVariable(std::string_view s);

/// The text as `string()` reads it: bare if it is a word, else in quotes.
std::string printString(std::string_view s);

} // namespace girih::proofs

#endif // GIRIH_PROOFS_TEXT_H
