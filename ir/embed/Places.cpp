// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Places.h"
#include <algorithm>
#include <cctype>
#include <cstring>
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

std::string_view signOfOperator(std::string_view op) {
  static const std::map<std::string_view, std::string_view> signs = {
      {"arith.addf", "+"},  {"arith.addi", "+"},  {"arith.subf", "-"},
      {"arith.subi", "-"},  {"arith.mulf", "*"},  {"arith.muli", "*"},
      {"arith.divf", "/"},  {"arith.divsi", "/"}, {"arith.remf", "%"},
      {"arith.remsi", "%"}, {"arith.andi", "&"},  {"arith.ori", "|"},
      {"arith.xori", "^"},  {"arith.shli", "<<"}, {"arith.shrsi", ">>"}};
  static const std::map<std::string_view, std::string_view> relations = {
      {"oeq", "=="}, {"eq", "=="}, {"une", "!="}, {"ne", "!="},
      {"olt", "<"},  {"slt", "<"}, {"ole", "<="}, {"sle", "<="},
      {"ogt", ">"},  {"sgt", ">"}, {"oge", ">="}, {"sge", ">="}};
  bool isRelation = op.starts_with("arith.cmp");
  if (isRelation) {
    op.remove_prefix(std::min(op.find(' '), op.size() - 1) + 1);
  }
  const auto &words = isRelation ? relations : signs;
  auto it = words.find(op.substr(0, op.find_first_of(" ,")));
  return it == words.end() ? "" : it->second;
}

/// How many characters the sign of an operator has, the longest one.
static size_t signSize(std::string_view text) {
  for (std::string_view sign :
       {"<<=", ">>=", "<=>", "<<", ">>", "<=", ">=", "==", "!=", "+=", "-=",
        "*=",  "/=",  "%=",  "&=", "|=", "^=", "&&", "||", "++", "--", "->"}) {
    if (text.starts_with(sign)) {
      return sign.size();
    }
  }
  return 1;
}

/// How much of a line is one name, number or literal; 0 for anything else.
static size_t wordSize(std::string_view text) {
  size_t size = 0;
  if (text[0] == '"') {
    for (size = 1; size < text.size() && text[size] != '"'; ++size) {
      size += text[size] == '\\';
    }
    return size + 1;
  }
  bool isNumber = std::isdigit((unsigned char)text[0]);
  while (size < text.size() &&
         (std::isalnum((unsigned char)text[size]) || text[size] == '_' ||
          (isNumber && (text[size] == '.' || text[size] == '\'' ||
                        ((text[size] == '+' || text[size] == '-') &&
                         std::strchr("eEpP", text[size - 1])))))) {
    ++size;
  }
  return size;
}

unsigned columnOfOperator(std::string_view line, std::string_view sign) {
  unsigned column = 0;
  for (size_t at = 0; at < line.size();) {
    std::string_view rest = line.substr(at);
    if (rest.starts_with("//")) {
      break;
    }
    if (rest.starts_with("/*") || rest.starts_with("*/")) {
      return 0; // of which other lines know the rest
    }
    size_t size = wordSize(rest);
    if (size == 0) {
      size = signSize(rest);
      std::string_view found = rest.substr(0, size);
      if (found == sign ||
          (found.ends_with('=') && found.substr(0, size - 1) == sign &&
           sign != "<" && sign != ">")) {
        if (column) {
          return 0;
        }
        column = unsigned(at + 1);
      }
    }
    at += size;
  }
  return column;
}

/// The last character of a line's code; 0 if it has none.
static char lastOf(std::string_view line) {
  line = line.substr(0, line.find("//"));
  size_t last = line.find_last_not_of(" \t\r");
  return last == line.npos ? 0 : line[last];
}

bool isStatement(const std::vector<std::string> &lines, unsigned number) {
  auto ends = [](char c) { return c == ';' || c == '{' || c == '}'; };
  if (number == 0 || number > lines.size() ||
      !ends(lastOf(lines[number - 1]))) {
    return false;
  }
  char before = 0;
  for (size_t k = number - 1; k-- > 0 && !before;) {
    before = lastOf(lines[k]);
  }
  return !before || ends(before);
}

const std::vector<std::string> &SourceColumns::linesOf(const Place &place) {
  auto [it, isNew] = files.try_emplace(place.file_name());
  if (isNew) {
    std::ifstream in(place.file_name());
    for (std::string line; std::getline(in, line);) {
      it->second.push_back(line);
    }
  }
  return it->second;
}
unsigned SourceColumns::ofCall(const Place &place) {
  const std::vector<std::string> &lines = linesOf(place);
  return place.line() <= lines.size()
             ? columnOfCall(lines[place.line() - 1], place.column())
             : 0;
}
unsigned SourceColumns::ofOperator(const Place &place, std::string_view sign) {
  const std::vector<std::string> &lines = linesOf(place);
  return isStatement(lines, place.line())
             ? columnOfOperator(lines[place.line() - 1], sign)
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

std::string locationText(const Place &place, unsigned column) {
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
         std::to_string(column) + ")";
}

} // namespace girih::kernel::recorder
