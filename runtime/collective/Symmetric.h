// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of all ranks that NCCL knows as a symmetric window: its kernels for
// few bytes read that of the other ranks, without copies between.

#ifndef GIRIH_RUNTIME_COLLECTIVE_SYMMETRIC_H
#define GIRIH_RUNTIME_COLLECTIVE_SYMMETRIC_H

#include "runtime/collective/CommunicatorState.h"

namespace girih::detail {

/// Owns it: tensors in it share one of these. It goes when no rank has a tensor
/// in it any more and what they were used for has run.
class SymmetricMemory {
public:
  /// As many bytes on the device of each rank, not 0. NCCL has windows.
  SymmetricMemory(std::shared_ptr<CommunicatorState> communicator,
                  size_t bytes);
  SymmetricMemory(const SymmetricMemory &) = delete;
  SymmetricMemory &operator=(const SymmetricMemory &) = delete;
  ~SymmetricMemory() { letGo(); }

  void *at(size_t rank) const noexcept { return memory[rank]; }

private:
  void letGo() noexcept;
  /// A call for each rank, as one.
  template <typename Call> void forAll(const char *name, Call call);

  std::shared_ptr<CommunicatorState> communicator;
  std::vector<void *> memory, windows; ///< by rank
};

} // namespace girih::detail

#endif // GIRIH_RUNTIME_COLLECTIVE_SYMMETRIC_H
