// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Good programs are proved, and what was proved is judged again.

#include "Programs.h"

#include "proofs/Judge.h"

#include <gtest/gtest.h>

using namespace girih::ptx;
using namespace girih::ptx::test;

static void expectProved(const std::string &ptx, const std::string &expected) {
  auto result = validated(program(ptx), expectedOf(expected));
  ASSERT_EQ(refusal(result), "") << ptx;
  const Proof &proof = std::get<Proof>(result);
  ASSERT_EQ(proof.obligations.size(), proof.certificates.size());
  EXPECT_GE(proof.obligations.size(), 25u);
  std::vector<const girih::proofs::Certificate *> certificates;
  for (const girih::proofs::Certificate &c : proof.certificates) {
    certificates.push_back(&c);
  }
  for (const auto &ruling :
       girih::proofs::judge(proof.obligations, certificates)) {
    EXPECT_TRUE(ruling.accepted) << ruling.reason;
  }
}

TEST(Validate, maskedCopy) { expectProved("copy.ptx", "copy"); }
TEST(Validate, maskedCopyOfNvcc) { expectProved("copy.nvcc.ptx", "copy"); }
TEST(Validate, rowReduction) { expectProved("rowsum.ptx", "rowsum"); }
TEST(Validate, gemvByLoads) { expectProved("gemv.ptx", "gemv"); }
TEST(Validate, gemvByLoadsOfNvcc) { expectProved("gemv.nvcc.ptx", "gemv"); }
TEST(Validate, gemvByRing) { expectProved("ring.ptx", "ring"); }
TEST(Validate, gemvByRingOfNvcc) { expectProved("ring.nvcc.ptx", "ring"); }

TEST(Validate, gemvByRingOfOneSlot) { expectProved("ring.1.ptx", "ring.1"); }
TEST(Validate, gemvByRingOfEightSlots) { expectProved("ring.8.ptx", "ring.8"); }
TEST(Validate, gemvByRingInSlices) { expectProved("sliced.ptx", "sliced"); }

TEST(Validate, rowsOfSeveralWarps) { expectProved("rows.ptx", "rows"); }
TEST(Validate, severalRowsOfOneWarp) { expectProved("norm.ptx", "norm"); }

TEST(Validate, numbersInMemory) { expectProved("gather.ptx", "gather"); }
TEST(Validate, axesOfTheGrid) { expectProved("heads.ptx", "heads"); }

// A region may speak of no quotient that is not one.
TEST(Validate, namesOfQuotientsAreProved) {
  const std::string ptx = program("heads.ptx"),
                    text = program("heads.expected");
  auto refusalWith = [&](const std::string &from, const std::string &to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    auto expected = parseExpected(changed);
    EXPECT_TRUE(std::holds_alternative<Expected>(expected));
    return refusal(validated(ptx, std::get<Expected>(expected)));
  };
  EXPECT_TRUE(refusalWith("given B - 1 >= 0", "given B >= 0")
                  .starts_with("[ptx.division] divisor is not proved"));
  EXPECT_TRUE(refusalWith("(bx, B)", "(bx - 1, B)")
                  .starts_with("[ptx.division] dividend is not proved"));
}

TEST(Validate, saysWhatIsTouched) {
  auto result = obligationsOf(program("copy.ptx"), expectedOf("copy"));
  ASSERT_EQ(refusal(result), "");
  EXPECT_EQ(std::get<Proof>(result).accesses,
            "read A + 64*ld*bx + 4*ld*ty + 128*by + 4*tx bytes 4 line 51\n"
            "write C + 64*ld*bx + 4*ld*ty + 128*by + 4*tx bytes 4 line 54\n");
}

/// A certificate that proves something else proves nothing.
TEST(Validate, believesNoCertificate) {
  auto result = validate(program("copy.ptx"), expectedOf("copy"),
                         [](const girih::proofs::Obligation &) {
                           return girih::proofs::Certificate{};
                         });
  EXPECT_NE(refusal(result), "");
}

TEST(Validate, expectedTextComesBack) {
  for (const char *name : {"copy", "rowsum", "gemv", "ring", "sliced"}) {
    std::string text = print(expectedOf(name));
    auto again = parseExpected(text);
    ASSERT_TRUE(std::holds_alternative<Expected>(again)) << text;
    EXPECT_EQ(print(std::get<Expected>(again)), text);
  }
}
