// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libnccl.so.2 for the simulated driver: collectives of f32 through host
// memory. All ranks of a group come together at its end, as NCCL's kernels do;
// a call outside of a group would wait for ever there, and is an error here.

#include "runtime/driver/HostFunctions.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace {

using girih::runtime::Driver;
using girih::runtime::HostFunctions;

const Driver &driver() {
  static const Driver opened = *girih::runtime::openDriver();
  return opened;
}
const HostFunctions &functions() {
  static const HostFunctions opened = *girih::runtime::openHostFunctions();
  return opened;
}

enum class Kind { Reduce, Gather, Scatter, Send, Receive };

struct Rank {
  int number = 0, count = 0, device = 0;
};

struct Call {
  Kind kind = Kind::Reduce;
  uint64_t from = 0, to = 0;
  size_t count = 0; ///< of one rank
  int operation = 0, peer = 0;
  Rank *rank = nullptr;
  void *stream = nullptr, *context = nullptr;
};

/// What host functions work on; it lives as long as the process.
struct Job {
  std::vector<Call> calls;
  std::vector<std::vector<float>> in, out;

  void run() {
    for (size_t k = 0; k < calls.size(); ++k) {
      const Call &call = calls[k];
      if (call.kind == Kind::Receive) {
        for (size_t j = 0; j < calls.size(); ++j) {
          if (calls[j].kind == Kind::Send &&
              calls[j].rank->number == call.peer) {
            std::copy(in[j].begin(), in[j].end(), out[k].begin());
          }
        }
      } else if (call.kind == Kind::Gather) {
        auto to = out[k].begin();
        for (const auto &part : in) {
          to = std::copy(part.begin(), part.end(), to);
        }
      } else if (call.kind != Kind::Send) {
        size_t first = call.kind == Kind::Scatter
                           ? static_cast<size_t>(call.rank->number) * call.count
                           : 0;
        for (size_t i = 0; i < call.count; ++i) {
          out[k][i] = reduced(first + i, call.operation);
        }
      }
    }
  }
  float reduced(size_t i, int operation) const {
    float value = in[0][i];
    for (size_t k = 1; k < in.size(); ++k) {
      float next = in[k][i];
      value = operation == 1   ? value * next
              : operation == 2 ? std::max(value, next)
              : operation == 3 ? std::min(value, next)
                               : value + next;
    }
    return operation == 4 ? value / static_cast<float>(in.size()) : value;
  }
};

std::mutex mutex;
std::vector<Job *> &jobs() {
  static auto *all = new std::vector<Job *>; // what is in it is in use
  return *all;
}
thread_local std::vector<Call> group;
thread_local int depth = 0;
std::atomic<int> failing = 0, asyncError = 0, live = 0;

bool fails() { return failing > 0 && --failing == 0; }

/// One stream goes on behind another one; false where that fails.
bool order(const Call &before, const Call &after) {
  void *event = nullptr, *old = nullptr;
  driver().contextPush(before.context);
  bool done =
      driver().eventCreate(&event, girih::runtime::cu::eventDisableTiming) == 0;
  done = done && driver().eventRecord(event, before.stream) == 0;
  driver().contextPop(&old);
  driver().contextPush(after.context);
  done = done && functions().streamWaitEvent(after.stream, event, 0) == 0;
  if (event) {
    driver().eventDestroy(event);
  }
  driver().contextPop(&old);
  return done;
}

int add(Call call) {
  if (fails()) {
    return 1;
  }
  if (depth == 0 || driver().contextGetCurrent(&call.context)) {
    return 5; // ncclInvalidUsage
  }
  int device = -1;
  driver().contextGetDevice(&device);
  if (device != call.rank->device) {
    return 5;
  }
  group.push_back(call);
  return 0;
}

int runGroup(std::vector<Call> calls) {
  if (calls.empty()) {
    return 0;
  }
  std::lock_guard lock(mutex);
  bool pairs = calls[0].kind == Kind::Send || calls[0].kind == Kind::Receive;
  size_t expected = pairs ? 2 : static_cast<size_t>(calls[0].rank->count);
  if (calls.size() != expected) {
    return 5; // the others would be waited for, for ever
  }
  auto *job = new Job{std::move(calls), {}, {}};
  jobs().push_back(job);
  size_t count = job->calls.size();
  job->in.resize(count);
  job->out.resize(count);
  const Call &first = job->calls[0];
  for (size_t k = 0; k < count; ++k) {
    const Call &call = job->calls[k];
    size_t reads = call.kind == Kind::Scatter   ? call.count * count
                   : call.kind == Kind::Receive ? 0
                                                : call.count;
    job->in[k].resize(reads);
    job->out[k].resize(call.kind == Kind::Gather ? call.count * count
                       : call.kind == Kind::Send ? 0
                                                 : call.count);
    if (reads && driver().copyToHostBehind(job->in[k].data(), call.from,
                                           4 * reads, call.stream)) {
      return 1;
    }
    if (k && !order(call, first)) {
      return 1;
    }
  }
  if (functions().launchHostFunction(
          first.stream, [](void *data) { static_cast<Job *>(data)->run(); },
          job)) {
    return 1;
  }
  for (size_t k = 0; k < count; ++k) {
    const Call &call = job->calls[k];
    if (k && !order(first, call)) {
      return 1;
    }
    size_t writes = job->out[k].size();
    if (writes && functions().copyToDeviceBehind(call.to, job->out[k].data(),
                                                 4 * writes, call.stream)) {
      return 1;
    }
  }
  return 0;
}

uint64_t at(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

constexpr int float32 = 7;

} // namespace

extern "C" {

/// The n-th call from now on fails; errors that a communicator finds later;
/// communicators that were not destroyed.
void fakeNcclFail(int n) { failing = n; }
void fakeNcclAsyncError(int error) { asyncError = error; }
int fakeNcclLive() { return live; }

const char *ncclGetErrorString(int error) {
  return error == 1   ? "unhandled cuda error"
         : error == 5 ? "invalid usage"
                      : "another error";
}
int ncclGetVersion(int *version) {
  *version = 22700;
  return 0;
}
int ncclCommInitAll(void **ranks, int count, const int *devices) {
  if (fails()) {
    return 1;
  }
  for (int k = 0; k < count; ++k) {
    ranks[k] = new Rank{k, count, devices[k]};
    ++live;
  }
  return 0;
}
int ncclCommDestroy(void *rank) {
  delete static_cast<Rank *>(rank);
  --live;
  return 0;
}
int ncclCommAbort(void *rank) { return ncclCommDestroy(rank); }
int ncclCommGetAsyncError(void *, int *error) {
  *error = asyncError;
  return 0;
}
int ncclGroupStart() {
  if (fails()) {
    return 1;
  }
  ++depth;
  return 0;
}
int ncclGroupEnd() {
  --depth;
  bool failed = fails();
  std::vector<Call> calls = std::move(group);
  group.clear();
  return failed ? 1 : runGroup(std::move(calls));
}
int ncclAllReduce(const void *from, void *to, size_t count, int type,
                  int operation, void *rank, void *stream) {
  return type != float32
             ? 4
             : add({Kind::Reduce, at(from), at(to), count, operation, 0,
                    static_cast<Rank *>(rank), stream, nullptr});
}
int ncclAllGather(const void *from, void *to, size_t count, int type,
                  void *rank, void *stream) {
  return type != float32 ? 4
                         : add({Kind::Gather, at(from), at(to), count, 0, 0,
                                static_cast<Rank *>(rank), stream, nullptr});
}
int ncclReduceScatter(const void *from, void *to, size_t count, int type,
                      int operation, void *rank, void *stream) {
  return type != float32
             ? 4
             : add({Kind::Scatter, at(from), at(to), count, operation, 0,
                    static_cast<Rank *>(rank), stream, nullptr});
}
int ncclSend(const void *from, size_t count, int type, int peer, void *rank,
             void *stream) {
  return type != float32 ? 4
                         : add({Kind::Send, at(from), 0, count, 0, peer,
                                static_cast<Rank *>(rank), stream, nullptr});
}
int ncclRecv(void *to, size_t count, int type, int peer, void *rank,
             void *stream) {
  return type != float32 ? 4
                         : add({Kind::Receive, 0, at(to), count, 0, peer,
                                static_cast<Rank *>(rank), stream, nullptr});
}

} // extern "C"
