// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views: composition, and walking the elements of a tile.

#include "spec/executor/memory/View.h"

namespace girih::exec {

/// Numbers that matter are coordinates and fit; those of an empty view may be
/// anything, but not an overflow.
static int64_t wrapping(uint64_t a) { return static_cast<int64_t>(a); }
static int64_t times(int64_t a, int64_t b) {
  return wrapping(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
static int64_t plus(int64_t a, int64_t b) {
  return wrapping(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

/// The element of the base.
static Coord inBase(const View &view, llvm::ArrayRef<int64_t> at) {
  Coord out = view.origin;
  for (size_t j = 0; j < at.size(); ++j) {
    int64_t &x = out[view.axes[j].root];
    x = plus(x, times(view.axes[j].scale, at[j]));
  }
  return out;
}

Coord View::map(llvm::ArrayRef<int64_t> at) const {
  Coord out = inBase(*this, at);
  if (!flattened) {
    return out;
  }
  int64_t flat = out[flatAxis], inner = flattened->extents[flatAxis + 1];
  out[flatAxis] = inner > 0 ? flat / inner : 0;
  out.insert(out.begin() + flatAxis + 1, inner > 0 ? flat % inner : 0);
  return flattened->map(out);
}

int64_t View::strideOf(unsigned axis, llvm::ArrayRef<int64_t> strides) const {
  unsigned k = axes[axis].root;
  int64_t base = !flattened ? strides[k]
                            : flattened->strideOf(k + (k >= flatAxis), strides);
  return times(base, axes[axis].scale);
}

View wholeView(llvm::ArrayRef<int64_t> extents) {
  View view{Coord(extents), Coord(extents.size(), 0), {}, nullptr, 0};
  for (unsigned k = 0; k < extents.size(); ++k) {
    view.axes.push_back({k, 1});
  }
  return view;
}

View sliceOf(View of, llvm::ArrayRef<int64_t> offsets,
             llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> steps) {
  of.origin = inBase(of, offsets);
  for (size_t k = 0; k < steps.size(); ++k) {
    of.axes[k].scale = times(of.axes[k].scale, steps[k]);
  }
  of.extents = Coord(sizes);
  return of;
}

View permuted(const View &of, llvm::ArrayRef<unsigned> permutation) {
  View out = of;
  for (size_t k = 0; k < permutation.size(); ++k) {
    out.extents[k] = of.extents[permutation[k]];
    out.axes[k] = of.axes[permutation[k]];
  }
  return out;
}

View unfolded(const View &of, unsigned axis, llvm::ArrayRef<int64_t> factors) {
  View out{{}, of.origin, {}, of.flattened, of.flatAxis};
  for (unsigned k = 0; k < of.extents.size(); ++k) {
    if (k != axis) {
      out.extents.push_back(of.extents[k]);
      out.axes.push_back(of.axes[k]);
      continue;
    }
    for (size_t i = 0; i < factors.size(); ++i) {
      ViewAxis digit = of.axes[axis];
      for (int64_t inner : factors.drop_front(i + 1)) {
        digit.scale = times(digit.scale, inner);
      }
      out.extents.push_back(factors[i]);
      out.axes.push_back(digit);
    }
  }
  return out;
}

View fixedAt(View of, unsigned axis, int64_t coordinate) {
  int64_t &x = of.origin[of.axes[axis].root];
  x = plus(x, times(of.axes[axis].scale, coordinate));
  of.extents.erase(of.extents.begin() + axis);
  of.axes.erase(of.axes.begin() + axis);
  return of;
}

View flattened(View of, unsigned axis) {
  Coord extents = of.extents;
  extents[axis] = times(extents[axis], extents[axis + 1]);
  extents.erase(extents.begin() + axis + 1);
  View out = wholeView(extents);
  out.flattened = std::make_shared<const View>(std::move(of));
  out.flatAxis = axis;
  return out;
}

bool forEachRun(
    const Region &region, llvm::ArrayRef<int64_t> tile,
    llvm::function_ref<bool(llvm::ArrayRef<int64_t>, int64_t, size_t)> run) {
  const View &view = region.view;
  int64_t length = rowLength(region.box);
  const ViewAxis &last = view.axes.back();
  bool whole =
      !view.flattened && last.root + 1 == view.origin.size() && last.scale == 1;
  return forEachRow(region.box, tile,
                    [&](llvm::ArrayRef<int64_t> start, size_t lane) {
                      if (whole) {
                        return run(view.map(start), length, lane);
                      }
                      Coord at(start);
                      for (int64_t i = 0; i < length; ++i) {
                        if (!run(view.map(at), 1,
                                 lane + static_cast<size_t>(i))) {
                          return false;
                        }
                        ++at.back();
                      }
                      return true;
                    });
}

} // namespace girih::exec
