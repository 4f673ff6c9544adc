// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ptx/Reader.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace girih::ptx {

static bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         c == '%' || c == '.' || c == ':';
}

Type typeNamed(std::string_view name) {
  static const std::map<std::string_view, std::pair<char, unsigned>> all = {
      {"pred", {'p', 1}},    {"b8", {'b', 8}},     {"b16", {'b', 16}},
      {"b32", {'b', 32}},    {"b64", {'b', 64}},   {"u8", {'u', 8}},
      {"u16", {'u', 16}},    {"u32", {'u', 32}},   {"u64", {'u', 64}},
      {"s8", {'s', 8}},      {"s16", {'s', 16}},   {"s32", {'s', 32}},
      {"s64", {'s', 64}},    {"f16", {'f', 16}},   {"bf16", {'f', 16}},
      {"f32", {'f', 32}},    {"f64", {'f', 64}},   {"f16x2", {'f', 32}},
      {"bf16x2", {'f', 32}}, {"e4m3x2", {'f', 16}}};
  auto it = all.find(name);
  return it == all.end()
             ? Type{}
             : Type{it->second.first, it->second.second, std::string(name)};
}

bool Instruction::has(std::string_view part) const {
  return std::find(suffix.begin(), suffix.end(), part) != suffix.end();
}

std::vector<Type> Instruction::types() const {
  std::vector<Type> out;
  for (const std::string &s : suffix) {
    if (Type t = typeNamed(s); t.width != 0) {
      out.push_back(t);
    }
  }
  return out;
}

// Tokens.

void Reader::fail(std::string message) {
  if (!error) {
    error = Error{token.line, std::move(message)};
  }
  rest = {};
  token = {};
}

void Reader::skipSpace() {
  while (!rest.empty()) {
    if (rest.starts_with("//")) {
      rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
    } else if (rest.starts_with("/*")) {
      size_t end = rest.find("*/", 2);
      size_t size = end == rest.npos ? rest.size() : end + 2;
      line += size_t(std::count(rest.begin(), rest.begin() + size, '\n'));
      rest.remove_prefix(size);
    } else if (rest[0] == '\n') {
      ++line;
      rest.remove_prefix(1);
    } else if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r') {
      rest.remove_prefix(1);
    } else {
      return;
    }
  }
}

void Reader::advance() {
  skipSpace();
  token = {Token::Kind::End, {}, line};
  if (rest.empty()) {
    return;
  }
  size_t size = 1;
  char c = rest[0];
  if (std::isdigit(static_cast<unsigned char>(c))) {
    while (size < rest.size() &&
           std::isalnum(static_cast<unsigned char>(rest[size]))) {
      ++size;
    }
    bool isFloat = size > 1 && c == '0' && std::strchr("fFdD", rest[1]);
    if (size < rest.size() && rest[size] == '.') {
      isFloat = true;
      for (++size; size < rest.size() &&
                   std::isalnum(static_cast<unsigned char>(rest[size]));) {
        ++size;
      }
    }
    token.kind = isFloat ? Token::Kind::Float : Token::Kind::Number;
  } else if (isWordCharacter(c) && c != ':') {
    while (size < rest.size() && isWordCharacter(rest[size]) &&
           (rest[size] != ':' ||
            (size + 1 < rest.size() && rest[size + 1] == ':') ||
            rest[size - 1] == ':')) {
      ++size;
    }
    token.kind = Token::Kind::Word;
  } else if (c == '"') {
    size = rest.find('"', 1);
    if (size == rest.npos) {
      fail("text without end");
      return;
    }
    ++size;
    token.kind = Token::Kind::String;
  } else {
    token.kind = Token::Kind::Punctuation;
  }
  token.text = rest.substr(0, size);
  rest.remove_prefix(size);
}

bool Reader::accept(std::string_view text) {
  if (!is(text)) {
    return false;
  }
  advance();
  return true;
}

void Reader::expect(std::string_view text) {
  if (!accept(text)) {
    fail("expected '" + std::string(text) + "', found '" +
         std::string(token.text.substr(0, 40)) + "'");
  }
}

std::string Reader::word() {
  if (token.kind != Token::Kind::Word) {
    fail("expected a name, found '" + std::string(token.text.substr(0, 40)) +
         "'");
    return "";
  }
  std::string out(token.text);
  advance();
  return out;
}

uint64_t Reader::number() {
  std::string_view digits = token.text;
  unsigned base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    base = 16;
    digits.remove_prefix(2);
  }
  if (digits.ends_with("U")) {
    digits.remove_suffix(1);
  }
  // A number that begins with 0 is octal in PTX: nobody writes one.
  bool octal = base == 10 && digits.size() > 1 && digits[0] == '0';
  uint64_t value = 0;
  bool good = token.kind == Token::Kind::Number && !digits.empty() && !octal;
  for (char c : digits) {
    unsigned digit = std::isdigit(static_cast<unsigned char>(c))
                         ? unsigned(c - '0')
                     : std::isxdigit(static_cast<unsigned char>(c))
                         ? unsigned(std::tolower(c) - 'a') + 10
                         : 99;
    good = good && digit < base && value <= (UINT64_MAX - digit) / base;
    if (!good) {
      break;
    }
    value = value * base + digit;
  }
  if (!good) {
    fail("'" + std::string(token.text.substr(0, 40)) + "' is no number");
    return 0;
  }
  advance();
  return value;
}

int64_t Reader::integer() {
  bool negative = accept("-");
  uint64_t magnitude = number();
  if (negative && magnitude > (uint64_t(1) << 63)) {
    fail("number out of range");
  }
  return int64_t(negative ? 0 - magnitude : magnitude);
}

} // namespace girih::ptx
