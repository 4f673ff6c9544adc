// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Which of the kernels for products of many rows ends first: by how many times
/// all multiprocessors of an H200 take a tile, and what a tile takes.

#ifndef GIRIH_BENCH_QWEN3_KERNELS_PANELS_H
#define GIRIH_BENCH_QWEN3_KERNELS_PANELS_H

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace girih::qwen3 {

/// Of an H200, and the blocks that keep it busy: two share a multiprocessor.
constexpr std::int64_t multiprocessors = 132, busyBlocks = 2 * multiprocessors;

/// A tile of a product.
struct ProductTile {
  std::int64_t rows, columns;
  std::int64_t processors; ///< that share it
  std::int64_t weight;     ///< of an element, as measured on an H200

  std::int64_t countIn(std::int64_t ofRows, std::int64_t ofColumns) const {
    return (ofRows + rows - 1) / rows * ((ofColumns + columns - 1) / columns);
  }
  bool fits(std::int64_t ofRows, std::int64_t ofColumns) const {
    return countIn(ofRows, ofColumns) * processors <= multiprocessors;
  }
  /// What a product of so many rows and columns takes, whatever its depth.
  std::int64_t cost(std::int64_t ofRows, std::int64_t ofColumns) const {
    std::int64_t rounds =
        (countIn(ofRows, ofColumns) * processors + multiprocessors - 1) /
        multiprocessors;
    return rounds * (rows * columns / processors) * weight;
  }
};

/// The width of the panels in which linear_panels takes a product of so many
/// rows and columns; 0 where linear ends sooner.
inline std::int64_t panelWidth(std::int64_t rows, std::int64_t columns) {
  constexpr auto never = std::numeric_limits<std::int64_t>::max();
  if (rows <= 64) {
    return 0; // of these linear has tiles of its own
  }
  std::int64_t best = never, width = 0;
  for (const ProductTile &tile :
       {ProductTile{64, 128, 1, 14}, ProductTile{128, 128, 1, 11},
        ProductTile{128, 256, 1, 11}}) {
    best = std::min(best, tile.cost(rows, columns));
  }
  auto offer = [&](std::initializer_list<ProductTile> tiles) {
    // linear_panels takes the first one that fits, or the last.
    const ProductTile *tile =
        std::find_if(tiles.begin(), tiles.end() - 1, [&](const auto &each) {
          return each.fits(rows, columns);
        });
    if (columns % tile->columns == 0 && tile->cost(rows, columns) < best) {
      best = tile->cost(rows, columns);
      width = tile->columns;
    }
  };
  if (constexpr ProductTile narrow{64, 96, 1, 14}; narrow.fits(rows, columns)) {
    offer({narrow});
  }
  offer({{64, 160, 1, 14}, {128, 160, 1, 11}});
  offer({{64, 192, 1, 14}, {128, 192, 1, 11}, {256, 192, 1, 10}});
  offer({{256, 320, 2, 10}});
  return width;
}

/// The widest panel of linear_silu_mul_panels, a multiple of the others.
constexpr std::int64_t widestGatePanel = 160;

/// Rows to have behind gate and up of so many, so that the last panel of either
/// reads nothing else.
inline std::int64_t rowsBehindGate(std::int64_t inner) {
  return (widestGatePanel - inner % widestGatePanel) % widestGatePanel;
}

/// The width of the panels in which linear_silu_mul_panels takes gate and up of
/// so many rows and columns each; 0 where linear_silu_mul ends sooner.
inline std::int64_t gatePanelWidth(std::int64_t rows, std::int64_t inner) {
  if (rows <= 64) {
    return 0;
  }
  if (rows <= 128) {
    // One tile a multiprocessor, where those of 64 columns are more.
    bool fits = ProductTile{128, 80, 1, 1}.fits(rows, inner);
    return fits && inner > 64 * multiprocessors ? 80 : 0;
  }
  if (rows > 256 && inner >= 16000) {
    return 0; // tiles of two multiprocessors
  }
  // A column is of both matrices.
  auto cost = [&](const ProductTile &tile) { return tile.cost(rows, inner); };
  return cost({128, widestGatePanel, 1, 21}) <
                 std::min(cost({128, 64, 1, 23}), cost({128, 128, 1, 20}))
             ? widestGatePanel
             : 0;
}

} // namespace girih::qwen3

#endif // GIRIH_BENCH_QWEN3_KERNELS_PANELS_H
