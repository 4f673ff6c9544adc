// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Places.h"
#include <cctype>
#include <fstream>

namespace girih::kernel::recorder {

static bool isName(char c) {
  return std::isalnum((unsigned char)c) || c == '_' || c == ':';
}

/// The start of the template arguments that end before `end`, or `end`.
static size_t beforeArguments(const std::string &line, size_t end) {
  if (end == 0 || line[end - 1] != '>') {
    return end;
  }
  int depth = 0;
  for (size_t at = end; at-- > 0;) {
    depth += (line[at] == '>') - (line[at] == '<');
    if (depth == 0) {
      return at;
    }
  }
  return end;
}

/// The end of the template arguments that begin at `begin`, or `begin`.
static size_t behindArguments(const std::string &line, size_t begin) {
  if (begin >= line.size() || line[begin] != '<') {
    return begin;
  }
  int depth = 0;
  for (size_t at = begin; at < line.size(); ++at) {
    depth += (line[at] == '<') - (line[at] == '>');
    if (depth == 0) {
      return at + 1;
    }
  }
  return line.size(); // they go on on the next line
}

unsigned columnOfCall(const std::string &line, unsigned column) {
  if (column == 0 || column > line.size()) {
    return 0;
  }
  size_t at = column - 1;
  if (line[at] == '(') {
    size_t end = beforeArguments(line, at), begin = end;
    while (begin > 0 && isName(line[begin - 1])) {
      --begin;
    }
    return begin < end ? unsigned(begin + 1) : 0;
  }
  size_t end = at;
  while (end < line.size() && isName(line[end])) {
    ++end;
  }
  size_t behind = behindArguments(line, end);
  bool isCall = end > at && (behind == line.size() || line[behind] == '(');
  return isCall ? column : 0;
}

unsigned SourceColumns::of(const Place &place) {
  auto [it, isNew] = files.try_emplace(place.file_name());
  if (isNew) {
    std::ifstream in(place.file_name());
    for (std::string line; std::getline(in, line);) {
      it->second.push_back(line);
    }
  }
  return place.line() <= it->second.size()
             ? columnOfCall(it->second[place.line() - 1], place.column())
             : 0;
}

/// How many bytes the first character of UTF-8 has; 0 of what is none.
static size_t characterSize(const std::string &text, size_t at) {
  unsigned char first = text[at];
  size_t size = first < 0x80   ? 1
                : first < 0xc2 ? 0
                : first < 0xe0 ? 2
                : first < 0xf0 ? 3
                : first < 0xf5 ? 4
                               : 0;
  if (at + size > text.size()) {
    return 0;
  }
  for (size_t k = 1; k < size; ++k) {
    unsigned char next = text[at + k];
    // The second byte leaves out what is too long, surrogates and beyond.
    unsigned char low = k > 1           ? 0x80
                        : first == 0xe0 ? 0xa0
                        : first == 0xf0 ? 0x90
                                        : 0x80,
                  high = k > 1           ? 0xbf
                         : first == 0xed ? 0x9f
                         : first == 0xf4 ? 0x8f
                                         : 0xbf;
    if (next < low || next > high) {
      return 0;
    }
  }
  return size;
}

/// What a name may be long in a kernel's text.
static constexpr size_t maxName = 4096;

std::string locationText(const Place &place, SourceColumns *columns) {
  std::string name = place.line() ? place.file_name() : "", quoted;
  if (name.empty() || name.size() > maxName) {
    return "";
  }
  for (size_t at = 0; at < name.size();) {
    size_t size = characterSize(name, at);
    unsigned char c = name[at];
    if (size == 0 || c < 0x20 || c == 0x7f) {
      return "";
    }
    for (; size-- > 0; c = ++at < name.size() ? name[at] : 0) {
      if (c < 0x7f && c != '"' && c != '\\') {
        quoted += char(c);
      } else {
        const char *digits = "0123456789ABCDEF";
        quoted += {'\\', digits[c / 16], digits[c % 16]};
      }
    }
  }
  return " loc(\"" + quoted + "\":" + std::to_string(place.line()) + ":" +
         std::to_string(columns ? columns->of(place) : 0) + ")";
}

} // namespace girih::kernel::recorder
