// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who owns which elements of one written tensor: a claim takes its tile for
// the rest of the launch.

#ifndef GIRIH_SPEC_EXECUTOR_OWNERSHIP_H
#define GIRIH_SPEC_EXECUTOR_OWNERSHIP_H

#include "spec/executor/Box.h"

#include <unordered_map>
#include <vector>

namespace girih::exec {

/// One claim: by which block (its number in the grid), from which op (its
/// number in the program).
struct Claim {
  int64_t block;
  uint32_t site;
};

/// A claim that took an element before, and the elements in common.
struct Clash {
  Claim earlier;
  Box earlierTile;
  Box common;
};

class Ownership {
public:
  explicit Ownership(Coord extents) : extents(std::move(extents)) {}

  /// Takes the tile at `index` of the tiling by `tile`; the index is in range.
  /// On a clash with another block nothing is taken.
  std::optional<Clash> take(Claim claim, llvm::ArrayRef<int64_t> tile,
                            llvm::ArrayRef<int64_t> index);

private:
  struct CoordHash {
    size_t operator()(const Coord &coord) const;
  };
  /// The claims of one tiling, by tile index: equal tilings clash exactly at
  /// equal indices, whatever the number of blocks.
  struct Tiling {
    Coord tile;
    std::unordered_map<Coord, Claim, CoordHash> claims;
  };

  std::optional<Clash> clashIn(const Tiling &, Claim, const Box &) const;

  Coord extents;
  std::vector<Tiling> tilings;
};

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_OWNERSHIP_H
