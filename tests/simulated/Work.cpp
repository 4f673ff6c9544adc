// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulated/Work.h"

#include "tests/simulated/State.h"

#include <thread>

namespace girih::simulated {

/// How many pieces of work run at once.
static constexpr int threads = 6;

static thread_local bool inHostFunction = false;

bool isInHostFunction() { return inHostFunction; }

void Workers::start() {
  started = true;
  for (int k = 0; k < threads; ++k) {
    std::thread([this] { run(false); }).detach();
  }
  std::thread([this] { run(true); }).detach();
}

void Workers::makeReady(const std::shared_ptr<Op> &op) {
  if (op->gated && !gatesOpen) {
    atGate.push_back(op);
  } else if (op->onHost) {
    hostReady.push_back(op);
    hostAvailable.notify_one();
  } else {
    ready.push_back(op);
    available.notify_one();
  }
}

void Workers::openGates(bool open) {
  gatesOpen = open;
  if (open) {
    for (const std::shared_ptr<Op> &op : std::exchange(atGate, {})) {
      makeReady(op);
    }
  }
}

void Workers::queue(const std::shared_ptr<Op> &op,
                    const std::vector<std::shared_ptr<Op>> &predecessors) {
  if (!started) {
    start();
  }
  ++outstanding;
  for (const std::shared_ptr<Op> &before : predecessors) {
    if (before && !before->done) {
      before->successors.push_back(op);
      ++op->waiting;
    }
  }
  if (op->waiting == 0) {
    makeReady(op);
  }
}

void Workers::run(bool host) {
  Lock lock(state().mutex);
  inHostFunction = host;
  std::vector<std::shared_ptr<Op>> &from = host ? hostReady : ready;
  for (;;) {
    (host ? hostAvailable : available).wait(lock, [&] {
      return !from.empty();
    });
    std::swap(from[random() % from.size()], from.back());
    std::shared_ptr<Op> op = std::move(from.back());
    from.pop_back();
    unsigned pause = op->slow;
    if (op->body && delay && random() % 3 == 0) {
      pause += static_cast<unsigned>(random() % delay);
    }
    if (op->body && failWorkIn > 0 && --failWorkIn == 0) {
      op->faults = failWorkWith;
    }
    // Work behind an error does not run.
    auto poison = [&] {
      if (op->faults && !op->context->sticky) {
        op->context->sticky = op->faults;
      }
    };
    poison();
    if (op->onHost && !op->context->sticky) {
      state().host.join(op->hostClock);
    }
    if (op->body && !op->context->sticky) {
      lock.unlock();
      if (pause) {
        std::this_thread::sleep_for(std::chrono::microseconds(pause));
      }
      op->body();
      lock.lock();
      poison();
    }
    finish(op);
  }
}

void Workers::finish(const std::shared_ptr<Op> &op) {
  op->done = true;
  op->finished = std::chrono::steady_clock::now();
  --outstanding;
  done += op->body ? 1 : 0;
  if (op->after) {
    op->after();
  }
  op->body = nullptr;
  op->after = nullptr;
  op->uses.clear();
  for (const std::shared_ptr<Op> &next : std::exchange(op->successors, {})) {
    if (--next->waiting == 0) {
      makeReady(next);
    }
  }
  finished.notify_all();
}

// By value: while it waits, others give the stream more work.
void Workers::wait(Lock &lock, std::shared_ptr<Op> op) {
  if (op) {
    finished.wait(lock, [&] { return op->done; });
  }
}

void Workers::waitForAll(Lock &lock) {
  finished.wait(lock, [&] { return outstanding == 0; });
}

} // namespace girih::simulated
