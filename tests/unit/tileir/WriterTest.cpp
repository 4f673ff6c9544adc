// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of the bytecode's basic forms, and of a whole small module, by hand
// from the format's description.

#include "lower/tileir/Writer.h"
#include "lower/tileir/Builder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sstream>

using namespace girih::tileir;

namespace {

Bytes varint(uint64_t n) {
  Bytes out;
  writeVarint(out, n);
  return out;
}

Bytes signedVarint(int64_t n) {
  Bytes out;
  writeSignedVarint(out, n);
  return out;
}

uint64_t readVarint(const Bytes &bytes) {
  uint64_t n = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    n |= uint64_t(bytes[i] & 0x7F) << (7 * i);
  }
  return n;
}

/// entry @k(%0: tile<i32>) { return }
Module smallest() {
  Module m;
  Function &f = m.functions.emplace_back();
  f.name = "k";
  f.body.arguments = {f.add(scalarType(Element::I32))};
  Builder(f).append(Opcode::Return, {}, {{}}, {});
  return m;
}

TEST(Writer, Varints) {
  EXPECT_EQ(varint(0), Bytes({0x00}));
  EXPECT_EQ(varint(127), Bytes({0x7F}));
  EXPECT_EQ(varint(128), Bytes({0x80, 0x01}));
  EXPECT_EQ(varint(300), Bytes({0xAC, 0x02}));
  EXPECT_EQ(varint(UINT64_MAX).size(), 10u);
}

TEST(Writer, SignedVarints) {
  EXPECT_EQ(signedVarint(0), Bytes({0x00}));
  EXPECT_EQ(signedVarint(-1), Bytes({0x01}));
  EXPECT_EQ(signedVarint(1), Bytes({0x02}));
  EXPECT_EQ(signedVarint(-64), Bytes({0x7F}));
  EXPECT_EQ(signedVarint(64), Bytes({0x80, 0x01}));
  EXPECT_EQ(signedVarint(INT64_MIN), varint(UINT64_MAX));
}

RC_GTEST_PROP(Writer, VarintsReadBack, (uint64_t n)) {
  RC_ASSERT(readVarint(varint(n)) == n);
}

RC_GTEST_PROP(Writer, SignedVarintsReadBack, (int64_t n)) {
  uint64_t zigzag = readVarint(signedVarint(n));
  RC_ASSERT(int64_t(zigzag >> 1 ^ -(zigzag & 1)) == n);
}

/// Bytes written as hexadecimal text.
Bytes hex(const std::string &text) {
  Bytes out;
  std::stringstream stream(text);
  for (std::string byte; stream >> byte;) {
    out.push_back(static_cast<uint8_t>(std::stoi(byte, nullptr, 16)));
  }
  return out;
}

TEST(Writer, SmallestModule) {
  Bytes expected = hex(
      // Magic number, version 13.3.0.
      "7f 54 69 6c 65 49 52 00 0d 03 00 00 "
      // Functions: 9 bytes, aligned to 8; one function.
      "82 09 08 cb 01 "
      // Name 0, type 3, a kernel, entry 1 of the debug section.
      "00 03 02 01 "
      // A body of 3 bytes: return, no results, no operands.
      "03 5c 00 00 "
      // Constants: 8 bytes, aligned to 8; none.
      "84 08 08 cb cb cb cb 00 cb cb cb cb cb cb cb");
  Bytes bytes = writeBytecode(smallest(), oldestMinor);
  ASSERT_GT(bytes.size(), expected.size());
  EXPECT_EQ(Bytes(bytes.begin(), bytes.begin() + expected.size()), expected);
  // Strings: 9 bytes, aligned to 4; one, at offset 0: "k". The end.
  Bytes strings = hex("81 09 04 01 cb cb cb 00 00 00 00 6b 00");
  EXPECT_EQ(Bytes(bytes.end() - strings.size(), bytes.end()), strings);
}

TEST(Writer, SameModuleSameBytes) {
  EXPECT_EQ(writeBytecode(smallest()), writeBytecode(smallest()));
}

TEST(Writer, TablesHoldEachItemOnce) {
  Module one = smallest(), two = smallest();
  two.functions.push_back(two.functions[0]);
  Bytes a = writeBytecode(one), b = writeBytecode(two);
  // The second function adds its own bytes, and its place in the debug section,
  // but no type and no string.
  auto tail = [](const Bytes &x) { return Bytes(x.end() - 16, x.end()); };
  EXPECT_EQ(tail(a), tail(b));
}

TEST(Print, ReadsLikeTheModule) {
  EXPECT_EQ(print(smallest()), "entry @k(%0: tile<i32>) {\n  return\n}\n");
}

} // namespace
