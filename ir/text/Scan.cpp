// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens as MLIR's lexer cuts them, and what is refused among them.

#include "ir/text/Scan.h"
#include "ir/ops/ClosedOps.h"
#include "ir/text/ScanPlace.h"
#include "ir/types/Names.h"
#include "ir/types/Types.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace girih::tile {
namespace {

class Scanner {
public:
  explicit Scanner(StringRef text) : text(text) {}

  std::optional<ScanError> run() {
    while (!error && skipSpace()) {
      start = pos;
      step();
    }
    return error;
  }

private:
  // The kinds of token that decide what may follow.
  enum class Last { Other, SymbolOp, Value, ValueColon, Do, DoBrace, Place };

  char peek(size_t ahead = 0) const {
    return pos + ahead < text.size() ? text[pos + ahead] : '\0';
  }

  void refuse(std::string message) {
    if (!error) {
      error = ScanError{start, std::move(message)};
    }
  }

  /// Skips blanks and comments; false at the end.
  bool skipSpace() {
    pos = skipBlanks(text, pos);
    return pos < text.size();
  }

  StringRef take(bool (*accept)(char)) {
    size_t begin = pos;
    while (pos < text.size() && accept(text[pos])) {
      ++pos;
    }
    return text.slice(begin, pos);
  }

  static bool isWordChar(char c) {
    return isAlnum(c) || c == '_' || c == '$' || c == '.';
  }
  static bool isSuffixChar(char c) { return isWordChar(c) || c == '-'; }

  /// What follows `%` or `!`: digits, or a letter and more.
  StringRef takeSuffix() {
    return isDigit(peek()) ? take(isDigit) : take(isSuffixChar);
  }

  void step() {
    Last before = last;
    last = Last::Other;
    char c = text[pos];
    if (isAlpha(c) || c == '_') {
      return word(take(isWordChar), before);
    }
    if (isDigit(c)) {
      return number(before);
    }
    ++pos;
    switch (c) {
    case '%':
      takeSuffix();
      last = Last::Value;
      return;
    case ':':
      last = before == Last::Value ? Last::ValueColon : Last::Other;
      return;
    case '#':
      return brackets.empty() ? alias() : resultNumber(before);
    case '!':
      return typeName(takeSuffix());
    case '"':
      return string(before);
    case '@':
      if (peek() == '"') {
        refuse("names in quotes have no place in a kernel file");
      }
      take(isWordChar);
      return;
    case '{':
      if (!takesBraces(op)) {
        return refuse(refuseBraces(op));
      }
      last = before == Last::Do ? Last::DoBrace : Last::Other;
      [[fallthrough]];
    case '(':
    case '[':
      brackets += c;
      if (brackets.size() > maxNesting) {
        refuse("brackets are nested more than " + utostr(maxNesting) + " deep");
      }
      return;
    case '}':
      op = "";
      [[fallthrough]];
    case ')':
    case ']':
      if (!brackets.empty()) {
        brackets.pop_back();
      }
      return;
    case '^':
      // Names what the body of a while takes.
      if (before != Last::DoBrace || take(isWordChar) != "bb0") {
        refuse("labels of blocks have no place in a kernel file, but for ^bb0 "
               "at the begin of the body of an scf.while");
      }
      return;
    default:
      if (!StringRef(",=<>+-*?|/").contains(c)) {
        refuseCharacter();
      }
    }
  }

  void refuseCharacter() {
    StringRef rest = text.substr(start);
    unsigned char c = rest[0];
    size_t size = getNumBytesForUTF8(c);
    auto *bytes = reinterpret_cast<const UTF8 *>(rest.data());
    if (isPrint(c)) {
      refuse("unexpected character " + rest.take_front().str());
    } else if (start == 0 && rest.starts_with("\xef\xbb\xbf")) {
      refuse("the file begins with a byte order mark: save it without");
    } else if (c >= 0x80 && size <= rest.size() &&
               isLegalUTF8Sequence(bytes, bytes + size)) {
      refuse("unexpected character " + rest.take_front(size).str() +
             ": outside of comments a kernel is ASCII");
    } else {
      refuse("unexpected byte " + utostr(c));
    }
  }

  void word(StringRef word, Last before) {
    if (word == "loc") {
      return before == Last::Place ? refuse("an op has one location")
                                   : location();
    }
    if (word == "tile.symbol") {
      last = Last::SymbolOp;
    } else if (word == "do") {
      last = Last::Do;
    }
    saysText = word == "tile.print" || word == "tile.prove" ||
               word == "tile.trust" || word == "tile.invariant" ||
               (saysText && !word.contains('.'));
    if (word.contains('.')) {
      op = word;
      if (!llvm::StringSwitch<bool>(word)
               .Cases({"tile.kernel", "tile.variants"}, true)
               .Cases({"tile.map", "func.func"}, true)
               .Default(isClosedOp(word))) {
        refuse(refuseOp(word));
      }
    } else if (isForeignWord(word) && !isGiven(word)) {
      refuse(("'" + word + "' has no place in a kernel file").str());
    } else if (isTypeWord(word) && !isScalar(word)) {
      refuse(("type " + word + " is not in the language").str());
    } else if (word == "vector") {
      vectorType();
    }
  }

  /// Whether an op may be followed by braces: those of its hints or its code.
  /// An attribute in braces would take the place of a word of the op, so that
  /// `tile.atomic add` was an `and`; no other op has any.
  static bool takesBraces(StringRef op) {
    return llvm::StringSwitch<bool>(op)
        .Cases({"", "tile.kernel", "tile.map", "func.func"}, true)
        .Cases({"scf.for", "scf.if", "scf.while"}, true)
        .Default(false);
  }

  /// `distinct(`, of contents; MLIR's own `distinct` is followed by a bracket.
  bool isGiven(StringRef word) {
    return word == "distinct" && skipSpace() && peek() == '(';
  }

  static bool isScalar(StringRef word) {
    return llvm::StringSwitch<bool>(word)
        .Cases({"index", "i1", "i4", "i8", "i16", "i32", "i64"}, true)
        .Cases({"f16", "bf16", "f32", "f64"}, true)
        .Cases({"f4E2M1FN", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"}, true)
        .Default(false);
  }

  /// `<4x8xf32>` after `vector`.
  void vectorType() {
    skipSpace();
    bool open = peek() == '<';
    pos += open;
    uint64_t elements = 1;
    unsigned rank = 0;
    while (open && skipSpace() && isDigit(peek())) {
      uint64_t dim = 0;
      if (take(isDigit).getAsInteger(10, dim) || dim == 0 ||
          dim > uint64_t(maxElements) ||
          (elements *= dim) > uint64_t(maxElements)) {
        return refuse("vectors have 1 to " + itostr(maxElements) + " elements");
      }
      if (++rank > maxRank) {
        return refuse("vectors have at most " + utostr(maxRank) + " axes");
      }
      open = skipSpace() && peek() == 'x';
      pos += open;
    }
    if (!open || rank == 0 || !isScalar(take(isWordChar)) || !skipSpace() ||
        peek() != '>') {
      return refuse("a vector type reads vector<4x8xf32>");
    }
    ++pos;
  }

  void typeName(StringRef name) {
    bool isTile = name == "tile.tensor" || name == "tile.partition" ||
                  name == "tile.piece";
    if (!isTile && !isPlainName(name)) {
      refuse(("'!" + name +
              "' is neither an alias nor one of !tile.tensor, "
              "!tile.partition, !tile.piece")
                 .str());
    }
  }

  /// Integers, hexadecimal or not, and floats.
  StringRef takeNumber() {
    size_t begin = pos;
    if (peek() == '0' && peek(1) == 'x') {
      bool isHex = isHexDigit(peek(2));
      ++pos; // of 0xi32 the number is the 0
      if (isHex) {
        ++pos;
        take([](char c) { return isHexDigit(c); });
      }
      return text.slice(begin, pos);
    }
    take(isDigit);
    if (peek() != '.') {
      return text.slice(begin, pos);
    }
    ++pos;
    take(isDigit);
    bool sign = peek(1) == '-' || peek(1) == '+';
    if ((peek() == 'e' || peek() == 'E') && isDigit(peek(1 + sign))) {
      pos += 1 + sign;
      take(isDigit);
    }
    return text.slice(begin, pos);
  }

  void number(Last before) {
    StringRef digits = takeNumber();
    if (digits.size() > maxNumberLength) {
      return refuse("number of " + utostr(digits.size()) + " digits");
    }
    uint64_t value;
    if (before == Last::ValueColon &&
        (digits.getAsInteger(10, value) || value > maxResults)) {
      refuse("an op has at most " + utostr(maxResults) + " results");
    }
  }

  void resultNumber(Last before) {
    uint64_t value;
    if (before != Last::Value || !isDigit(peek())) {
      return refuse("'#' has no place in a kernel file but for %name#0");
    }
    if (take(isDigit).getAsInteger(10, value) || value >= maxResults) {
      refuse("an op has at most " + utostr(maxResults) + " results");
    }
  }

  /// `loc(...)` behind an op: ops stand in braces or in none.
  void location() {
    if (!brackets.empty() && brackets.back() != '{') {
      return refuse("a location stands behind an op, not behind an argument");
    }
    if (auto wrong = scanPlace(text, pos)) {
      error = error ? error : wrong;
    }
    last = Last::Place;
  }

  /// `#loc3 = loc(...)`.
  void alias() {
    StringRef name = take(isWordChar);
    bool isNamed = isPlainName(name) && skipSpace() && peek() == '=';
    pos += isNamed;
    if (!isNamed || !skipSpace() || take(isWordChar) != "loc") {
      return refuse("'#' has no place in a kernel file but for %name#0 and for "
                    "#loc = loc(...)");
    }
    location();
  }

  void string(Last before) {
    if (std::exchange(saysText, false) && before != Last::SymbolOp) {
      take([](char c) { return isPrint(c) && c != '"' && c != '\\'; });
      if (peek() != '"') {
        return refuse("a text ends on its line with a quote, and has no "
                      "backslashes");
      }
    } else {
      take([](char c) { return isAlnum(c) || c == '_'; });
      if (before != Last::SymbolOp || peek() != '"') {
        return refuse("quotes have no place in a kernel file but for "
                      "tile.symbol \"NAME\" and the texts of tile.print, "
                      "tile.prove, tile.trust and tile.invariant");
      }
    }
    ++pos;
  }

  StringRef text;
  size_t pos = 0;
  size_t start = 0;
  std::string brackets;  ///< those that are open
  bool saysText = false; ///< within an op that has a text
  StringRef op;          ///< the last one, until braces close
  Last last = Last::Other;
  std::optional<ScanError> error;
};

} // namespace

std::optional<ScanError> scanKernelText(StringRef text) {
  return Scanner(text).run();
}

} // namespace girih::tile
