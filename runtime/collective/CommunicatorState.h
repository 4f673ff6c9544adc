// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a communicator is inside: its ranks, and the order of what they do. All
// ranks have collectives and replays in one order, or each would wait for
// others that wait for it.

#ifndef GIRIH_RUNTIME_COLLECTIVE_COMMUNICATORSTATE_H
#define GIRIH_RUNTIME_COLLECTIVE_COMMUNICATORSTATE_H

#include "runtime/collective/Communicator.h"
#include "runtime/collective/Nccl.h"
#include "runtime/host/States.h"

#include <functional>

namespace girih::detail {

struct CommunicatorState {
  const nccl::Library &library;
  std::vector<Device> devices;
  std::vector<void *> ranks;

  /// Of what is queued: all ranks have it in one order.
  std::mutex mutex;
  std::vector<Stream> streams; ///< whose work may not be done
  /// How many have `note` ask which ones have run.
  static constexpr size_t maxUnasked = 64;
  size_t manyStreams = maxUnasked;
  /// By rank, where the last collective or replay was queued.
  std::vector<std::optional<Stream>> last;
  std::string aborted; ///< why, if it was
  std::vector<std::thread> aborting;
  /// Symmetric memory of ranks that is freed with the communicator.
  std::vector<std::pair<size_t, void *>> left;

  explicit CommunicatorState(const nccl::Library &library) : library(library) {}
  CommunicatorState(const CommunicatorState &) = delete;
  ~CommunicatorState();

  void check(int result, const char *call) const;
  /// What ncclMemAlloc gave a rank, which may be nothing.
  void freeMemory(size_t rank, void *memory) const noexcept;
  /// With the lock, like the others below.
  void note(const Stream &stream);
  /// Makes what is queued next on the streams, one for each of some ranks, run
  /// behind what those ranks do already.
  void order(std::span<const size_t> some, std::span<const Stream> on);
  void requireWorking() const;
  /// Ends what waits for ranks that will not come; there is nothing afterwards.
  void abort(const std::string &why);
  /// Without the lock: waits for streams of all ranks. If one fails, or NCCL
  /// has found an error, the others are aborted; `asError` says what it was.
  using ErrorOfRank =
      std::function<std::exception_ptr(size_t, std::exception_ptr)>;
  /// So are those of `other`, if there is one, which is of the same devices.
  void wait(std::span<const Stream> on, const ErrorOfRank &asError,
            CommunicatorState *other = nullptr);
  /// For what is queued here, and there.
  void waitForLast(CommunicatorState *other);
  /// Throws, and has aborted, what NCCL has found.
  void lookForErrors();
};

} // namespace girih::detail

#endif // GIRIH_RUNTIME_COLLECTIVE_COMMUNICATORSTATE_H
