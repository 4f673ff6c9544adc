// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract on the tensors of a launch, for the launches that keep it: what
// `checkArguments` compares argument by argument stands here in one run of
// numbers. A launch that is not admitted is looked at again there, which says
// why or finds that it is right nevertheless.

#ifndef GIRIH_RUNTIME_ARGUMENTS_PLANNEDTENSORS_H
#define GIRIH_RUNTIME_ARGUMENTS_PLANNEDTENSORS_H

#include "runtime/arguments/Contract.h"

#include <array>

namespace girih::runtime {

class PlannedTensors {
public:
  PlannedTensors() = default;
  PlannedTensors(const Manifest &manifest, const LaunchPlan &plan);

  /// Whether `checkArguments` surely accepts the tensors; false where that has
  /// to be asked. `viewOf(k)` has address, element, extents and strides of the
  /// k-th tensor, scalars not counted.
  template <typename ViewOf> bool admit(ViewOf viewOf) const {
    if (!isComparable) {
      return false;
    }
    std::array<uint64_t, maxTensors> addresses;
    const int64_t *at = numbers.data();
    for (size_t k = 0; k < tensors.size(); ++k) {
      const Tensor &tensor = tensors[k];
      const auto &view = viewOf(k);
      if (static_cast<int>(view.element) != static_cast<int>(tensor.element) ||
          view.extents.size() != tensor.rank ||
          view.strides.size() != tensor.rank) {
        return false;
      }
      for (size_t axis = 0; axis < tensor.rank; ++axis, at += 2) {
        if (view.extents[axis] != at[0] || view.strides[axis] != at[1]) {
          return false;
        }
      }
      addresses[k] = view.address;
      if (view.address == 0 || (view.address & tensor.alignMask) != 0 ||
          view.address > ~uint64_t(0) - tensor.bytes) {
        return false;
      }
    }
    for (const Pair &pair : pairs) {
      uint64_t a = addresses[pair.written], b = addresses[pair.other];
      if (a < b ? b - a < tensors[pair.written].bytes
                : a - b < tensors[pair.other].bytes) {
        return false;
      }
    }
    return true;
  }

private:
  static constexpr size_t maxTensors = 32;

  struct Tensor {
    Element element;
    size_t rank;
    uint64_t alignMask;
    uint64_t bytes;
  };
  /// Of which the first is written.
  struct Pair {
    size_t written, other;
  };
  bool isComparable = false;
  std::vector<Tensor> tensors;
  /// Extent and stride of each axis of each tensor.
  std::vector<int64_t> numbers;
  std::vector<Pair> pairs;
};

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARGUMENTS_PLANNEDTENSORS_H
