// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What devices and streams are inside: the driver's handles, the numbers by
// which work is ordered, and events to use again.

#ifndef GIRIH_RUNTIME_HOST_STATES_H
#define GIRIH_RUNTIME_HOST_STATES_H

#include "runtime/driver/HostFunctions.h"
#include "runtime/host/Error.h"
#include "runtime/host/Stream.h"

#include <atomic>
#include <mutex>
#include <thread>

namespace girih::detail {

class Record;

/// Held for a few instructions; nobody waits for a device with it.
class SpinLock {
public:
  void lock() noexcept {
    for (int turns = 0; flag.test_and_set(std::memory_order_acquire); ++turns) {
      if (turns > maxTurns) {
        std::this_thread::yield();
      }
    }
  }
  void unlock() noexcept { flag.clear(std::memory_order_release); }

private:
  /// About a microsecond: who holds the lock has surely been interrupted.
  static constexpr int maxTurns = 100;
  std::atomic_flag flag;
};

/// The tables of the driver; throw RuntimeError, 77 where there is none.
const runtime::Driver &driver();
const runtime::HostFunctions &functions();

[[noreturn]] void throwError(const runtime::Error &error);
[[noreturn]] void throwFailure(const char *call, int error);
/// Throws what a call of the driver returned, unless it is success.
inline void check(int error, const char *call) {
  if (error) {
    throwFailure(call, error);
  }
}

/// Raises a number that only grows.
inline void raise(std::atomic<uint64_t> &number, uint64_t to) noexcept {
  uint64_t now = number.load(std::memory_order_relaxed);
  while (now < to && !number.compare_exchange_weak(now, to)) {
  }
}

/// A device of which some Device exists; these live as long as the process.
struct DeviceState {
  int ordinal = 0;
  runtime::Device described;
  std::string architecture;
  void *context = nullptr, *pool = nullptr;

  std::atomic<uint64_t> live{0}, peak{0}, allocations{0}, frees{0},
      failedFrees{0};

  std::mutex mutex;
  std::vector<std::shared_ptr<StreamState>> streams;
  size_t nextStream = 0;
  std::vector<void *> events; ///< without times, and not in use

  std::mutex liveMutex;
  Record *firstLive = nullptr; ///< of those that have memory

  /// An event without times, new or used before.
  void *takeEvent();
  void giveEvent(void *event) noexcept;
};

/// Lets a device reach the memory of another one; throws where it cannot.
void openPeer(DeviceState &to, DeviceState &from);

/// Makes the device's context the current one; throws where it cannot.
class InContext {
public:
  explicit InContext(const DeviceState &device);

private:
  runtime::Entered entered;
};

struct StreamState {
  StreamState(DeviceState &device, void *handle, bool isOwned);
  StreamState(const StreamState &) = delete;
  StreamState &operator=(const StreamState &) = delete;
  ~StreamState();

  DeviceState &device;
  void *const handle;
  const bool isOwned;
  const uint64_t id; ///< no other stream of the process has had it

  /// Of the last launch that is queued. It is raised after the launch: what
  /// has this ticket or a lower one is before all that is queued from now on.
  std::atomic<uint64_t> ticket{0};
  /// Launches up to this ticket have run.
  std::atomic<uint64_t> completed{0};

  /// Whether what is queued from now on is behind a launch of that stream.
  bool isBehind(const StreamState &other, uint64_t ticket) noexcept;
  /// Makes it so.
  void waitFor(StreamState &other);
  /// Asks the driver whether all that is queued has run, and raises `completed`
  /// then. Not of a stream of others, which may be gone, and not of one that is
  /// captured: the capture would fail.
  void look() noexcept;

private:
  /// Streams whose number is remembered; a stream that is forgotten is waited
  /// for once more.
  static constexpr size_t maxRemembered = 64;
  SpinLock lock;
  /// By id of another stream, the ticket up to which this one waits for it.
  std::vector<std::pair<uint64_t, uint64_t>> behind;
};

struct EventState {
  EventState(std::shared_ptr<StreamState> stream, Timing timing);
  EventState(const EventState &) = delete;
  EventState &operator=(const EventState &) = delete;
  ~EventState();

  std::shared_ptr<StreamState> stream;
  Timing timing;
  uint64_t ticket = 0; ///< launches up to this one are before it
  void *handle = nullptr;
};

} // namespace girih::detail

#endif // GIRIH_RUNTIME_HOST_STATES_H
