// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the assembler may say of a schedule, in its own words.

#include "lower/hopper/nvvm/Assemble.h"

#include <gtest/gtest.h>

using namespace girih::hopper;

static std::string words(int stores, int loads) {
  return "ptxas info    : 0 bytes gmem\n"
         "ptxas info    : Function properties for gemv\n"
         "    0 bytes stack frame, " +
         std::to_string(stores) + " bytes spill stores, " +
         std::to_string(loads) +
         " bytes spill loads\n"
         "ptxas info    : Used 88 registers, used 1 barriers\n";
}

TEST(Assemble, NoSpillIsAccepted) {
  int64_t registers = 0;
  EXPECT_EQ(refuseWords(words(0, 0), registers), std::nullopt);
  EXPECT_EQ(registers, 88);
}

TEST(Assemble, ASpillFailsTheCompile) {
  int64_t registers = 0;
  EXPECT_EQ(refuseWords(words(8, 16), registers),
            "the schedule spills: 8 bytes stored, 16 bytes loaded");
  EXPECT_EQ(refuseWords(words(0, 4), registers),
            "the schedule spills: 0 bytes stored, 4 bytes loaded");
}

TEST(Assemble, SerialisedProductsFailTheCompile) {
  int64_t registers = 0;
  for (std::string number : {"C7508", "C7510", "C7514"}) {
    std::string warning = "ptxas warning : (" + number +
                          ") Potential Performance Loss: wgmma.mma_async "
                          "instructions are serialized";
    EXPECT_EQ(refuseWords(warning + "\n" + words(0, 0), registers), warning);
  }
}

TEST(Assemble, SilenceIsNoAcceptance) {
  int64_t registers = 0;
  EXPECT_NE(refuseWords("", registers), std::nullopt);
}

TEST(Assemble, WhatIsNoPtxIsAnError) {
  std::string ptxas = findPtxas(""), error;
  if (ptxas.empty()) {
    GTEST_SKIP() << "there is no ptxas";
  }
  EXPECT_FALSE(assemble(ptxas, "no ptx", 60, error));
  EXPECT_NE(error.find("exit code"), std::string::npos) << error;
  EXPECT_FALSE(assemble("/nowhere", "", 60, error));
}
