// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arguments/PlannedTensors.h"

namespace girih::runtime {

PlannedTensors::PlannedTensors(const Manifest &manifest,
                               const LaunchPlan &plan) {
  std::vector<bool> written;
  for (size_t i = 0; i < manifest.arguments.size(); ++i) {
    const Argument &argument = manifest.arguments[i];
    if (!argument.isTensor) {
      continue;
    }
    const Layout &layout = plan.layouts[i];
    Wide bytes = bytesOf<Wide>(layout.element, layout.span());
    // An empty tensor needs no address: it is not compared here.
    if (bytes <= 0 || bytes >= Wide(1) << 63 || tensors.size() == maxTensors) {
      return;
    }
    // An alignment is a power of two, by the reader of manifests.
    tensors.push_back({argument.element, layout.extents.size(),
                       static_cast<uint64_t>(argument.align) - 1,
                       static_cast<uint64_t>(bytes)});
    for (size_t axis = 0; axis < layout.extents.size(); ++axis) {
      numbers.push_back(layout.extents[axis]);
      numbers.push_back(layout.strides[axis]);
    }
    written.push_back(argument.mode != Mode::Shared);
  }
  for (size_t k = 0; k < tensors.size(); ++k) {
    for (size_t j = 0; j < tensors.size(); ++j) {
      // Of two written tensors the pair is compared once.
      if (written[k] && j != k && !(written[j] && j < k)) {
        pairs.push_back({k, j});
      }
    }
  }
  isComparable = true;
}

} // namespace girih::runtime
