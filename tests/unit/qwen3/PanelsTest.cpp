// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which panels products of the models are taken, by rows, as measured.

#include "bench/qwen3/kernels/Panels.h"

#include <gtest/gtest.h>

using girih::qwen3::gatePanelWidth;
using girih::qwen3::panelWidth;
using girih::qwen3::ProductTile;
using girih::qwen3::rowsBehindGate;

namespace {

TEST(Panels, AreTakenWhereTheyFillTheMachine) {
  // 4 x 32 tiles, in place of 4 x 48 of 128 columns.
  EXPECT_EQ(panelWidth(512, 6144), 192);
  EXPECT_EQ(panelWidth(256, 6144), 192);
  EXPECT_EQ(panelWidth(512, 2560), 160);
  EXPECT_EQ(panelWidth(1024, 2560), 160);
  // A tile of two multiprocessors, 8 x 8 of them.
  EXPECT_EQ(panelWidth(2048, 2560), 320);
  EXPECT_EQ(panelWidth(512, 10240), 320);
  EXPECT_EQ(panelWidth(512, 5120), 160);
}

TEST(Panels, AreNarrowForFewRows) {
  EXPECT_EQ(panelWidth(128, 6144), 96); // 2 x 64 tiles, in place of 2 x 48
  EXPECT_EQ(panelWidth(128, 6432), 0);  // 2 x 67
}

TEST(Panels, OfGateAndUpAreTakenWhereTheyEndSooner) {
  EXPECT_EQ(gatePanelWidth(512, 9728), 160); // two rounds of 4 x 61
  EXPECT_EQ(gatePanelWidth(256, 9728), 160); // one
  EXPECT_EQ(gatePanelWidth(128, 9728), 80);  // 122 tiles
  EXPECT_EQ(gatePanelWidth(384, 9728), 0);   // two rounds of 3 x 76, of 128
  EXPECT_EQ(gatePanelWidth(2048, 9728), 0);
  EXPECT_EQ(gatePanelWidth(128, 8448), 0);
  EXPECT_EQ(gatePanelWidth(128, 10640), 0);
  EXPECT_EQ(gatePanelWidth(64, 9728), 0);
  EXPECT_EQ(gatePanelWidth(512, 25600), 0);
}

TEST(Panels, OfGateAndUpReachNoFurtherThanTheRowsBehind) {
  EXPECT_EQ(rowsBehindGate(9728), 32);
  EXPECT_EQ(rowsBehindGate(25600), 0);
  for (std::int64_t inner = 8; inner < 30000; inner += 8) {
    for (std::int64_t width : {std::int64_t(80), std::int64_t(160)}) {
      std::int64_t reach = (inner + width - 1) / width * width;
      EXPECT_LE(reach, inner + rowsBehindGate(inner)) << inner;
    }
  }
}

TEST(Panels, AreThoseOfTheTestOfAnswers) {
  EXPECT_EQ(panelWidth(128, 24 * 128), 96);
  EXPECT_EQ(gatePanelWidth(128, 8456), 80);
  EXPECT_EQ(gatePanelWidth(256, 8456), 160);
  EXPECT_EQ(panelWidth(128, 70 * 128), 160);
  EXPECT_EQ(panelWidth(128, 69 * 128), 192);
}

TEST(Panels, AreNotTakenWhereTilesOfLinearFillIt) {
  EXPECT_EQ(panelWidth(384, 2560), 0); // 6 x 20 of 64 x 128
  EXPECT_EQ(panelWidth(640, 6144), 0); // 5 x 24 of 128 x 256
  EXPECT_EQ(panelWidth(768, 2560), 0); // 6 x 20 of 128 x 128
  EXPECT_EQ(panelWidth(64, 10240), 0);
}

TEST(Panels, DivideTheColumns) {
  EXPECT_EQ(panelWidth(1024, 4096), 0);
  for (std::int64_t columns = 8; columns < 12000; columns += 8) {
    std::int64_t width = panelWidth(512, columns);
    EXPECT_TRUE(width == 0 || columns % width == 0) << columns;
  }
}

TEST(ProductTile, CostsItsRounds) {
  constexpr ProductTile tile{128, 192, 1, 11};
  EXPECT_EQ(tile.countIn(512, 6144), 128);
  EXPECT_TRUE(tile.fits(512, 6144));
  EXPECT_EQ(tile.cost(512, 6144), 128 * 192 * 11);
  EXPECT_EQ(tile.countIn(513, 6145), 5 * 33);
  EXPECT_EQ(tile.cost(513, 6145), 2 * 128 * 192 * 11);
  constexpr ProductTile shared{256, 320, 2, 10};
  EXPECT_TRUE(shared.fits(2048, 2560));
  EXPECT_FALSE(shared.fits(2304, 2560)); // 72 tiles, 144 multiprocessors
}

} // namespace
