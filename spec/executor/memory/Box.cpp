// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes: intersection, clipping, and walking their rows.

#include "spec/executor/memory/Box.h"

#include <algorithm>

namespace girih::exec {

std::optional<Box> intersect(const Box &a, const Box &b) {
  Box common = a;
  for (size_t k = 0; k < a.low.size(); ++k) {
    common.low[k] = std::max(a.low[k], b.low[k]);
    common.high[k] = std::min(a.high[k], b.high[k]);
    if (common.low[k] >= common.high[k]) {
      return std::nullopt;
    }
  }
  return common;
}

Box tileBox(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> tile,
            llvm::ArrayRef<int64_t> extents) {
  Box box;
  for (size_t k = 0; k < index.size(); ++k) {
    // The index is below ceildiv(extent, tile): nothing here overflows.
    int64_t low = index[k] * tile[k];
    box.low.push_back(low);
    box.high.push_back(low + std::min(tile[k], extents[k] - low));
  }
  return box;
}

bool isWhole(const Box &box, llvm::ArrayRef<int64_t> tile) {
  for (size_t k = 0; k < tile.size(); ++k) {
    if (box.high[k] - box.low[k] != tile[k]) {
      return false;
    }
  }
  return true;
}

int64_t rowLength(const Box &box) {
  return box.low.empty() ? 1 : box.high.back() - box.low.back();
}

bool forEachRow(const Box &box, llvm::ArrayRef<int64_t> tile,
                llvm::function_ref<bool(llvm::ArrayRef<int64_t>, size_t)> row) {
  Coord at = box.low;
  size_t outer = at.empty() ? 0 : at.size() - 1;
  while (true) {
    size_t lane = 0;
    for (size_t k = 0; k < at.size(); ++k) {
      lane = lane * tile[k] + (at[k] - box.low[k]);
    }
    if (!row(at, lane)) {
      return false;
    }
    size_t k = outer;
    while (k > 0 && ++at[k - 1] == box.high[k - 1]) {
      at[k - 1] = box.low[k - 1];
      --k;
    }
    if (k == 0) {
      return true;
    }
  }
}

} // namespace girih::exec
