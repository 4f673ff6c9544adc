// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of the simulated driver as those of a program, and what tests of
// launches have in common.

#ifndef GIRIH_TESTS_UNIT_EXECUTION_EMBEDDED_H
#define GIRIH_TESTS_UNIT_EXECUTION_EMBEDDED_H

#include "runtime/girih/runtime.h"
#include "tests/simulated/Artefacts.h"

#include <atomic>

namespace girih::tests {

/// A kernel of simulatedArtefact.
inline Kernel simulatedKernel(const std::string &name,
                              const std::string &words = "") {
  auto files = simulatedArtefact(name, words);
  std::vector<EmbeddedFile> list;
  for (const auto &[path, bytes] : files) {
    list.push_back({path, bytes});
  }
  return Kernel::embedded(list);
}

/// A tensor of rank 1.
inline Tensor<float> tensorOf(const std::vector<float> &elements,
                              const Place &place = {}) {
  return Tensor<float>::copyFrom(
      elements, {static_cast<int64_t>(elements.size())}, place);
}

/// Takes whatever comes, and counts it.
struct Counting {
  using receiver_concept = receiver_t;
  std::atomic<int> *completions;

  template <typename... Values> void set_value(Values &&...) && noexcept {
    ++*completions;
  }
  template <typename Error> void set_error(Error &&) && noexcept {
    ++*completions;
  }
  void set_stopped() && noexcept { ++*completions; }
};

} // namespace girih::tests

#endif // GIRIH_TESTS_UNIT_EXECUTION_EMBEDDED_H
