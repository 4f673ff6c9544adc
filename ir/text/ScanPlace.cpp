// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of MLIR's locations a kernel has those that name a place. Metadata of fused
// ones could be any attribute, and fused aliases a list that doubles from alias
// to alias: neither is read.

#include "ir/text/ScanPlace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace girih::tile {

size_t skipBlanks(StringRef text, size_t pos) {
  while (pos < text.size()) {
    if (StringRef(" \t\n\r").contains(text[pos])) {
      ++pos;
    } else if (text.substr(pos).starts_with("//")) {
      pos = std::min(text.find('\n', pos), text.size());
    } else {
      break;
    }
  }
  return pos;
}

namespace {
class PlaceScanner {
public:
  PlaceScanner(StringRef text, size_t pos) : text(text), pos(pos) {}

  std::optional<ScanError> run(size_t &end) {
    if (expect('(') && location(false, 0)) {
      expect(')');
    }
    end = pos;
    return error;
  }

private:
  static constexpr const char *form =
      "a location reads loc(\"file\":line:column)";

  bool refuse(size_t at, std::string message) {
    if (!error) {
      error = ScanError{std::min(at, text.size()), std::move(message)};
    }
    return false;
  }

  bool expect(char c) {
    pos = skipBlanks(text, pos);
    if (pos >= text.size() || text[pos] != c) {
      return refuse(pos, form);
    }
    ++pos;
    return true;
  }
  bool accept(char c) {
    pos = skipBlanks(text, pos);
    bool is = pos < text.size() && text[pos] == c;
    pos += is;
    return is;
  }

  StringRef take(bool (*accept)(char)) {
    size_t begin = pos;
    while (pos < text.size() && accept(text[pos])) {
      ++pos;
    }
    return text.slice(begin, pos);
  }
  static bool isWordChar(char c) { return isAlnum(c) || c == '_'; }

  bool word(StringRef want) {
    pos = skipBlanks(text, pos);
    size_t at = pos;
    return take(isWordChar) == want || refuse(at, form);
  }

  bool location(bool isFused, unsigned depth) {
    if (depth > maxPlaceNesting) {
      return refuse(pos, "locations are nested more than " +
                             utostr(maxPlaceNesting) + " deep");
    }
    pos = skipBlanks(text, pos);
    size_t at = pos;
    if (accept('"')) {
      return name() &&
             (accept(':')   ? numbers()
              : accept('(') ? location(isFused, depth + 1) && expect(')')
                            : true);
    }
    if (accept('#')) {
      return isFused ? refuse(at, "a fused location is of no aliases")
                     : !take(isWordChar).empty() || refuse(at, form);
    }
    StringRef kind = take(isWordChar);
    if (kind == "unknown") {
      return true;
    }
    if (kind == "callsite") {
      return expect('(') && location(isFused, depth + 1) && word("at") &&
             location(isFused, depth + 1) && expect(')');
    }
    if (kind != "fused") {
      return refuse(at, form);
    }
    if (!expect('[')) {
      return false;
    }
    do {
      if (!location(true, depth + 1)) {
        return false;
      }
    } while (accept(','));
    return expect(']');
  }

  /// A name behind its first quote. What it stands for is printed, and may be
  /// opened.
  bool name() {
    size_t at = pos - 1;
    std::string value;
    while (true) {
      if (pos >= text.size() || !isPrint(text[pos])) {
        return refuse(pos, "the name of a file in a location ends on its line "
                           "with a quote; other bytes than those of ASCII are "
                           "escaped, \\C3");
      }
      char c = text[pos++];
      if (c == '"') {
        break;
      }
      if (c != '\\') {
        value += c;
        continue;
      }
      StringRef rest = text.substr(pos);
      if (rest.starts_with("\"") || rest.starts_with("\\")) {
        value += text[pos++];
      } else if (rest.size() > 1 && isHexDigit(rest[0]) &&
                 isHexDigit(rest[1])) {
        value += char(hexDigitValue(rest[0]) * 16 + hexDigitValue(rest[1]));
        pos += 2;
      } else {
        return refuse(pos - 1, "an escape in the name of a file is \\\", \\\\ "
                               "or two hexadecimal digits");
      }
    }
    if (value.empty() || value.size() > maxPlaceName) {
      return refuse(at, "the name of a file in a location has 1 to " +
                            utostr(maxPlaceName) + " bytes");
    }
    bool isSteering =
        any_of(value, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (isSteering || !json::isUTF8(value)) {
      return refuse(at, "the name of a file in a location is UTF-8 without "
                        "control characters");
    }
    return true;
  }

  bool number() {
    pos = skipBlanks(text, pos);
    size_t at = pos;
    StringRef digits = take(isDigit);
    int32_t value;
    if (digits.empty()) {
      return refuse(at, form);
    }
    return !digits.getAsInteger(10, value) ||
           refuse(at, "lines and columns are at most " + utostr(INT32_MAX));
  }

  /// `LINE:COLUMN` or `LINE:COLUMN to [LINE]:COLUMN`.
  bool numbers() {
    if (!number() || !expect(':') || !number()) {
      return false;
    }
    pos = skipBlanks(text, pos);
    if (!text.substr(pos).starts_with("to")) {
      return true;
    }
    pos = skipBlanks(text, pos + 2);
    return (pos < text.size() && text[pos] == ':' ? true : number()) &&
           expect(':') && number();
  }

  StringRef text;
  size_t pos;
  std::optional<ScanError> error;
};
} // namespace

std::optional<ScanError> scanPlace(StringRef text, size_t &pos) {
  return PlaceScanner(text, pos).run(pos);
}

} // namespace girih::tile
