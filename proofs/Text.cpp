// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "proofs/Text.h"

#include <algorithm>
#include <limits>

namespace girih::proofs {

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static bool isWordCharacter(char c) {
  constexpr std::string_view used = "+-*(){}[],;:<>=\"#|";
  return c > ' ' && c <= '~' && used.find(c) == std::string_view::npos;
}

bool isWord(std::string_view s) {
  return !s.empty() && !isDigit(s[0]) &&
         std::all_of(s.begin(), s.end(), isWordCharacter);
}

std::optional<Var> numberedVariable(std::string_view s) {
  // No leading zero: a variable has one numbered name.
  if (s.size() < 2 || s.size() > 11 || s[0] != 'v' ||
      (s[1] == '0' && s.size() > 2)) {
    return std::nullopt;
  }
  uint64_t value = 0;
  for (char c : s.substr(1)) {
    if (!isDigit(c)) {
      return std::nullopt;
    }
    value = value * 10 + uint64_t(c - '0');
  }
  return value <= std::numeric_limits<Var>::max() ? std::optional(Var(value))
                                                  : std::nullopt;
}

std::string printString(std::string_view s) {
  if (isWord(s)) {
    return std::string(s);
  }
  constexpr char hex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c >= 0 && c < ' ') {
      out += {'\\', 'x', hex[c >> 4], hex[c & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

void Cursor::fail(std::string message) {
  if (!error) {
    error = ParseError{line, std::move(message)};
  }
  rest = {};
}

void Cursor::skipBlanks() {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
}

bool Cursor::atEnd() {
  skipBlanks();
  return rest.empty();
}

bool Cursor::atEndOfLine() { return atEnd() || rest[0] == '\n'; }

char Cursor::peek() { return atEnd() ? '\0' : rest[0]; }

bool Cursor::accept(std::string_view token) {
  skipBlanks();
  if (!rest.starts_with(token)) {
    return false;
  }
  rest.remove_prefix(token.size());
  return true;
}

void Cursor::expect(std::string_view token) {
  if (!accept(token)) {
    fail("expected '" + std::string(token) + "'");
  }
}

void Cursor::endLine() {
  if (!atEndOfLine()) {
    return fail("expected the end of the line");
  }
  skipLine();
}

void Cursor::skipLine() {
  size_t end = rest.find('\n');
  if (end == std::string_view::npos) {
    rest = {};
    return;
  }
  rest.remove_prefix(end + 1);
  ++line;
}

std::string_view Cursor::word() {
  skipBlanks();
  size_t size =
      size_t(std::find_if_not(rest.begin(), rest.end(), isWordCharacter) -
             rest.begin());
  std::string_view taken = rest.substr(0, size);
  if (!isWord(taken)) {
    fail("expected a name");
    return {};
  }
  rest.remove_prefix(size);
  return taken;
}

static std::optional<int> hexDigit(char c) {
  if (isDigit(c)) {
    return c - '0';
  }
  return c >= 'a' && c <= 'f' ? std::optional(c - 'a' + 10) : std::nullopt;
}

std::string Cursor::string() {
  if (peek() != '"') {
    return std::string(word());
  }
  std::string out;
  size_t i = 1;
  for (; i < rest.size() && rest[i] != '"' && rest[i] != '\n'; ++i) {
    if (rest[i] != '\\') {
      out += rest[i];
      continue;
    }
    std::string_view escape = rest.substr(i);
    if (escape.starts_with("\\\"") || escape.starts_with("\\\\")) {
      out += escape[1];
      i += 1;
      continue;
    }
    auto high = escape.size() < 4 ? std::nullopt : hexDigit(escape[2]);
    auto low = escape.size() < 4 ? std::nullopt : hexDigit(escape[3]);
    if (!escape.starts_with("\\x") || !high || !low) {
      fail("unknown escape in a text");
      return {};
    }
    out += char(*high * 16 + *low);
    i += 3;
  }
  if (i >= rest.size() || rest[i] != '"') {
    fail("text without its closing quote");
    return {};
  }
  rest.remove_prefix(i + 1);
  return out;
}

std::string_view Cursor::quoted() {
  expect("'");
  size_t end = rest.find_first_of("'\n");
  if (end == std::string_view::npos || rest[end] != '\'') {
    fail("expected a closing quote");
    return {};
  }
  std::string_view inside = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return inside;
}

unsigned __int128 Cursor::magnitude() {
  skipBlanks();
  if (rest.empty() || !isDigit(rest[0])) {
    fail("expected a number");
    return 0;
  }
  unsigned __int128 value = 0;
  bool overflow = false;
  while (!rest.empty() && isDigit(rest[0])) {
    overflow |= __builtin_mul_overflow(value, 10u, &value);
    overflow |= __builtin_add_overflow(value, unsigned(rest[0] - '0'), &value);
    rest.remove_prefix(1);
  }
  if (overflow) {
    fail("number out of range");
  }
  return value;
}

Int Cursor::withSign(bool negative, unsigned __int128 magnitude) {
  auto limit = (static_cast<unsigned __int128>(1) << 127) - !negative;
  if (magnitude > limit) {
    fail("number out of range");
    return 0;
  }
  return static_cast<Int>(negative ? -magnitude : magnitude);
}

Int Cursor::integer() {
  bool negative = accept("-");
  return withSign(negative, magnitude());
}

uint32_t Cursor::number() {
  unsigned __int128 value = magnitude();
  if (value > std::numeric_limits<uint32_t>::max()) {
    fail("number out of range");
    return 0;
  }
  return uint32_t(value);
}

Var Cursor::variable(const VariableNumbers &names) {
  std::string_view name = word();
  if (failed()) {
    return 0;
  }
  if (auto it = names.find(name); it != names.end()) {
    return it->second;
  }
  std::optional<Var> number = numberedVariable(name);
  if (!number) {
    fail("unknown variable '" + std::string(name) + "'");
    return 0;
  }
  return *number;
}

Poly Cursor::polynomial(const VariableNumbers &names) {
  std::vector<Term> terms;
  bool negative = accept("-");
  do {
    Term t{{}, negative ? -1 : 1};
    bool more = true;
    if (isDigit(peek())) {
      t.coeff = withSign(negative, magnitude());
      more = accept("*");
    }
    for (; more && !failed(); more = accept("*")) {
      t.vars.push_back(variable(names));
    }
    terms.push_back(std::move(t));
    negative = peek() == '-';
  } while (!failed() && (accept("-") || accept("+")));
  Poly p = Poly::fromTerms(std::move(terms));
  if (p.overflowed()) {
    fail("number out of range");
  }
  return failed() ? Poly() : p;
}

} // namespace girih::proofs
