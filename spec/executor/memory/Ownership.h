// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who owns which elements of one written tensor: a claim takes its tile for
// the rest of the launch.

#ifndef GIRIH_SPEC_EXECUTOR_MEMORY_OWNERSHIP_H
#define GIRIH_SPEC_EXECUTOR_MEMORY_OWNERSHIP_H

#include "spec/executor/memory/View.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace girih::exec {

/// One claim: by which block (its number in the grid), from which op (its
/// number in the program), at which trips of its loops.
struct Claim {
  int64_t block;
  uint32_t site;
  uint32_t trips = 0; ///< number of a list of them; 0: the empty one
};

/// The first and the last element of a tile, in coordinates of the tensor.
struct Corners {
  Coord first, last;
};

/// Of a region that is not empty.
Corners cornersOf(const Region &region);

/// A claim that took an element before, and the elements in common.
struct Clash {
  Claim earlier;
  Box earlierTile;          ///< in coordinates of its view
  Box common;               ///< in coordinates of the tensor
  Corners earlierCorners;   ///< of the earlier tile
  bool throughView = false; ///< the earlier tile is one of a view
};

class Ownership {
public:
  /// `byElement`: claims are taken by `takeElements` only, else by `take`.
  Ownership(Coord extents, bool byElement)
      : byElement(byElement), extents(std::move(extents)) {}

  /// Of elements of which two share a byte, by their strides: who takes an
  /// element takes its byte.
  static Ownership ofPairs(Coord extents, Coord strides) {
    Ownership out(std::move(extents), true);
    out.strides = std::move(strides);
    return out;
  }

  /// Takes the tile at `index` of the tiling by `tile`; the index is in range.
  /// On a clash with another block nothing is taken.
  std::optional<Clash> take(Claim claim, llvm::ArrayRef<int64_t> tile,
                            llvm::ArrayRef<int64_t> index);

  /// Likewise takes a region, element by element.
  std::optional<Clash> takeElements(Claim claim, const Region &region,
                                    bool throughView);

  const bool byElement;

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

  /// A claim by elements, and the tile that it took.
  struct Taken {
    Claim claim;
    Box tile;
    bool throughView;
    Corners corners;
  };

  /// Of the claims that took the elements of a run along the last axis, as far
  /// as any did: calls `each` with the element's number in the run and its
  /// place in `elements`, which is made if `isNew`. Stops when that is false.
  template <typename Each>
  bool forEachTaker(llvm::ArrayRef<int64_t> start, int64_t count, bool isNew,
                    Each each);

  Coord extents, strides;
  std::vector<Tiling> tilings;
  std::vector<Taken> taken;
  /// Of each element, by its row-major number or its byte, the claim that took
  /// it: its number in `taken` and one. Neighbours share a node of the table.
  static constexpr int64_t groupSize = 16;
  using Group = std::array<uint32_t, groupSize>;
  std::unordered_map<int64_t, Group> elements;
};

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_MEMORY_OWNERSHIP_H
