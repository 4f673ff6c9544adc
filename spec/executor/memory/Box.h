// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boxes of elements in coordinates of a root tensor.

#ifndef GIRIH_SPEC_EXECUTOR_MEMORY_BOX_H
#define GIRIH_SPEC_EXECUTOR_MEMORY_BOX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace girih::exec {

using Coord = llvm::SmallVector<int64_t, 4>;

/// The elements x with low[k] <= x[k] < high[k] on every axis.
struct Box {
  Coord low, high;

  friend bool operator==(const Box &, const Box &) = default;
};

/// The common elements, or nothing.
std::optional<Box> intersect(const Box &a, const Box &b);

/// The box of one tile of a tensor, clipped to it.
Box tileBox(llvm::ArrayRef<int64_t> index, llvm::ArrayRef<int64_t> tile,
            llvm::ArrayRef<int64_t> extents);

/// True when the tile lies wholly inside the tensor.
bool isWhole(const Box &box, llvm::ArrayRef<int64_t> tile);

/// Calls `row(start, lane)` for every run of a box along its last axis: where
/// it starts, and its lane in the row-major tile at whose origin the box lies.
/// A box without axes is one run of one element. Stops when `row` is false.
bool forEachRow(const Box &box, llvm::ArrayRef<int64_t> tile,
                llvm::function_ref<bool(llvm::ArrayRef<int64_t>, size_t)> row);

/// The length of those runs.
int64_t rowLength(const Box &box);

/// ceil(a / b) of a >= 0 and b > 0, without overflow.
inline int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_MEMORY_BOX_H
