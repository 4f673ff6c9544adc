// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/collective/Symmetric.h"

namespace girih::detail {

/// The calls of all ranks as one group, as each waits for the others.
template <typename Call>
void SymmetricMemory::forAll(const char *name, Call call) {
  const CommunicatorState &state = *communicator;
  state.check(state.library.groupStart(), "ncclGroupStart");
  int first = nccl::success;
  for (size_t rank = 0; rank < memory.size(); ++rank) {
    InContext in(state.devices[rank].internal());
    int result = call(rank);
    first = first ? first : result;
  }
  // Whatever happened, or later calls of this thread would be in the group.
  int atEnd = state.library.groupEnd();
  state.check(first, name);
  state.check(atEnd, name);
}

SymmetricMemory::SymmetricMemory(std::shared_ptr<CommunicatorState> of,
                                 size_t bytes)
    : communicator(std::move(of)), memory(communicator->ranks.size()),
      windows(memory.size()) {
  const CommunicatorState &state = *communicator;
  bytes = (bytes + nccl::windowAlignment - 1) / nccl::windowAlignment *
          nccl::windowAlignment;
  try {
    std::lock_guard lock(communicator->mutex);
    state.requireWorking();
    for (size_t rank = 0; rank < memory.size(); ++rank) {
      InContext in(state.devices[rank].internal());
      state.check(state.library.memAlloc(&memory[rank], bytes), "ncclMemAlloc");
    }
    forAll("ncclCommWindowRegister", [&](size_t rank) {
      return state.library.windowRegister(state.ranks[rank], memory[rank],
                                          bytes, &windows[rank],
                                          nccl::symmetric);
    });
  } catch (...) {
    letGo();
    throw;
  }
}

/// What an aborted communicator, or one that cannot let go of its windows, has
/// had goes with it: until then a kernel of it could reach it.
void SymmetricMemory::letGo() noexcept {
  CommunicatorState &state = *communicator;
  std::lock_guard lock(state.mutex);
  bool isFree = state.aborted.empty();
  try {
    if (isFree) {
      forAll("ncclCommWindowDeregister", [&](size_t rank) {
        return windows[rank] ? state.library.windowDeregister(state.ranks[rank],
                                                              windows[rank])
                             : nccl::success;
      });
    }
  } catch (...) {
    isFree = false;
  }
  for (size_t rank = 0; rank < memory.size(); ++rank) {
    if (isFree) {
      state.freeMemory(rank, memory[rank]);
    } else {
      state.left.emplace_back(rank, memory[rank]);
    }
  }
}

} // namespace girih::detail
