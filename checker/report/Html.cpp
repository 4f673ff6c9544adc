// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Html.h"

#include "llvm/Support/JSON.h"

namespace girih::checker {

/// U+202A to U+202E and U+2066 to U+2069: text that reads otherwise than it is.
static bool turnsDirection(llvm::StringRef utf8) {
  if (utf8.size() < 3 || utf8[0] != '\xe2') {
    return false;
  }
  auto last = static_cast<unsigned char>(utf8[2]);
  return (utf8[1] == '\x80' && last >= 0xaa && last <= 0xae) ||
         (utf8[1] == '\x81' && last >= 0xa6 && last <= 0xa9);
}

std::string escapeHtml(llvm::StringRef text) {
  static constexpr llvm::StringLiteral replacement("\xef\xbf\xbd");
  std::string valid = llvm::json::fixUTF8(text), out;
  for (size_t i = 0; i < valid.size(); ++i) {
    char c = valid[i];
    switch (c) {
    case '&':
      out += "&amp;";
      continue;
    case '<':
      out += "&lt;";
      continue;
    case '>':
      out += "&gt;";
      continue;
    case '"':
      out += "&quot;";
      continue;
    case '\'':
      out += "&#39;";
      continue;
    default:
      break;
    }
    bool control = (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f';
    if (control) {
      out += replacement;
    } else if (turnsDirection(llvm::StringRef(valid).substr(i))) {
      out += replacement;
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

} // namespace girih::checker
