// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the recorder reads of a C++ file: which statement names a value, and
// how.

#include "ir/embed/Source.h"

#include <gtest/gtest.h>
#include <random>

using namespace girih::kernel::recorder;

namespace {

/// `i, j` for what is named; `for` and `plain` or `call` before it.
std::string readAs(const std::string &text) {
  std::string out;
  for (Statement &s : statementsOf(text)) {
    read(s);
    if (s.names.empty()) {
      continue;
    }
    out += out.empty() ? "" : "; ";
    out += std::string(s.isLoop ? "for " : "") + (s.isCall    ? "call "
                                                  : s.isPlain ? "plain "
                                                              : "");
    for (const std::string &name : s.names) {
      out += name + (&name == &s.names.back() ? "" : " ");
    }
  }
  return out;
}

TEST(Statements, WhatAStatementNames) {
  const std::pair<const char *, const char *> cases[] = {
      {"auto x = load<64, 128>(a, {i, k}, pad::zero);", "call x"},
      {"const auto x = exp2(y - top);", "call x"},
      {"auto [i, j] = grid(ceildiv(M, 64), 2);", "call i j"},
      {"const auto [i] = grid(1);", "call i"},
      {"acc = mma(x, y, acc);", "call acc"},
      {"acc += sum(x, axis<1>);", "call acc"},
      {"state.top = max(m, n);", "call top"},
      {"a.b.c |= x;", "plain c"},
      {"Tile<f32, 64, 1> m = fill<f32, 64, 1>(0);", "call m"},
      {"const std::vector<int> &v = other;", "plain v"},
      {"Index& k = j;", "plain k"},
      {"for (Index k : range(n)) {", "for plain k"},
      {"for (auto k : rangeOf<i32>(0, n)) {", "for plain k"},
      {"for (const Sym &s : symbols) {", ""},
      {"for (int u = 0; u < 4; ++u) {", ""},
      {"auto x = helper(y);", "x"},
      {"auto x = state.mean();", "x"},
      {"auto x = girih::kernel::sum(y, axis<0>);", "plain x"},
      {"auto x = to<f32>(helper<64>(y));", "x"},
      {"auto f = [&](auto x) { return exp(x); };", "f"},
      {"Index i = a, j = b;", "i"},
      {"auto m = a == b;", "plain m"},
      {"if (x == y) z(x);", ""},
      {"x == y;", ""},
      {"x=y;", ""},
      {"return x;", ""},
      {"store(y, {i}, x);", ""},
      {"auto x = load<8>(a, {i}); // auto y = 1;\n auto z = \"auto w = 1;\";",
       "call x; plain z"},
      {"#define A auto y = 1\nauto x =\n  exp(y);", "call x"},
      {"auto x = exp(y) + exp(z);", "plain x"},
      {"auto x = (exp(y));", "plain x"},
      {"auto x = a < max(b, c);", "plain x"},
      {"auto x = -exp(y);", "plain x"},
      // These may give their argument.
      {"auto x = to<f32>(a * b);", "plain x"},
      {"auto x = broadcast<8, 8>(a * b);", "plain x"},
  };
  for (const auto &[text, expected] : cases) {
    EXPECT_EQ(readAs(text), expected) << text;
  }
}

TEST(Statements, LinesOfStatements) {
  std::vector<Statement> all =
      statementsOf("\nauto x =\n  exp(\n  y);\nfor (Index k : range(n)) {\n"
                   "  acc = x;\n}\n");
  std::string out;
  for (Statement &s : all) {
    read(s);
    if (!s.names.empty()) {
      out +=
          s.names[0] + std::to_string(s.first) + std::to_string(s.last) + " ";
    }
  }
  EXPECT_EQ(out, "x24 k55 acc66 ");
}

/// Whatever a file holds is read to its end.
TEST(Statements, NamesOfAnyTextAreWords) {
  const char *const parts[] = {"for (", " : range", "Of",  "(",  ")",  "<",
                               ">",     "auto [",   "] =", "=",  "==", " ",
                               "&",     ".",        ";",   "{",  "}",  "const ",
                               "x",     ":",        "\"",  "/*", "//", "\n",
                               ",",     "[",        "+"};
  std::mt19937 random(3);
  for (int draw = 0; draw < 20000; ++draw) {
    std::string text;
    for (unsigned k = random() % 12; k > 0; --k) {
      text += parts[random() % std::size(parts)];
    }
    for (Statement &s : statementsOf(text + ";")) {
      read(s);
      for (const std::string &name : s.names) {
        EXPECT_EQ(name.find_first_of("(){}<>=;\n"), name.npos) << text;
      }
    }
  }
}

} // namespace
