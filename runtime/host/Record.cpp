// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/ReplayUses.h"

#include <fmt/format.h>

namespace girih::detail {

/// Adds a use, or raises the ticket of its stream.
static void put(std::vector<Use> &uses,
                const std::shared_ptr<StreamState> &stream, uint64_t ticket) {
  for (Use &use : uses) {
    if (use.stream == stream) {
      use.ticket = std::max(use.ticket, ticket);
      return;
    }
  }
  uses.push_back({stream, ticket});
}

static uint64_t allocate(DeviceState &device, StreamState &stream,
                         uint64_t bytes) {
  InContext in(device);
  uint64_t memory = 0;
  int error = functions().memoryAllocateBehind(&memory, bytes, stream.handle);
  if (error == runtime::cu::outOfMemory) {
    throw RuntimeError(1, "cuMemAllocAsync: " + std::to_string(bytes) +
                              " bytes are more than device " +
                              std::to_string(device.ordinal) + " has left; " +
                              std::to_string(device.live.load()) +
                              " are in tensors");
  }
  check(error, "cuMemAllocAsync");
  return memory;
}

Record::Record(std::shared_ptr<StreamState> stream, uint64_t bytes)
    : on(&stream->device), bytes(bytes), last(std::move(stream)) {
  // Before there is memory to lose.
  writers.reserve(1);
  if (bytes == 0) {
    return;
  }
  memory = allocate(*on, *last, bytes);
  // Others wait for the allocation as for a write.
  writers.push_back({last, ++last->ticket});
  ++on->allocations;
  raise(on->peak, on->live += bytes);
  std::lock_guard guard(on->liveMutex);
  enlist();
}

Record::Record(std::shared_ptr<StreamState> stream, uint64_t address,
               uint64_t bytes, ForeignMemory given)
    : on(&stream->device), memory(address), bytes(bytes),
      foreign(std::make_unique<ForeignMemory>(std::move(given))),
      last(std::move(stream)) {
  writers.reserve(1);
  // Whoever filled it counts as a writer.
  writers.push_back({last, ++last->ticket});
  if (bytes == 0) {
    return;
  }
  orderBehindReleased(Stream(last), range());
  std::lock_guard guard(on->liveMutex);
  refuseOverlap();
  enlist();
}

Record::Record(std::shared_ptr<Record> whole)
    : tensor(std::move(whole)), on(tensor->on) {
  writers.reserve(1);
  std::lock_guard guard(tensor->lock);
  tensor->settle(AccessMode::Write);
  writers = tensor->writers;
  writers.reserve(1);
  readers = tensor->readers;
  last = tensor->last;
}

Record::~Record() {
  try {
    if (tensor) {
      tensor->absorb(*this);
    } else if (foreign) {
      delist();
      releaseOwner();
    } else if (memory) {
      delist();
      freeMemory();
      ++on->frees;
      on->live -= bytes;
    }
  } catch (...) {
    // Nothing may be freed that is not known to be out of use: the memory is
    // lost, which the device's accounts show.
    ++on->failedFrees;
    if (foreign) {
      keepForever(std::move(foreign->owner));
    }
  }
}

void Record::freeMemory() {
  for (const std::vector<Use> *uses : {&writers, &readers}) {
    for (const Use &use : *uses) {
      if (!last->isBehind(*use.stream, use.ticket)) {
        last->waitFor(*use.stream);
      }
    }
  }
  InContext in(*on);
  check(functions().memoryFreeBehind(memory, last->handle), "cuMemFreeAsync");
}

/// Where nobody used it since its stream has been waited for, there is nothing
/// to wait for.
void Record::releaseOwner() {
  std::vector<Event> events;
  for (const std::vector<Use> *uses : {&writers, &readers}) {
    for (const Use &use : *uses) {
      if (bytes && use.stream->completed.load() < use.ticket) {
        events.push_back(Stream(use.stream).record());
      }
    }
  }
  releaseBehind(std::move(events), range(), foreign->owner);
}

//===-- What is live -----------------------------------------------------===//

void Record::enlist() {
  nextLive = on->firstLive;
  if (nextLive) {
    nextLive->previousLive = this;
  }
  on->firstLive = this;
}

void Record::delist() noexcept {
  std::lock_guard guard(on->liveMutex);
  if (on->firstLive == this) {
    on->firstLive = nextLive;
  } else if (previousLive) {
    previousLive->nextLive = nextLive;
  }
  if (nextLive) {
    nextLive->previousLive = previousLive;
  }
}

void Record::refuseOverlap() const {
  for (const Record *other = on->firstLive; other; other = other->nextLive) {
    if (!range().meets(other->range()) ||
        (isReadOnly() && other->isReadOnly()) ||
        (other->foreign &&
         runtime::areDisjoint(foreign->layout, memory, other->foreign->layout,
                              other->memory))) {
      continue;
    }
    throw RuntimeError(
        3, fmt::format("foreign memory from {:#x} to {:#x} overlaps a live "
                       "tensor, from {:#x} to {:#x}: nothing would order the "
                       "work of the two",
                       memory, memory + bytes, other->memory,
                       other->memory + other->bytes));
  }
}

//===-- Uses -------------------------------------------------------------===//

void Record::makeRoom(size_t more) {
  size_t needed = readers.size() + begunReads + replays.size() + more;
  if (readers.capacity() < needed) {
    readers.reserve(2 * needed);
  }
}

void Record::absorb(const Record &piece) {
  std::lock_guard guard(lock);
  settle(AccessMode::Write);
  makeRoom(piece.readers.size());
  for (const Use &use : piece.writers) {
    put(writers, use.stream, use.ticket);
  }
  for (const Use &use : piece.readers) {
    put(readers, use.stream, use.ticket);
  }
  last = piece.last;
}

std::shared_ptr<StreamState> Record::lastStream() noexcept {
  std::lock_guard guard(lock);
  for (const Replays &each : replays) {
    if (!each.isTouched) {
      return each.uses->lastStream();
    }
  }
  return last;
}

std::shared_ptr<StreamState> Record::lastWriter() noexcept {
  std::lock_guard guard(lock);
  for (const Replays &each : replays) {
    if (!each.isTouched && each.mode != AccessMode::Read) {
      return each.uses->lastStream();
    }
  }
  return writers.empty() ? last : writers.back().stream;
}

void Record::setLent(bool lent) noexcept {
  std::lock_guard guard(lock);
  settle(AccessMode::Write);
  isLent = lent;
}

void Record::beginRecording(AccessMode mode) noexcept {
  std::lock_guard guard(lock);
  settle(AccessMode::Write);
  ++(mode == AccessMode::Read ? recordedReads : recordedWrites);
}

void Record::endRecording(AccessMode mode) noexcept {
  std::lock_guard guard(lock);
  --(mode == AccessMode::Read ? recordedReads : recordedWrites);
}

void Record::refuseRecorded(AccessMode mode, size_t argument) const {
  if (recordedWrites || (recordedReads && mode != AccessMode::Read)) {
    throw RuntimeError(3, "argument " + std::to_string(argument) + " is " +
                              (recordedWrites ? "written" : "read") +
                              " by a graph that is being recorded, and "
                              "nothing of that has run");
  }
  if (tensor) {
    std::lock_guard guard(tensor->lock);
    tensor->refuseRecorded(mode, argument);
  }
}

void Record::refusePending(AccessMode mode, size_t argument) const {
  const char *reason = nullptr;
  if (isLent) {
    reason = " is out in pieces";
  } else if (pendingWriter) {
    reason = " is being written by another launch";
  } else if (mode != AccessMode::Read && pendingReaders) {
    reason = " is to be written, and another launch reads it";
  }
  if (reason) {
    throw RuntimeError(3, "argument " + std::to_string(argument) + reason);
  }
}

void Record::forgetDone() {
  std::vector<Use> seen;
  {
    std::lock_guard guard(lock);
    if (readers.size() < manyReaders) {
      return;
    }
    seen = readers;
  }
  // The driver is asked without the lock.
  for (const Use &use : seen) {
    if (use.stream->completed.load() < use.ticket) {
      use.stream->look();
    }
  }
  // Streams end with `seen`, behind the lock.
  std::lock_guard guard(lock);
  std::erase_if(readers, [](const Use &use) {
    return use.stream->completed.load() >= use.ticket;
  });
  manyReaders = std::max(maxUnaskedReaders, 2 * readers.size());
}

void Record::begin(StreamState &stream, AccessMode mode, bool checks,
                   size_t argument, std::vector<Use> &waits, ReplayUses *of) {
  if (mode == AccessMode::Read) {
    forgetDone();
  }
  std::lock_guard guard(lock);
  // Most have nothing of all this.
  if (tensor || recordedWrites || recordedReads) {
    refuseRecorded(mode, argument);
  }
  if (checks && (isLent || pendingWriter || pendingReaders)) {
    refusePending(mode, argument);
  }
  if (checks) {
    settleOrRefuse(mode, argument, of);
  } else {
    settle(mode, of);
  }
  auto order = [&](const std::vector<Use> &uses) {
    for (const Use &use : uses) {
      if (use.stream.get() != &stream &&
          !stream.isBehind(*use.stream, use.ticket)) {
        waits.push_back(use);
      }
    }
  };
  order(writers);
  if (mode == AccessMode::Read) {
    makeRoom(1);
  } else {
    order(readers);
  }
  // From here on nothing throws.
  for (Replays &each : replays) {
    if (each.uses == of) {
      each.isCrossed = false;
    }
  }
  begunReads += mode == AccessMode::Read;
  if (checks && mode == AccessMode::Read) {
    ++pendingReaders;
  } else if (checks) {
    pendingWriter = true;
  }
}

void Record::expect(AccessMode mode) {
  std::lock_guard guard(lock);
  if (mode == AccessMode::Read) {
    makeRoom(1);
    ++begunReads;
  }
}

bool Record::end(const std::shared_ptr<StreamState> &stream, uint64_t ticket,
                 AccessMode mode, bool marked, ReplayUses *of) noexcept {
  std::lock_guard guard(lock);
  settle(mode, of);
  add(stream, ticket, mode);
  if (mode == AccessMode::Read) {
    --begunReads;
    pendingReaders -= marked;
  } else {
    pendingWriter = marked ? false : pendingWriter;
  }
  for (Replays &each : replays) {
    if (each.uses == of) {
      each.isTouched = isPiece() || each.isCrossed;
      return each.isTouched;
    }
  }
  return false;
}

void Record::book(const std::shared_ptr<StreamState> &stream, uint64_t ticket,
                  AccessMode mode) noexcept {
  std::lock_guard guard(lock);
  settle(mode);
  add(stream, ticket, mode);
}

void Record::add(const std::shared_ptr<StreamState> &stream, uint64_t ticket,
                 AccessMode mode) noexcept {
  if (mode == AccessMode::Read) {
    put(readers, stream, ticket);
  } else {
    // It was queued behind all others.
    if (writers.size() == 1 && writers.front().stream == stream) {
      writers.front().ticket = ticket;
    } else {
      writers.clear();
      writers.push_back({stream, ticket});
    }
    readers.clear();
  }
  // A copy to another device reads on a stream of that.
  if (last != stream && &stream->device == on) {
    last = stream;
  }
}

void Record::cancel(AccessMode mode, bool marked) noexcept {
  std::lock_guard guard(lock);
  if (mode == AccessMode::Read) {
    --begunReads;
    pendingReaders -= marked;
  } else if (marked) {
    pendingWriter = false;
  }
}

//===-- Replays ----------------------------------------------------------===//

void Record::enter(ReplayUses &uses, size_t access, AccessMode mode) {
  std::lock_guard guard(lock);
  replays.push_back({&uses, access, mode});
}

void Record::leave(ReplayUses &uses) noexcept {
  std::lock_guard guard(lock);
  for (Replays &each : replays) {
    if (each.uses == &uses) {
      settle(each, false);
    }
  }
  std::erase_if(replays,
                [&](const Replays &each) { return each.uses == &uses; });
}

void Record::settle(ReplayUses &uses) noexcept {
  std::lock_guard guard(lock);
  for (Replays &each : replays) {
    if (each.uses == &uses) {
      settle(each, false);
    }
  }
}

static bool areOrdered(AccessMode a, AccessMode b) {
  return a != AccessMode::Read || b != AccessMode::Read;
}

void Record::settle(AccessMode mode, ReplayUses *of) noexcept {
  for (Replays &each : replays) {
    if (each.uses != of && areOrdered(mode, each.mode)) {
      settle(each, false);
    }
  }
}

void Record::settleOrRefuse(AccessMode mode, size_t argument, ReplayUses *of) {
  for (Replays &each : replays) {
    if (each.uses != of && areOrdered(mode, each.mode) && !settle(each, true)) {
      throw RuntimeError(3, "argument " + std::to_string(argument) +
                                (each.mode == AccessMode::Read
                                     ? " is to be written, and another launch "
                                       "reads it"
                                     : " is being written by another launch"));
    }
  }
}

/// False, and nothing done, where that is refused while a replay is on its way.
/// What that has booked is pending; what was touched since then is not, though
/// the replay uses it.
bool Record::settle(Replays &each, bool refused) noexcept {
  if (each.isTouched) {
    if (refused && each.uses->isTouchedMeanwhile(each.access)) {
      return false;
    }
    each.isCrossed = true;
    return true;
  }
  std::optional<Use> used = each.uses->touch(each.access, refused);
  if (!used) {
    return false;
  }
  each.isTouched = true;
  add(used->stream, used->ticket, each.mode);
  return true;
}

} // namespace girih::detail
