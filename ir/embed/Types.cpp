// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, numbers and launch expressions as text.

#include "Recording.h"
#include <charconv>
#include <cmath>
#include <cstring>

namespace girih::kernel::recorder {

const char *textOf(Element element) {
  static constexpr const char *texts[] = {
      "",    "index", "i1",       "i4",        "i8",     "i16",
      "i32", "i64",   "f4E2M1FN", "f8E8M0FNU", "f8E5M2", "f8E4M3FN",
      "f16", "bf16",  "f32",      "f64"};
  return texts[int(element)];
}

std::string textOf(const Type &type) {
  if (type.rank == 0) {
    return textOf(type.element);
  }
  std::string text = "vector<";
  for (int k = 0; k < type.rank; ++k) {
    text += std::to_string(type.extents[k]) + "x";
  }
  return text + textOf(type.element) + ">";
}

std::string textOf(const Sym &symbol) {
  return symbol.number >= 0 ? std::to_string(symbol.number) : symbol.name;
}

//===-- Numbers -----------------------------------------------------------===//

/// Digits of the significand, the hidden one included; 0 where any number may
/// be written, since it is rounded once when it is read.
static const char *bitsOfSpecial(Element e, int which) {
  static constexpr const char *f16s[] = {"0x7C00", "0xFC00", "0x7E00"},
                              *bf16s[] = {"0x7F80", "0xFF80", "0x7FC0"},
                              *f32s[] = {"0x7F800000", "0xFF800000",
                                         "0x7FC00000"},
                              *f64s[] = {"0x7FF0000000000000",
                                         "0xFFF0000000000000",
                                         "0x7FF8000000000000"},
                              *e5m2s[] = {"0x7C", "0xFC", "0x7E"},
                              *e4m3s[] = {nullptr, nullptr, "0x7F"},
                              *e8m0s[] = {nullptr, nullptr, "0xFF"};
  switch (e) {
  case Element::F16:
    return f16s[which];
  case Element::BF16:
    return bf16s[which];
  case Element::F32:
    return f32s[which];
  case Element::F64:
    return f64s[which];
  case Element::F8E5M2:
    return e5m2s[which];
  case Element::F8E4M3:
    return e4m3s[which];
  case Element::F8E8M0:
    return e8m0s[which];
  default:
    return nullptr;
  }
}

std::string literal(Element element, double number, Place at) {
  if (!std::isfinite(number)) {
    int which = std::isnan(number) ? 2 : number < 0;
    const char *bits = bitsOfSpecial(element, which);
    if (!bits) {
      throw Error(at, std::string(textOf(element)) + " has no " +
                          (which == 2 ? "NaN" : "infinity"));
    }
    return bits;
  }
  char buffer[40];
  float narrow = float(number);
  auto end = element != Element::F64 && double(narrow) == number
                 ? std::to_chars(buffer, std::end(buffer), narrow).ptr
                 : std::to_chars(buffer, std::end(buffer), number).ptr;
  std::string text(buffer, end), exponent;
  if (size_t e = text.find('e'); e != text.npos) {
    int power = std::atoi(text.c_str() + e + 1);
    exponent = "e" + std::to_string(power);
    text.resize(e);
  }
  return text + (text.find('.') == text.npos ? ".0" : "") + exponent;
}

//===-- Launch expressions ------------------------------------------------===//

static int strength(const ExpressionData &e) {
  return e.op == "+" || e.op == "-" ? 1 : e.op == "*" ? 2 : 3;
}
static void write(const Recording &r, Expression id, int atLeast,
                  std::string &out) {
  const ExpressionData &e = r.expressions[id];
  if (e.op.empty()) {
    out += textOf(e.symbol);
    return;
  }
  if (strength(e) == 3) {
    out += e.op + "(";
    write(r, e.x, 0, out);
    out += ", ";
    write(r, e.y, 0, out);
    out += ")";
    return;
  }
  // A right operand of equal strength keeps its parentheses, as in the dialect.
  bool parenthesised = strength(e) < atLeast;
  out += parenthesised ? "(" : "";
  write(r, e.x, strength(e), out);
  out += " " + e.op + " ";
  write(r, e.y, strength(e) + 1, out);
  out += parenthesised ? ")" : "";
}
std::string textOf(const Recording &r, Expression e) {
  std::string text;
  write(r, e, 0, text);
  return text;
}
std::string textOf(const Recording &r, const Comparison &c) {
  return textOf(r, c.x) + " " + c.sign + " " + textOf(r, c.y);
}

//===-- Names of C++ ------------------------------------------------------===//

bool isPlainName(const std::string &name) {
  if (name.empty() || !std::isalpha((unsigned char)name[0])) {
    return false;
  }
  for (char c : name) {
    if (!isWord(c)) {
      return false;
    }
  }
  return true;
}

// `... K = (anonymous namespace)::gemm<128, 256>]` of both compilers. Only
// letters, digits and underscores stay, and the namespace goes.
std::string nameOfType(const char *pretty) {
  std::string t = pretty;
  size_t from = t.find("K = ");
  t = from == t.npos ? t : t.substr(from + 4);
  int depth = 0;
  size_t end = 0, start = 0;
  for (; end < t.size(); ++end) {
    char c = t[end];
    if (depth == 0 && (c == ']' || c == ';')) {
      break;
    }
    depth += c == '<' || c == '(';
    depth -= c == '>' || c == ')';
    if (depth == 0 && c == ':') {
      start = end + 1;
    }
  }
  std::string arguments = t.substr(start, end - start), name;
  // A template argument that is a type loses its namespace, too.
  for (size_t i; (i = arguments.find("::")) != arguments.npos;) {
    size_t word = i;
    while (word > 0 && (isWord(arguments[word - 1]))) {
      --word;
    }
    arguments.erase(word, i + 2 - word);
  }
  for (char c : arguments) {
    if (isWord(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') {
    name.pop_back();
  }
  return name;
}

const char *memberName(const char *pretty) {
  static thread_local std::deque<std::string> names;
  const char *end = pretty + std::strlen(pretty);
  while (end > pretty && !isWord(end[-1])) {
    --end;
  }
  const char *begin = end;
  while (begin > pretty && isWord(begin[-1])) {
    --begin;
  }
  if (names.size() > 64) {
    names.pop_front();
  }
  return names.emplace_back(begin, end).c_str();
}

} // namespace girih::kernel::recorder
