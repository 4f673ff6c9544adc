// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Who waits for work on devices: a list of what is awaited, polled by one
/// thread, which runs what comes after. `syncWait` waits in its own thread; all
/// else is awaited by one thread of the library.
///
/// Events are polled, since the driver's callbacks (cuLaunchHostFunc) are left
/// out after an error: who waits for one would wait for ever.

#ifndef GIRIH_RUNTIME_EXECUTION_COMPLETIONLOOP_H
#define GIRIH_RUNTIME_EXECUTION_COMPLETIONLOOP_H

#include <condition_variable>
#include <mutex>
#include <thread>

namespace girih {

class CompletionLoop {
public:
  /// What is awaited. It is in one loop at most.
  class Awaited {
  public:
    Awaited() = default;
    Awaited(const Awaited &) = delete;
    Awaited &operator=(const Awaited &) = delete;

  protected:
    ~Awaited() = default;

  private:
    friend class CompletionLoop;
    /// Whether `complete` is to be called; called with the loop's lock.
    virtual bool poll() noexcept = 0;
    /// Called once, without the lock; may destroy the object.
    virtual void complete() noexcept = 0;

    Awaited *previous = nullptr, *next = nullptr;
    bool listed = false;
  };

  CompletionLoop() = default;
  CompletionLoop(const CompletionLoop &) = delete;
  CompletionLoop &operator=(const CompletionLoop &) = delete;

  void add(Awaited &awaited);
  /// Afterwards `complete` is not called any more, and has ended unless it is
  /// what calls this.
  void remove(Awaited &awaited) noexcept;

  /// Waits in this thread until `finish`.
  void run();
  void finish();

  /// The loop of a thread of the library, which lives as long as the process.
  static CompletionLoop &background();

private:
  void unlink(Awaited &awaited);

  std::mutex mutex;
  std::condition_variable changed;
  Awaited *first = nullptr, *last = nullptr;
  Awaited *running = nullptr;
  std::thread::id runner;
  bool finished = false;
};

} // namespace girih

#endif // GIRIH_RUNTIME_EXECUTION_COMPLETIONLOOP_H
