// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ledger's entry of a tensor or of a piece: its last uses, and its memory.
// A tensor, its copies as Shared and its views have one; each piece of a
// partition has its own, whose uses go to the tensor's when it ends.

#ifndef GIRIH_RUNTIME_HOST_RECORD_H
#define GIRIH_RUNTIME_HOST_RECORD_H

#include "runtime/arguments/Contract.h"
#include "runtime/host/Access.h"
#include "runtime/host/Releases.h"
#include "runtime/host/States.h"

namespace girih::detail {

/// A launch that used a tensor.
struct Use {
  std::shared_ptr<StreamState> stream;
  uint64_t ticket = 0;
};

class ReplayUses;

/// Memory of somebody else's, and how elements lie in it.
struct ForeignMemory {
  runtime::Layout layout;
  bool isReadOnly = false;
  std::shared_ptr<void> owner; ///< kept until all work is done
};

class Record {
public:
  /// Memory from the pool, in the order of a stream. None for no bytes.
  Record(std::shared_ptr<StreamState> stream, uint64_t bytes);
  /// Foreign memory, used behind what is queued on a stream. Refuses what
  /// overlaps a live tensor, unless both are only read.
  Record(std::shared_ptr<StreamState> stream, uint64_t address, uint64_t bytes,
         ForeignMemory foreign);
  /// A piece of a tensor, behind what the tensor was used for.
  explicit Record(std::shared_ptr<Record> tensor);
  Record(const Record &) = delete;
  Record &operator=(const Record &) = delete;
  ~Record();

  DeviceState &device() const noexcept { return *on; }
  uint64_t address() const noexcept { return memory; }
  /// Whether somebody else has the memory, too.
  bool isForeign() const noexcept { return whole()->foreign != nullptr; }
  /// Whether it is foreign memory that nobody here may write.
  bool isReadOnly() const noexcept { return foreign && foreign->isReadOnly; }
  bool isPiece() const noexcept { return tensor != nullptr; }
  /// The same for a tensor and its pieces.
  const Record *whole() const noexcept { return tensor ? tensor.get() : this; }

  /// Where it was used last.
  std::shared_ptr<StreamState> lastStream() noexcept;
  /// Where it was written last, last of all.
  std::shared_ptr<StreamState> lastWriter() noexcept;

  /// Refuses a use that contradicts a pending one, or else marks it as pending,
  /// if asked to; appends what has to be waited for.
  /// Of a replay if `of` is given.
  void begin(StreamState &stream, AccessMode mode, bool checks, size_t argument,
             std::vector<Use> &waits, ReplayUses *of = nullptr);
  /// Says that a use ends some time that does not begin here.
  void expect(AccessMode mode);
  /// Books the use; takes the mark away, if it has one. Of a replay it says
  /// whether the next one has to begin it, too: there was another use
  /// meanwhile, or it is a piece, whose tensor is asked each time.
  bool end(const std::shared_ptr<StreamState> &stream, uint64_t ticket,
           AccessMode mode, bool marked, ReplayUses *of = nullptr) noexcept;
  /// In place of `end`, where nothing was queued.
  void cancel(AccessMode mode, bool marked) noexcept;

  /// From now on replays use it, for which this is the access of that number;
  /// it counts as touched. See ReplayUses.
  void enter(ReplayUses &uses, size_t access, AccessMode mode);
  /// Books what these have used, and forgets them.
  void leave(ReplayUses &uses) noexcept;
  /// Books what these have used so far: they are touched.
  void settle(ReplayUses &uses) noexcept;
  /// Books a use that has not begun here.
  void book(const std::shared_ptr<StreamState> &stream, uint64_t ticket,
            AccessMode mode) noexcept;

  /// Whether pieces of it are out, and it may not be used itself.
  void setLent(bool lent) noexcept;
  /// A graph that is being recorded will use it: what it holds is not what it
  /// will hold then. Refuses all uses until the end that this contradicts.
  void beginRecording(AccessMode mode) noexcept;
  void endRecording(AccessMode mode) noexcept;
  /// Says of a graph whose replays write it that there is one, or not any more.
  void setReplayed(bool replayed) noexcept { replayed ? ++graphs : --graphs; }
  /// Whether replays of a graph write it, whoever else reads it.
  bool replayed() const noexcept { return graphs != 0; }
  /// Says of a graph that has it and has lent it as a result that there is one,
  /// or not any more.
  void setLentByGraph(bool lent) noexcept { lent ? ++lenders : --lenders; }
  /// Graphs that have it and cannot be replayed before it is back.
  unsigned graphsThatLent() const noexcept { return lenders; }

private:
  /// Of a graph whose replays use it.
  struct Replays {
    ReplayUses *uses;
    size_t access;
    AccessMode mode;
    bool isTouched = true;  ///< what they have used is booked
    bool isCrossed = false; ///< by another use, since the last one began
  };

  // With the lock.
  /// Books what replays have used, where a use is ordered with it, but those of
  /// `of`.
  void settle(AccessMode mode, ReplayUses *of = nullptr) noexcept;
  /// The same, and refuses a use that contradicts a replay on its way.
  void settleOrRefuse(AccessMode mode, size_t argument, ReplayUses *of);
  bool settle(Replays &replays, bool refused) noexcept;
  void add(const std::shared_ptr<StreamState> &stream, uint64_t ticket,
           AccessMode mode) noexcept;

  void refuseRecorded(AccessMode mode, size_t argument) const;
  void refusePending(AccessMode mode, size_t argument) const;
  void absorb(const Record &piece);
  void freeMemory();
  void releaseOwner();
  void enlist();
  void delist() noexcept;
  void refuseOverlap() const;
  MemoryRange range() const noexcept { return {memory, memory + bytes}; }

  /// Lets go of readers that have run, once there are many: a tensor that lives
  /// long would keep each stream that ever read it.
  void forgetDone();
  /// For all reads that have begun, and more: `end` must not throw.
  void makeRoom(size_t more);

  SpinLock lock;
  std::shared_ptr<Record> tensor; ///< of a piece
  DeviceState *on;
  uint64_t memory = 0, bytes = 0;
  std::unique_ptr<ForeignMemory> foreign;
  Record *previousLive = nullptr, *nextLive = nullptr; ///< of the device
  /// The launches that wrote it last, more than one where pieces were; then
  /// those that have read it since. One a stream.
  std::vector<Use> writers, readers;
  std::vector<Replays> replays; ///< most tensors have none
  /// More streams than most programs have: below that nobody is asked.
  static constexpr size_t maxUnaskedReaders = 64;
  size_t manyReaders = maxUnaskedReaders; ///< how many have `forgetDone` look
  std::shared_ptr<StreamState> last;
  unsigned begunReads = 0;     ///< or expected, and not ended
  unsigned pendingReaders = 0; ///< of these, with a mark
  unsigned recordedReads = 0, recordedWrites = 0;
  std::atomic<unsigned> graphs{0}, lenders{0};
  bool pendingWriter = false, isLent = false;
};

} // namespace girih::detail

#endif // GIRIH_RUNTIME_HOST_RECORD_H
