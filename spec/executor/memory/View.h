// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view in one block of a launch, with all its numbers: where in the root
// tensor each of its elements lies.

#ifndef GIRIH_SPEC_EXECUTOR_MEMORY_VIEW_H
#define GIRIH_SPEC_EXECUTOR_MEMORY_VIEW_H

#include "spec/executor/memory/Box.h"

#include <memory>

namespace girih::exec {

/// Steps along an axis of a view lead along one axis of the root.
struct ViewAxis {
  unsigned root = 0;
  int64_t scale = 1; ///< elements of the root for one of the view
};

/// Element v of the view is the element of its base whose coordinate on axis k
/// is origin[k] and scale * v[j] for each axis j of the view that leads along
/// k. The base is the root, or another view with two axes made one. Where a
/// view is empty, origin and scales may be any number.
struct View {
  Coord extents; ///< of the view
  Coord origin;  ///< an element of the base
  llvm::SmallVector<ViewAxis, 4> axes;
  std::shared_ptr<const View> flattened; ///< none: the base is the root
  unsigned flatAxis = 0; ///< it and the next one of `flattened` are one axis

  /// Elements of memory from one element of an axis to the next, by strides of
  /// the root. Of a view with elements it is exact.
  int64_t strideOf(unsigned axis, llvm::ArrayRef<int64_t> strides) const;

  /// The element of the root.
  Coord map(llvm::ArrayRef<int64_t> at) const;
};

/// A tensor as a view of itself.
View wholeView(llvm::ArrayRef<int64_t> extents);

// The kinds of views, of numbers that keep their rules.
View sliceOf(View of, llvm::ArrayRef<int64_t> offsets,
             llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> steps);
View permuted(const View &of, llvm::ArrayRef<unsigned> permutation);
View unfolded(const View &of, unsigned axis, llvm::ArrayRef<int64_t> factors);
View fixedAt(View of, unsigned axis, int64_t coordinate);
/// The axis and the next one as one.
View flattened(View of, unsigned axis);

/// A part of a view: a box in the view's own coordinates.
struct Region {
  View view;
  Box box;
};

/// As forEachRow, for the elements of a region: calls `run(start, count, lane)`
/// for runs of elements along the last axis of the root.
bool forEachRun(
    const Region &region, llvm::ArrayRef<int64_t> tile,
    llvm::function_ref<bool(llvm::ArrayRef<int64_t>, int64_t, size_t)> run);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_MEMORY_VIEW_H
