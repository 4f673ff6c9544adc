// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a terminal gets to see of a file.

#include "ir/types/Diagnose.h"

#include <gtest/gtest.h>

using namespace girih::tile;

static std::string underlined(llvm::StringRef line, unsigned column,
                              unsigned columns) {
  std::string out;
  llvm::raw_string_ostream os(out);
  printUnderlined(os, line, column, columns);
  return out;
}

TEST(Diagnose, underlinesWithinALine) {
  EXPECT_EQ(underlined("  %x = f", 3, 2), "  %x = f\n  ^~\n");
  EXPECT_EQ(underlined("ab", 1, 0), "ab\n^\n");
  EXPECT_EQ(underlined("ab", 4, 1), "ab\n   ^\n");
  EXPECT_EQ(underlined("", 1, 1), "\n^\n");
}

TEST(Diagnose, tabsAreAsWideAsTheyLook) {
  EXPECT_EQ(underlined("\t%x", 2, 2), "        %x\n        ^~\n");
  EXPECT_EQ(underlined("ab\tc\td", 4, 1), "ab      c       d\n        ^\n");
}

TEST(Diagnose, whatIsNoTextIsEscaped) {
  EXPECT_EQ(printable("a\x1b[31m\x07\r\x7f"), "a\\x1b[31m\\x07\\x0d\\x7f");
  EXPECT_EQ(printable("\xc3\xa9 \xe2\x82\xac\n\t"),
            "\xc3\xa9 \xe2\x82\xac\n\t");
  EXPECT_EQ(printable("\xc3 \xff\xe2\x82"), "\\xc3 \\xff\\xe2\\x82");
  EXPECT_EQ(printable("a\xe2\x80\xae!"), "a\\u{202e}!");
  EXPECT_EQ(underlined("x // \x1b[2J", 1, 1), "x // \\x1b[2J\n^\n");
}

TEST(Diagnose, marksStandUnderWhatIsShown) {
  EXPECT_EQ(underlined("\xff\x01 %x", 4, 2), "\\xff\\x01 %x\n         ^~\n");
  EXPECT_EQ(underlined("\xc3\xa9 %x", 4, 2), "\xc3\xa9 %x\n  ^~\n");
  EXPECT_EQ(underlined("\xe4\xb8\xad %x", 5, 2),
            "\xe4\xb8\xad %x\n   ^~\n"); // as wide as two letters
  EXPECT_EQ(underlined("a\xff", 2, 1), "a\\xff\n ^~~~\n");
}

TEST(Diagnose, ofALongLineAWindowIsShown) {
  std::string line = std::string(3000, 'a') + "b" + std::string(3000, 'c');
  EXPECT_EQ(underlined(line, 3001, 3001),
            std::string(499, 'a') + "b" + std::string(1500, 'c') + "\n" +
                std::string(499, ' ') + "^" + std::string(1499, '~') + "\n");
  EXPECT_EQ(underlined(line, 1, 1), std::string(2000, 'a') + "\n^\n");
}
