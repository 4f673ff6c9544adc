// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ledger's side of a graph that is replayed again and again. Most of its
// tensors nobody else uses between two replays: to book each of them at each
// replay would cost a graph of hundreds of them more than all the rest. So a
// replay leaves its stream and ticket here, once for all tensors, and a record
// asks for them when another use comes ("touches" it). The next replay books
// what was touched as a launch would.

#ifndef GIRIH_RUNTIME_HOST_REPLAYUSES_H
#define GIRIH_RUNTIME_HOST_REPLAYUSES_H

#include "runtime/host/Record.h"

#include <optional>
#include <vector>

namespace girih::detail {

class ReplayUses {
public:
  ReplayUses() = default;
  ReplayUses(const ReplayUses &) = delete;
  ReplayUses &operator=(const ReplayUses &) = delete;
  ~ReplayUses() { clear(); }

  /// Takes these tensors in place of none, or throws and has none. Between two
  /// replays; records live until `clear`.
  void reset(std::vector<Access> accesses);
  /// Gives the uses of all replays back to the records.
  void clear() noexcept;

  /// Where a replay waits least.
  Stream stream() const { return streamFor(accesses); }
  bool isEmpty() const { return accesses.empty(); }

  /// Around a replay, as of the functions of these names for a launch; for one
  /// thread at a time.
  void acquire(const Stream &stream);
  void release(const Stream &stream) noexcept;
  void cancel() noexcept;

  /// For a record that is locked: marks its access as touched, and gives the
  /// last use of the replays. None, and no mark, where that is refused while a
  /// replay is on its way.
  std::optional<Use> touch(std::size_t access, bool refused);
  /// Whether a replay is on its way that has not booked this access, which was
  /// touched since it began.
  bool isTouchedMeanwhile(std::size_t access) const;
  /// The stream of the last replay.
  std::shared_ptr<StreamState> lastStream() const;
  /// How many tensors the next replay books.
  std::size_t touchedCount() const;

private:
  mutable SpinLock lock;
  std::vector<Access> accesses;
  Use last;                ///< of all that nobody has touched
  bool isQueueing = false; ///< from acquire to release or cancel
  /// Accesses that were touched since the last replay; first those that the
  /// replay on its way has booked.
  std::vector<std::size_t> touched;
  std::size_t begun = 0;   ///< that it has booked
  std::size_t booking = 0; ///< that it books
  std::vector<std::size_t> ending;
};

} // namespace girih::detail

#endif // GIRIH_RUNTIME_HOST_REPLAYUSES_H
