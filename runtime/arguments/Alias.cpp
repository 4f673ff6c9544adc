// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When tensors share memory. A tensor is a box of coordinates with a stride an
// axis; addresses are compared as boxes shifted against each other.

#include "runtime/arguments/Contract.h"

#include <algorithm>

namespace girih::runtime {

bool Layout::empty() const {
  return std::find(extents.begin(), extents.end(), 0) != extents.end();
}

int64_t Layout::span() const {
  if (empty()) {
    return 0;
  }
  int64_t last = 0;
  for (size_t k = 0; k < extents.size(); ++k) {
    last += (extents[k] - 1) * strides[k];
  }
  return last + 1;
}

namespace {

/// One axis of a pair of boxes: the extents of both, and where the second one
/// begins in coordinates of the first.
struct Axis {
  Wide stride, extentA, extentB, shift = 0;

  Wide hull() const {
    return std::max(extentA, shift + extentB) - std::min(Wide(0), shift);
  }
  bool apart() const { return shift >= extentA || shift + extentB <= 0; }
};

/// Axes in order of stride, each beyond the reach of all smaller ones.
template <typename Hull>
bool isNested(const std::vector<Axis> &axes, Hull hull) {
  Wide reach = 0;
  for (const Axis &axis : axes) {
    if (hull(axis) > 1) {
      if (axis.stride <= reach) {
        return false;
      }
      reach += axis.stride * (hull(axis) - 1);
    }
  }
  return true;
}

/// Writes `distance` as a sum of shifts times strides, from the largest stride
/// down, in every way in which a rest is smaller than the next stride, and
/// looks for one that shows the boxes apart: the addresses of the box around
/// both must be distinct, and one axis must separate them.
bool separate(std::vector<Axis> &axes, size_t count, Wide distance) {
  if (count == 0) {
    return distance == 0 &&
           isNested(axes, [](const Axis &a) { return a.hull(); }) &&
           std::any_of(axes.begin(), axes.end(),
                       [](const Axis &a) { return a.apart(); });
  }
  Axis &axis = axes[count - 1];
  Wide down = distance / axis.stride - (distance % axis.stride < 0 ? 1 : 0);
  for (Wide shift : {down, down + 1}) {
    axis.shift = shift;
    if (separate(axes, count - 1, distance - shift * axis.stride)) {
      return true;
    }
  }
  return false;
}

/// Axes with more than this many strides are not searched: 2 to that power.
constexpr size_t maxAxes = 12;

/// The axes of both tensors, by stride; nothing when they do not agree.
std::optional<std::vector<Axis>> commonAxes(const Layout &a, const Layout &b) {
  if (a.extents.size() != b.extents.size() ||
      bytesOf(a.element) != bytesOf(b.element) || isSubByte(a.element) ||
      isSubByte(b.element)) {
    return std::nullopt;
  }
  // Single elements side by side: what no other axis accounts for.
  std::vector<Axis> axes = {{1, 1, 1}};
  for (size_t k = 0; k < a.extents.size(); ++k) {
    // The stride of an axis of extent 1 says nothing.
    bool realA = a.extents[k] > 1, realB = b.extents[k] > 1;
    if (!realA && !realB) {
      continue;
    }
    int64_t stride = realB ? b.strides[k] : a.strides[k];
    if (stride == 0 || (realA && a.strides[k] != stride)) {
      return std::nullopt;
    }
    axes.push_back({stride, a.extents[k], b.extents[k]});
  }
  if (std::any_of(axes.begin() + 1, axes.end(),
                  [](const Axis &axis) { return axis.stride == 1; })) {
    axes.erase(axes.begin());
  }
  std::sort(axes.begin(), axes.end(),
            [](const Axis &x, const Axis &y) { return x.stride < y.stride; });
  return axes.size() > maxAxes ? std::nullopt : std::optional(axes);
}

} // namespace

bool isInjective(const Layout &layout) {
  if (layout.empty()) {
    return true;
  }
  // Most layouts are row-major, whose axes are in order from the last one on.
  Wide reach = 0;
  bool nested = true;
  for (size_t k = layout.extents.size(); k-- > 0 && nested;) {
    if (layout.extents[k] > 1) {
      nested = layout.strides[k] > reach;
      reach += Wide(layout.strides[k]) * (layout.extents[k] - 1);
    }
  }
  if (nested) {
    return true;
  }
  std::vector<Axis> axes;
  axes.reserve(layout.extents.size());
  for (size_t k = layout.extents.size(); k-- > 0;) {
    axes.push_back({layout.strides[k], layout.extents[k], 1});
  }
  auto extent = [](const Axis &axis) { return axis.extentA; };
  std::sort(axes.begin(), axes.end(),
            [](const Axis &x, const Axis &y) { return x.stride < y.stride; });
  return isNested(axes, extent);
}

bool areDisjoint(const Layout &a, uint64_t addressA, const Layout &b,
                 uint64_t addressB) {
  if (a.empty() || b.empty()) {
    return true;
  }
  Wide startA = addressA, startB = addressB;
  Wide endA = startA + bytesOf<Wide>(a.element, a.span());
  Wide endB = startB + bytesOf<Wide>(b.element, b.span());
  if (endA <= startB || endB <= startA) {
    return true;
  }
  std::optional<std::vector<Axis>> axes = commonAxes(a, b);
  Wide size = bytesOf(a.element);
  return axes && (startB - startA) % size == 0 &&
         separate(*axes, axes->size(), (startB - startA) / size);
}

} // namespace girih::runtime
