// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/execution/QueuedOperation.h"
#include "runtime/host/Error.h"

#include <chrono>

namespace girih {

/// Rounds of polling at once: launches that take microseconds end in them.
static constexpr int maxSpins = 200;
/// Between later rounds. Long beside a poll, short beside a frame.
static constexpr std::chrono::microseconds pause(20);

void CompletionLoop::add(Awaited &awaited) {
  {
    std::lock_guard lock(mutex);
    awaited.next = nullptr;
    awaited.previous = last;
    (last ? last->next : first) = &awaited;
    last = &awaited;
    awaited.listed = true;
  }
  changed.notify_all();
}

void CompletionLoop::unlink(Awaited &awaited) {
  (awaited.previous ? awaited.previous->next : first) = awaited.next;
  (awaited.next ? awaited.next->previous : last) = awaited.previous;
  awaited.listed = false;
}

void CompletionLoop::remove(Awaited &awaited) noexcept {
  std::unique_lock lock(mutex);
  if (awaited.listed) {
    unlink(awaited);
  } else if (running == &awaited && runner != std::this_thread::get_id()) {
    changed.wait(lock, [&] { return running != &awaited; });
  }
}

void CompletionLoop::run() {
  std::unique_lock lock(mutex);
  runner = std::this_thread::get_id();
  int rounds = 0;
  while (!finished) {
    Awaited *ready = first;
    while (ready && !ready->poll()) {
      ready = ready->next;
    }
    if (ready) {
      unlink(*ready);
      running = ready;
      lock.unlock();
      ready->complete();
      lock.lock();
      running = nullptr;
      changed.notify_all();
      rounds = 0;
    } else if (!first) {
      changed.wait(lock, [&] { return first || finished; });
      rounds = 0;
    } else {
      lock.unlock();
      if (++rounds < maxSpins) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(pause);
      }
      lock.lock();
    }
  }
}

void CompletionLoop::finish() {
  // Notified with the lock: who runs the loop may destroy it right after.
  std::lock_guard lock(mutex);
  finished = true;
  changed.notify_all();
}

CompletionLoop &CompletionLoop::background() {
  // Neither loop nor thread ends: statics of the program may still wait.
  static CompletionLoop *loop = [] {
    auto *made = new CompletionLoop;
    std::thread([made] { made->run(); }).detach();
    return made;
  }();
  return *loop;
}

std::exception_ptr detail::named(const std::string &name,
                                 std::exception_ptr error) {
  try {
    std::rethrow_exception(std::move(error));
  } catch (const std::exception &why) {
    const auto *ours = dynamic_cast<const RuntimeError *>(&why);
    return std::make_exception_ptr(
        RuntimeError(ours ? ours->code() : 1, name + ": " + why.what()));
  } catch (...) {
    return std::current_exception();
  }
}

void detail::throwStopped() {
  throw RuntimeError(1, "it was stopped before it completed");
}

void detail::throwStarted(const char *what) {
  throw RuntimeError(3, std::string("the ") + what +
                            " was started before, or moved");
}

} // namespace girih
