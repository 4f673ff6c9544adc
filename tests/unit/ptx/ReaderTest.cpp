// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the reader takes, what it refuses, and that no text breaks it.

#include "Programs.h"

#include <gtest/gtest.h>

#include <random>

using namespace girih::ptx;
using namespace girih::ptx::test;

static std::string inEntry(const std::string &body) {
  return ".version 8.8\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 a)\n{\n"
         ".reg .pred %p<3>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n" +
         body + "\nret;\n}\n";
}

static std::string errorOf(const std::string &text) {
  auto module = read(text);
  auto *error = std::get_if<Error>(&module);
  return error ? std::to_string(error->line) + ": " + error->message : "";
}

static std::string dumped(const std::string &text) {
  auto module = read(text);
  return std::holds_alternative<Module>(module)
             ? print(std::get<Module>(module))
             : errorOf(text);
}

TEST(Reader, dumps) {
  EXPECT_EQ(dumped(inEntry("@!%p1 bra L;\nld.param.b64 %rd1, [a];\n"
                           "ld.global.v2.u32 {%r1, _}, [%rd1+-8];\nL:")),
            "version 8.8\ntarget sm_90a\nentry k\nparam u64 a\n"
            "  @!%p1 bra L\n  ld.param.b64 %rd1, [a]\n"
            "  ld.global.v2.u32 {%r1, _}, [%rd1-8]\nL:\n  ret\nend\n");
}

TEST(Reader, scopesHaveTheirOwnNames) {
  EXPECT_EQ(dumped(inEntry("{\n.reg .pred p;\nL: @p bra L;\n}\n"
                           "{\n.reg .pred p;\nL: @p bra L;\n}")),
            "version 8.8\ntarget sm_90a\nentry k\nparam u64 a\n"
            "L@1:\n  @p@1 bra L@1\nL@2:\n  @p@2 bra L@2\n  ret\nend\n");
}

/// Two loops that begin at one place.
TEST(Reader, keepsLabelsApart) {
  EXPECT_EQ(dumped(inEntry("A:\nB:\n@%p1 bra B;\n@%p2 bra A;")),
            "version 8.8\ntarget sm_90a\nentry k\nparam u64 a\n"
            "A:\n  bra B\nB:\n  @%p1 bra B\n  @%p2 bra A\n  ret\nend\n");
}

TEST(Reader, refuses) {
  struct {
    const char *body, *error;
  } cases[] = {
      {"bfi.b32 %r1, %r2, 0, 8;",
       "9: 'bfi.b32' with 4 operands is not in the list of instructions"},
      {"ld.global.L3::b32 %r1, [%rd1];",
       "9: 'ld.global.L3::b32' with 2 operands is not in the list of "
       "instructions"},
      {"add.s32 %r1, %r2;",
       "9: 'add.s32' with 2 operands is not in the list of instructions"},
      {"mov.b32 %r9, 0;", "9: unknown name '%r9'"},
      {"bra X;", "9: unknown name 'X'"},
      {"L:\nL:", "10: label 'L' stands twice"},
      {"mov.b32 %r1, 99999999999999999999;",
       "9: '99999999999999999999' is no number"},
      {"@%r1 bra L;\nL:", "9: '%r1' is no predicate"},
      {".reg .b32 %r1;", "9: register '%r1' is declared twice"},
      {".reg .b32 %x<70000>;", "9: too many registers"},
      {"{", "12: an entry without end"},
  };
  for (const auto &c : cases) {
    EXPECT_EQ(errorOf(inEntry(c.body)), c.error) << c.body;
  }
}

/// Any bytes give a module or an error with a line, and what is read can be
/// validated to an answer.
TEST(Reader, survivesAnyText) {
  std::mt19937 random(17);
  size_t readable = 0;
  for (const char *name : {"copy.ptx", "ring.ptx"}) {
    const std::string good = program(name);
    const Expected expected =
        expectedOf(std::string(name).substr(0, std::string(name).find('.')));
    for (int turn = 0; turn < 300; ++turn) {
      std::string text = good;
      for (unsigned n = random() % 4 + 1; n > 0; --n) {
        size_t at = random() % text.size();
        size_t size = std::min<size_t>(random() % 24, text.size() - at);
        switch (random() % 4) {
        case 0:
          text[at] = char(random());
          break;
        case 1:
          text.erase(at, size);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), size));
          break;
        default:
          text.resize(std::max<size_t>(at, 1));
        }
      }
      auto module = read(text);
      if (auto *error = std::get_if<Error>(&module)) {
        EXPECT_GE(error->line, 1u);
        continue;
      }
      ++readable;
      print(std::get<Module>(module));
      obligationsOf(text, expected);
    }
  }
  EXPECT_GE(readable, 20u);
}
