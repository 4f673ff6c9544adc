// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/report/Syntax.h"

#include "gtest/gtest.h"

#include <string>

using namespace girih::checker;

/// Each coloured token as `kind:text`, between blanks.
static std::string partsOf(llvm::StringRef line) {
  std::string out;
  for (const Token &t : tokensOf(line)) {
    out += (out.empty() ? "" : " ") + std::string(syntaxName(t.kind)) + ":" +
           line.slice(t.from, t.to).str();
  }
  return out;
}

TEST(Syntax, Header) {
  EXPECT_EQ(partsOf("tile.kernel @add(%x: !X) grid [ceildiv(N, 128)] // edge"),
            "op:tile.kernel symbol:@add type:!X keyword:grid keyword:ceildiv "
            "literal:128 comment:// edge");
}

TEST(Syntax, Types) {
  EXPECT_EQ(partsOf("!P = !tile.piece<[_, 64] x bf16, out>"),
            "type:!P type:!tile.piece literal:64 type:bf16 keyword:out");
  EXPECT_EQ(
      partsOf("%v = arith.constant dense<1.0e-3> : vector<128x64xf8E5M2>"),
      "op:arith.constant keyword:dense literal:1.0e-3 type:vector "
      "type:128x64xf8E5M2");
}

TEST(Syntax, NamesHaveNoColour) {
  EXPECT_EQ(partsOf("%grid = arith.addi %i.0, %f32 : index"),
            "op:arith.addi type:index");
  EXPECT_EQ(partsOf("[M, pos, i, bfloat, _]"), "");
}

TEST(Syntax, Literals) {
  EXPECT_EQ(partsOf("0x7FC00000 : f32"), "literal:0x7FC00000 type:f32");
  EXPECT_EQ(partsOf("-4+2"), "literal:4 literal:2");
  EXPECT_EQ(partsOf(R"("a \" b" "c")"), R"(string:"a \" b" string:"c")");
}

TEST(Syntax, MalformedText) {
  EXPECT_EQ(partsOf("\"open // no comment"), "string:\"open // no comment");
  EXPECT_EQ(partsOf("\"\\"), "string:\"\\");
  EXPECT_EQ(partsOf("! @ % / \xff\x01 \xc3\xa9"), "type:! symbol:@");
  EXPECT_EQ(partsOf(""), "");
}
