// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C++ file calls its values.

#include "ir/embed/Source.h"
#include "Recorded.h"
#include "rapidcheck/gtest.h"
using namespace girih::kernel;
using namespace girih::kernel::test;
using recorder::Statement;

/// The statements that name something.
static std::vector<Statement> statementsOf(const std::string &text) {
  std::vector<Statement> found = recorder::statementsOf(text);
  for (Statement &s : found) {
    recorder::read(s);
  }
  std::erase_if(found, [](const Statement &s) { return s.names.empty(); });
  return found;
}

static std::string named(const std::string &text) {
  std::string all;
  for (const Statement &s : statementsOf(text)) {
    all += std::to_string(s.first) + "-" + std::to_string(s.last);
    for (const std::string &name : s.names) {
      all += " " + name;
    }
    all += std::string(s.isLoop ? " loop" : "") + (s.isPlain ? "" : " other") +
           "; ";
  }
  return all;
}

TEST(Source, Statements) {
  EXPECT_EQ(named("auto a = exp(b);"), "1-1 a; ");
  EXPECT_EQ(named("auto [i, j] =\n  grid(M, N);"), "1-2 i j; ");
  EXPECT_EQ(named("for (Index k : range(4)) { x = y + 1; }"),
            "1-1 k loop; 1-1 x; ");
  EXPECT_EQ(named("Tile<f32, 8> t = x * 2;"), "1-1 t; ");
  EXPECT_EQ(named("acc += x;"), "1-1 acc; ");
  EXPECT_EQ(named("auto a = mine(b);"), "1-1 a other; ");
  EXPECT_EQ(named("[[maybe_unused]] auto a = b;"), "1-1 a; ");
  EXPECT_EQ(named("for ([[maybe_unused]] Index k : range(4)) { x = y; }"),
            "1-1 k loop; 1-1 x; ");
  EXPECT_EQ(named("f(x); return x;"), "");
}
TEST(Source, CommentsAndLiteralsSayNothing) {
  EXPECT_EQ(named("// a = b;\nc = d;"), "2-2 c; ");
  EXPECT_EQ(named("/* a = b;\n */ c = d;"), "2-2 c; ");
  EXPECT_EQ(named("f(\"a = b;\"); c = d;"), "1-1 c; ");
  EXPECT_EQ(named("#define a = b;\nc = d;"), "2-2 c; ");
}
TEST(Source, WhatIsNotClosedEndsNowhere) {
  for (const char *text :
       {"",        "{",          "}",     "}}}}",
        "\"",      "/*",         "//",    "\\",
        "#",       "(((",        ")))",   "auto [",
        "auto [a", "auto [a,",   "for (", "for (Index k : range(",
        "\"\\",    "= = =",      "a =",   "{;}{;}",
        "\n\n\n",  "a = \"\\\";"}) {
    statementsOf(text);
  }
}
RC_GTEST_PROP(Source, AnyTextIsRead, ()) {
  // Pieces of C++ in any order, cut anywhere.
  auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>(
          "auto ", "[i, j]", " = ", "for (Index k : range(", ")", "(", "{", "}",
          ";", "\n", "//", "/*", "*/", "\"", "\\", "#", "a", "exp(", "<", ">",
          "[", "]", "\xC3\xA4", std::string(1, '\0'), "x += y", "'"));
  std::string text;
  for (const std::string &piece : pieces) {
    text += piece;
  }
  unsigned lines = 1 + unsigned(std::count(text.begin(), text.end(), '\n'));
  for (const Statement &s : statementsOf(text)) {
    RC_ASSERT(s.first >= 1u);
    RC_ASSERT(s.first <= s.last);
    RC_ASSERT(s.last <= lines);
    RC_ASSERT(!s.names.empty());
  }
}
TEST(Source, ALongStatementIsRead) {
  // Tables of numbers, and expressions of a thousand calls
  auto repeated = [](const char *piece) {
    std::string text;
    for (int k = 0; k < 20000; ++k) {
      text += piece;
    }
    return text;
  };
  EXPECT_EQ(named("int table[] = {" + repeated("1, ") + "};\nauto a = b" +
                  repeated(" + exp(b)") + ";\nc = d;"),
            "2-2 a; 3-3 c; ");
  for (const char *begin : {"f<", "f<1>(", "auto [", "for (", "a = b <",
                            "for (Index k : rangeOf<i32>(", "a.", "a::"}) {
    for (const char *piece : {"1, ", "a", "a<", "<", "(", "[", ".", "::"}) {
      named(begin + repeated(piece) + ";");
    }
  }
}

namespace {
constexpr Sym N{"N"}, zero_{"zero"}, c0{"c0"};
// Names that the text gives on its own, or that are words of it
struct clashing {
  Shared<f32, N> c0_, index;
  Out<f32, N> y;
  Scalar<f32> zero;
  void operator()() {
    require(::c0 >= 1);
    require(zero_ >= 1);
    auto [iter_args] = grid(ceildiv(N, 8));
    auto c0 = load<8>(c0_, {iter_args}, pad::zero);
    auto dense = load<8>(index, {iter_args}, pad::zero) + 0;
    auto y_tiles = c0 * dense + zero;
    auto y_piece = y_tiles * to<f32>(to<i32>(Index(::c0) + Index(zero_)));
    auto v = y_piece + to<f32>(iota<i32, 8>(axis<0>));
    auto lane0 = v;
    for (Index step : range(3)) {
      auto next = load<8>(c0_, {step}, pad::zero);
      lane0 += next;
    }
    store(y, {iter_args}, lane0);
  }
};
// Tiles of which neither widens to the other
struct joined {
  Shared<f32, N> x;
  Out<f32, N, 8> y;
  void operator()() {
    auto [i] = grid(ceildiv(N, 8));
    auto v = load<8>(x, {i}, pad::zero);
    auto both =
        sum(broadcast<8, 8>(v), axis<0>) * max(broadcast<8, 8>(v), axis<1>);
    auto order =
        sum(broadcast<8, 8>(v), axis<1>) / min(broadcast<8, 8>(v), axis<0>);
    auto other = exp(v);
    // Its first use is the next statement.
    auto next_to =
        sum(broadcast<8, 8>(v), axis<0>) + min(broadcast<8, 8>(v), axis<1>);
    auto sums = next_to * 2;
    // Its first use is in a loop.
    auto within =
        sum(broadcast<8, 8>(v), axis<0>) - max(broadcast<8, 8>(v), axis<1>);
    for ([[maybe_unused]] Index k : range(2)) {
      sums += within;
    }
    store(y, {i, 0}, other + both + order + sums);
  }
};
/// The larger of two tiles that are recorded in this order or in the other.
template <bool isSwapped, class F, class G> auto larger(F f, G g) {
  if constexpr (isSwapped) {
    auto b = g();
    return max(f(), b);
  } else {
    auto a = f();
    return max(a, g());
  }
}
// Ops without a place of their own, right behind what they take or later.
template <bool isSwapped> struct ordered {
  Shared<i32, N> x;
  Out<i32, N> y;
  Out<i32, N, 8> z;
  void operator()() {
    auto [i] = grid(ceildiv(N, 8));
    auto loaded = load<8>(x, {i}, pad::zero);
    auto fewer = loaded - 1;
    auto minus = -loaded; // has the line of what uses it
    auto other = loaded + 2;
    auto total = minus + other;
    store(
        y, {i},
        larger<isSwapped>([&] { return abs(fewer); }, [&] { return -fewer; }));
    auto tall = reshape<8, 1>(loaded + total);
    auto both = larger<isSwapped>([&] { return broadcast<8, 8>(abs(tall)); },
                                  [&] { return tall * loaded; });
    auto more = tall + 1;
    store(z, {i, 0},
          larger<isSwapped>([&] { return abs(broadcast<8, 8>(more)); },
                            [&] { return more / ~loaded + both; }));
  }
};
} // namespace

TEST(Source, NamesAreThoseOfAnyOrder) {
  std::string text = record<ordered<false>>(Place::current(), "k").text;
  EXPECT_EQ(record<ordered<true>>(Place::current(), "k").text, text);
  EXPECT_NE(text.find("%loaded = tile.load"), std::string::npos) << text;
  EXPECT_NE(text.find("%fewer = arith.subi"), std::string::npos) << text;
  EXPECT_NE(text.find("%total = arith.addi"), std::string::npos) << text;
  EXPECT_NE(text.find("%tall = vector.shape_cast"), std::string::npos) << text;
}
TEST(Source, ANameIsNotLeftToTheOrderOfArguments) {
  // Compilers differ in which of two sums they record last.
  for (const std::string &line : linesOf(record<joined>().text)) {
    EXPECT_EQ(line.find("%both"), std::string::npos) << line;
    EXPECT_EQ(line.find("%order"), std::string::npos) << line;
    EXPECT_EQ(line.find("%next_to"), std::string::npos) << line;
    EXPECT_EQ(line.find("%within"), std::string::npos) << line;
  }
}
TEST(Source, NamesNeverMeet) {
  std::set<std::string> defined;
  for (const std::string &line : linesOf(record<clashing>().text)) {
    size_t equals = line.find(" = ");
    if (line.find("  %") == 0 && equals != std::string::npos) {
      EXPECT_TRUE(defined.insert(line.substr(2, equals - 2)).second) << line;
    }
  }
  for (const char *name : {"%c0", "%dense", "%iter_args", "%lane0"}) {
    EXPECT_TRUE(defined.count(name)) << name;
  }
}
