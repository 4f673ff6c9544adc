// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Releases.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace girih::detail {

namespace {

/// Between looks at what is in flight.
constexpr std::chrono::microseconds pause(50);
/// Errors of one event in a row that are those of a lost context, in which
/// nothing runs any more.
constexpr int maxErrors = 16;

struct Release {
  std::vector<Event> events;
  MemoryRange memory;
  std::shared_ptr<void> owner;
  int errors = 0;

  bool isDone() noexcept {
    try {
      std::erase_if(events, [](const Event &event) { return event.query(); });
      errors = 0;
    } catch (...) {
      if (++errors >= maxErrors) {
        events.clear();
      }
    }
    return events.empty();
  }
};

class Releases {
public:
  void add(Release release) {
    std::lock_guard lock(mutex);
    pending.push_back(std::move(release));
    if (!started) {
      // It does not end: statics of the program may have owners.
      std::thread([this] { run(); }).detach();
      started = true;
    }
    changed.notify_one();
  }
  void order(const Stream &stream, const MemoryRange &memory) {
    std::lock_guard lock(mutex);
    for (const Release &release : pending) {
      if (release.memory.meets(memory)) {
        for (const Event &event : release.events) {
          stream.wait(event);
        }
      }
    }
  }
  void keep(std::shared_ptr<void> owner) noexcept {
    std::lock_guard lock(mutex);
    kept.push_back(std::move(owner));
  }

private:
  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return !pending.empty(); });
      std::vector<Release> done;
      for (size_t k = pending.size(); k-- > 0;) {
        if (pending[k].isDone()) {
          done.push_back(std::move(pending[k]));
          pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(k));
        }
      }
      lock.unlock();
      // Whatever an owner does, it does without the lock.
      if (done.empty()) {
        std::this_thread::sleep_for(pause);
      }
      done.clear();
      lock.lock();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Release> pending;
  std::vector<std::shared_ptr<void>> kept;
  bool started = false;
};

Releases &releases() {
  // Not destroyed, like its thread.
  static auto *all = new Releases;
  return *all;
}

} // namespace

void releaseBehind(std::vector<Event> events, MemoryRange memory,
                   std::shared_ptr<void> owner) {
  Release release{std::move(events), memory, std::move(owner)};
  if (!release.isDone()) {
    releases().add(std::move(release));
  }
}

void keepForever(std::shared_ptr<void> owner) noexcept {
  releases().keep(std::move(owner));
}

void orderBehindReleased(const Stream &stream, MemoryRange memory) {
  releases().order(stream, memory);
}

} // namespace girih::detail
