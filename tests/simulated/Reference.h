// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference executor, called directly on the file of a kernel: what a
// launch on the simulated driver is compared with. Knows nothing of the
// runtime, whose names are those of the executor's library.

#ifndef GIRIH_TESTS_SIMULATED_REFERENCE_H
#define GIRIH_TESTS_SIMULATED_REFERENCE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace girih::tests {

struct KernelTensor {
  std::string name, element, mode;
  std::vector<int64_t> extents;
  size_t bytes = 0; ///< of an element
};

struct KernelCall {
  std::string path;
  std::map<std::string, int64_t> symbols; ///< all of them
  std::map<std::string, double> scalars;
};

/// The tensors of a call, in the order of the arguments.
std::vector<KernelTensor> tensorsOf(const KernelCall &call);

/// Runs the kernel on dense tensors: the bytes of each, by name, at the end.
/// Throws where the executor finds a fault or refuses the launch.
std::map<std::string, std::string>
executeDirectly(const KernelCall &call,
                const std::map<std::string, std::string> &contents);

} // namespace girih::tests

#endif // GIRIH_TESTS_SIMULATED_REFERENCE_H
