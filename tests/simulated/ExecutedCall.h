// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of a kernel of the language on the simulated driver, with tensors in
// device memory, each with neighbours that nobody may touch.

#ifndef GIRIH_TESTS_SIMULATED_EXECUTEDCALL_H
#define GIRIH_TESTS_SIMULATED_EXECUTEDCALL_H

#include "tests/simulated/Machine.h"
#include "tests/simulated/Reference.h"

#include <random>

namespace girih::tests {

/// An artefact that sim-artefact wrote of a kernel of the library.
class ExecutedArtefact {
public:
  explicit ExecutedArtefact(const std::string &name);
  ~ExecutedArtefact();
  ExecutedArtefact(const ExecutedArtefact &) = delete;

  std::string path; ///< of the kernel
  girih_kernel *kernel = nullptr;
};

class ExecutedCall {
public:
  /// `symbols` are all of them, `given` those that are neither extents nor
  /// strides. Tensors are packed but for those with strides of their own.
  ExecutedCall(const ExecutedArtefact &artefact,
               std::map<std::string, int64_t> symbols,
               std::vector<std::string> given = {},
               std::map<std::string, double> scalars = {},
               std::map<std::string, std::vector<int64_t>> strides = {});

  /// Fills tensors with numbers, small multiples of 1/64, or integers below a
  /// limit; the same in memory and for the reference.
  void fill(std::mt19937_64 &random, int64_t limit = 1);
  /// Puts integers into a tensor.
  void put(const std::string &name, const std::vector<int32_t> &numbers);
  /// Takes the memory of another call's tensor for one of this.
  void share(const std::string &name, const ExecutedCall &other,
             const std::string &otherName);
  uint64_t address(const std::string &name) const;

  /// Queues it through the runtime; its result.
  int queue(void *stream = nullptr) const;
  /// What each tensor holds in device memory, packed.
  std::map<std::string, std::string> contents() const;
  /// Empty if memory is as the reference executor says, and all other bytes are
  /// as they were; else what differs first.
  std::string difference() const;

private:
  struct Place {
    KernelTensor tensor;
    std::vector<int64_t> strides;
    uint64_t base = 0, address = 0;
    std::string before; ///< all bytes from base on, before the launch
  };
  /// By row-major number, where an element begins behind the base.
  std::vector<size_t> offsets(const Place &place) const;
  std::string packed(const Place &place, const std::string &bytes) const;
  const Place &find(const std::string &name) const;

  const ExecutedArtefact *artefact;
  KernelCall call;
  std::vector<std::string> given;
  std::vector<Place> places;
};

} // namespace girih::tests

#endif // GIRIH_TESTS_SIMULATED_EXECUTEDCALL_H
