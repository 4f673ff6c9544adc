// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Claims by tile index per tiling. Against another tiling of the tensor, the
// tiles that meet a box are looked up one by one, or, when they outnumber the
// claims, the claims are gone through.

#include "spec/executor/memory/Ownership.h"

namespace girih::exec {

size_t Ownership::CoordHash::operator()(const Coord &coord) const {
  uint64_t hash = 0x9e3779b97f4a7c15;
  for (int64_t c : coord) {
    hash = (hash ^ static_cast<uint64_t>(c)) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return hash;
}

Corners cornersOf(const Region &region) {
  Coord last = region.box.high;
  for (int64_t &x : last) {
    --x;
  }
  return {region.view.map(region.box.low), region.view.map(last)};
}

std::optional<Clash> Ownership::clashIn(const Tiling &tiling, Claim claim,
                                        const Box &box) const {
  auto clashAt = [&](const Coord &index,
                     const Claim &earlier) -> std::optional<Clash> {
    Box tile = tileBox(index, tiling.tile, extents);
    std::optional<Box> common = intersect(tile, box);
    if (!common || earlier.block == claim.block) {
      return std::nullopt;
    }
    return Clash{earlier, std::move(tile), std::move(*common), {}};
  };
  Box range; // of tile indices of this tiling
  uint64_t count = 1;
  for (size_t k = 0; k < box.low.size(); ++k) {
    range.low.push_back(box.low[k] / tiling.tile[k]);
    range.high.push_back((box.high[k] - 1) / tiling.tile[k] + 1);
    uint64_t length = range.high[k] - range.low[k];
    count = count > tiling.claims.size() ? count : count * length;
  }
  std::optional<Clash> found;
  if (count > tiling.claims.size()) {
    for (const auto &[index, earlier] : tiling.claims) {
      std::optional<Clash> clash = clashAt(index, earlier);
      // The first element in common, so that the report does not depend on
      // the order of a hash table.
      if (clash && (!found || clash->common.low < found->common.low)) {
        found = std::move(clash);
      }
    }
    return found;
  }
  auto visit = [&](llvm::ArrayRef<int64_t> start, size_t) {
    Coord index(start);
    for (int64_t n = rowLength(range); n > 0 && !found; --n) {
      auto it = tiling.claims.find(index);
      if (it != tiling.claims.end()) {
        found = clashAt(it->first, it->second);
      }
      if (!index.empty()) {
        ++index.back();
      }
    }
    return !found;
  };
  forEachRow(range, tiling.tile, visit);
  return found;
}

std::optional<Clash> Ownership::take(Claim claim, llvm::ArrayRef<int64_t> tile,
                                     llvm::ArrayRef<int64_t> index) {
  Box box = tileBox(index, tile, extents);
  Tiling *mine = nullptr;
  for (Tiling &tiling : tilings) {
    if (llvm::ArrayRef<int64_t>(tiling.tile) == tile) {
      mine = &tiling;
    }
    if (std::optional<Clash> clash = clashIn(tiling, claim, box)) {
      return clash;
    }
  }
  if (!mine) {
    mine = &tilings.emplace_back(Tiling{Coord(tile), {}});
  }
  mine->claims.try_emplace(Coord(index), claim);
  return std::nullopt;
}

template <typename Each>
bool Ownership::forEachTaker(llvm::ArrayRef<int64_t> start, int64_t count,
                             bool isNew, Each each) {
  int64_t first = 0;
  for (size_t k = 0; k < start.size(); ++k) {
    first = strides.empty() ? first * extents[k] + start[k]
                            : first + start[k] * strides[k];
  }
  Group *group = nullptr;
  int64_t groupNumber = -1;
  for (int64_t i = 0; i < count; ++i) {
    int64_t key = strides.empty() ? first + i : (first + i) / 2;
    if (key / groupSize != groupNumber) {
      groupNumber = key / groupSize;
      if (isNew) {
        group = &elements[groupNumber];
      } else {
        auto found = elements.find(groupNumber);
        group = found == elements.end() ? nullptr : &found->second;
      }
    }
    if (group && !each(i, (*group)[key % groupSize])) {
      return false;
    }
  }
  return true;
}

std::optional<Clash> Ownership::takeElements(Claim claim, const Region &region,
                                             bool throughView) {
  // The box alone says where lanes lie that are not there.
  Coord size;
  for (size_t k = 0; k < region.box.low.size(); ++k) {
    size.push_back(region.box.high[k] - region.box.low[k]);
  }
  std::optional<Clash> clash;
  forEachRun(
      region, size, [&](llvm::ArrayRef<int64_t> start, int64_t count, size_t) {
        return forEachTaker(
            start, count, /*isNew=*/false, [&](int64_t i, uint32_t taker) {
              if (taker == 0 || taken[taker - 1].claim.block == claim.block) {
                return true;
              }
              const Taken &other = taken[taker - 1];
              Box common{Coord(start), Coord(start)};
              common.low.back() += i;
              clash = Clash{other.claim, other.tile, common, other.corners,
                            other.throughView};
              return false;
            });
      });
  if (clash) {
    return clash;
  }
  taken.push_back({claim, region.box, throughView, {}});
  if (throughView && llvm::all_of(size, [](int64_t n) { return n > 0; })) {
    taken.back().corners = cornersOf(region);
  }
  auto number = static_cast<uint32_t>(taken.size());
  forEachRun(region, size,
             [&](llvm::ArrayRef<int64_t> start, int64_t count, size_t) {
               return forEachTaker(start, count, /*isNew=*/true,
                                   [&](int64_t, uint32_t &taker) {
                                     taker = taker ? taker : number;
                                     return true;
                                   });
             });
  return std::nullopt;
}

} // namespace girih::exec
