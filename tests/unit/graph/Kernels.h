// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the simulated driver as launches. They are statics,
// which are destroyed when the thread has ended.

#ifndef GIRIH_TESTS_UNIT_GRAPH_KERNELS_H
#define GIRIH_TESTS_UNIT_GRAPH_KERNELS_H

#include "runtime/execution/Kernel.h"
#include "tests/simulated/Artefacts.h"

namespace girih::tests {

inline Kernel kernelOf(const std::map<std::string, std::string> &files) {
  std::vector<EmbeddedFile> list;
  for (const auto &[file, bytes] : files) {
    list.push_back({file, bytes});
  }
  return Kernel::embedded(list);
}

/// A kernel of the simulated driver; `words` as for simulatedArtefact.
inline Kernel simulatedKernel(const std::string &name,
                              const std::string &words = "") {
  return kernelOf(simulatedArtefact(name, words));
}

inline Tensor<float> tensor(const std::vector<float> &elements) {
  return Tensor<float>::copyFrom(elements,
                                 {static_cast<int64_t>(elements.size())});
}
inline Tensor<float> empty(int64_t count = 4) {
  return Tensor<float>::empty({count});
}

/// z = x + y.
template <typename X, typename Y, typename Z> auto add(X x, Y y, Z z) {
  static const Kernel kernel = simulatedKernel("add");
  return kernel.launch({}, std::move(x), std::move(y), std::move(z));
}
/// z = value.
template <typename Z> auto fill(double value, Z z) {
  static const Kernel kernel = simulatedKernel("fill");
  return kernel.launch({{"value", value}}, std::move(z));
}
/// y += alpha x.
template <typename X, typename Y> auto axpy(double alpha, X x, Y y) {
  static const Kernel kernel = simulatedKernel("axpy");
  return kernel.launch({{"alpha", alpha}}, std::move(x), std::move(y));
}
/// x *= alpha.
template <typename X> auto scale(double alpha, X x) {
  static const Kernel kernel = simulatedKernel("scale");
  return kernel.launch({{"alpha", alpha}}, std::move(x));
}

} // namespace girih::tests

#endif // GIRIH_TESTS_UNIT_GRAPH_KERNELS_H
