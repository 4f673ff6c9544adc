// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pieces of work and the threads that run them: any piece whose predecessors
// are done may be next, and chance says which.

#ifndef GIRIH_TESTS_SIMULATED_WORK_H
#define GIRIH_TESTS_SIMULATED_WORK_H

#include "tests/simulated/Clocks.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

namespace girih::simulated {

struct Backing;
struct Context;

using Lock = std::unique_lock<std::mutex>;

/// One piece of work that was queued.
struct Op {
  Context *context = nullptr;
  std::function<void()> body;
  bool onHost = false; ///< a host function: all run on one thread
  bool gated = false;
  unsigned slow = 0; ///< microseconds that it takes at least
  int faults = 0;    ///< the error that running it is; a body may set it
  /// Memory that it uses: stays, whatever is freed meanwhile.
  std::vector<std::shared_ptr<Backing>> uses;
  /// What the host knows when it runs as a host function.
  Clock hostClock;
  std::function<void()> after; ///< with the lock, when it is done

  int waiting = 0; ///< predecessors that are not done
  std::vector<std::shared_ptr<Op>> successors;
  bool done = false;
  std::chrono::steady_clock::time_point finished;
};

/// Queue and threads. All members need the lock of the state.
class Workers {
public:
  void queue(const std::shared_ptr<Op> &op,
             const std::vector<std::shared_ptr<Op>> &predecessors);
  void wait(Lock &lock, std::shared_ptr<Op> op);
  void waitForAll(Lock &lock);
  void openGates(bool open);
  void seed(uint64_t seed) { random.seed(seed); }

  unsigned delay = 60; ///< longest, in microseconds
  int outstanding = 0, done = 0;
  int failWorkIn = 0, failWorkWith = 0;

private:
  void start();
  void run(bool host);
  void makeReady(const std::shared_ptr<Op> &op);
  void finish(const std::shared_ptr<Op> &op);

  std::vector<std::shared_ptr<Op>> ready, hostReady, atGate;
  std::condition_variable available, hostAvailable, finished;
  std::mt19937_64 random;
  bool started = false, gatesOpen = false;
};

/// Whether this thread runs a host function.
bool isInHostFunction();

} // namespace girih::simulated

#endif // GIRIH_TESTS_SIMULATED_WORK_H
