// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Syntax.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

namespace girih::checker {

const char *syntaxName(Syntax kind) {
  switch (kind) {
  case Syntax::Comment:
    return "comment";
  case Syntax::String:
    return "string";
  case Syntax::Op:
    return "op";
  case Syntax::Keyword:
    return "keyword";
  case Syntax::Type:
    return "type";
  case Syntax::Symbol:
    return "symbol";
  case Syntax::Literal:
    return "literal";
  }
  return "";
}

static bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
}

/// `f32`, `bf16`, `i1`, `index`, `vector`.
static bool isType(llvm::StringRef word) {
  if (word == "index" || word == "vector") {
    return true;
  }
  for (llvm::StringRef prefix : {"bf", "tf", "f", "i"}) {
    llvm::StringRef rest = word;
    if (rest.consume_front(prefix)) {
      return !rest.empty() && llvm::isDigit(rest.front());
    }
  }
  return false;
}

/// The words of the language that are no names of ops. Other words are names of
/// launch symbols, of maps' parameters, of hints.
static bool isKeyword(llvm::StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"grid", "symbols", "requires", "given", "assumed", "covers",
              "block", "trips", "repack", "hints", "when"},
             true)
      .Cases({"shared", "own", "out", "atomic", "raw", "partial", "strides",
              "align"},
             true)
      .Cases({"by", "at", "pad", "slice", "size", "permute", "unfold", "fix",
              "to", "step", "iter_args", "keep", "reverse", "else", "do"},
             true)
      .Cases({"from", "into", "injective", "bijective", "inverse"}, true)
      .Cases({"div", "mod", "ceildiv", "min", "max", "within", "sorted",
              "splits", "distinct"},
             true)
      .Cases({"dense", "true", "false"}, true)
      .Default(false);
}

/// What a word is; none of these for a name.
static std::optional<Syntax> wordKind(llvm::StringRef word) {
  if (word.contains('.')) {
    return Syntax::Op;
  }
  if (isType(word)) {
    return Syntax::Type;
  }
  if (isKeyword(word)) {
    return Syntax::Keyword;
  }
  return std::nullopt;
}

/// A number, or the shape that begins a vector type: `128x64xbf16`.
static Token number(llvm::StringRef line, size_t from) {
  bool isHex = line.substr(from).starts_with("0x");
  size_t to = from;
  while (to < line.size() && (isWordPart(line[to]) ||
                              // The exponent of a float may have a sign.
                              ((line[to] == '-' || line[to] == '+') && !isHex &&
                               llvm::toLower(line[to - 1]) == 'e'))) {
    ++to;
  }
  bool isShape = !isHex && line.slice(from, to).contains('x');
  return {from, to, isShape ? Syntax::Type : Syntax::Literal};
}

static Token string(llvm::StringRef line, size_t from) {
  size_t to = from + 1;
  while (to < line.size() && line[to] != '"') {
    to += line[to] == '\\' ? 2 : 1;
  }
  return {from, std::min(to + 1, line.size()), Syntax::String};
}

/// The end of a word that begins at `from`.
static size_t wordEnd(llvm::StringRef line, size_t from) {
  while (from < line.size() && isWordPart(line[from])) {
    ++from;
  }
  return from;
}

std::vector<Token> tokensOf(llvm::StringRef line) {
  std::vector<Token> out;
  size_t at = 0;
  while (at < line.size()) {
    char c = line[at];
    size_t next = at + 1;
    if (line.substr(at).starts_with("//")) {
      out.push_back({at, line.size(), Syntax::Comment});
      next = line.size();
    } else if (c == '"') {
      out.push_back(string(line, at));
      next = out.back().to;
    } else if (llvm::isDigit(c)) {
      out.push_back(number(line, at));
      next = out.back().to;
    } else if (c == '!' || c == '@') {
      next = wordEnd(line, next);
      out.push_back({at, next, c == '!' ? Syntax::Type : Syntax::Symbol});
    } else if (c == '%') {
      next = wordEnd(line, next);
    } else if (isWordPart(c)) {
      next = wordEnd(line, at);
      if (std::optional<Syntax> kind = wordKind(line.slice(at, next))) {
        out.push_back({at, next, *kind});
      }
    }
    at = next;
  }
  return out;
}

} // namespace girih::checker
