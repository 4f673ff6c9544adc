// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parts of a line of a kernel have a colour in a page. Colours mean
// nothing to a proof: any text is cut into tokens, malformed text as well.

#ifndef GIRIH_CHECKER_REPORT_SYNTAX_H
#define GIRIH_CHECKER_REPORT_SYNTAX_H

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace girih::checker {

enum class Syntax { Comment, String, Op, Keyword, Type, Symbol, Literal };

/// The name of a kind of token, as the style of a page has it: "comment".
const char *syntaxName(Syntax kind);

/// A stretch of one line.
struct Token {
  size_t from = 0, to = 0;
  Syntax kind{};
  friend bool operator==(const Token &, const Token &) = default;
};

/// The coloured tokens of one line, in order. No token of the language goes
/// beyond its line.
std::vector<Token> tokensOf(llvm::StringRef line);

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_SYNTAX_H
