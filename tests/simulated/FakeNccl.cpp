// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libnccl.so.2 for the simulated driver: sums and the like of f32, copies of
// any elements. All ranks of a group come together at its end, as NCCL's
// kernels do; a call outside of a group would wait for ever there, and is an
// error here. What is queued goes through host memory. What is captured is a
// kernel of each rank that waits for those of the others, as it runs: the n-th
// of one rank meets the n-th of each other one.

#include "runtime/driver/HostFunctions.h"
#include "tests/unit/runtime/CubinFile.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
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

struct Call;

/// What one rank brings to a collective, and where it gets the result.
struct Part {
  const Call *call = nullptr;
  const char *in = nullptr;
  char *out = nullptr;
};

/// Where captured collectives of a communicator come together.
struct Meeting {
  struct Round {
    std::vector<Part> parts;
    size_t arrived = 0, left = 0;
    bool isDone = false;
  };
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<size_t> begun; ///< by rank
  std::map<size_t, Round> rounds;
  bool isOver = false; ///< aborted, or what came does not fit
};

struct Rank {
  int number = 0, count = 0, device = 0;
  std::shared_ptr<Meeting> meeting;
  void *context = nullptr, *module = nullptr, *function = nullptr;
};

struct Call {
  Kind kind = Kind::Reduce;
  uint64_t from = 0, to = 0;
  size_t count = 0; ///< of one rank
  size_t bytes = 4; ///< of an element
  int operation = 0, peer = 0;
  Rank *rank = nullptr;
  void *stream = nullptr, *context = nullptr;
  int number = 0; ///< of the rank, which may be gone
  std::shared_ptr<Meeting> meeting;

  size_t ranks() const { return meeting->begun.size(); }
  size_t reads() const {
    return kind == Kind::Receive
               ? 0
               : bytes * count * (kind == Kind::Scatter ? ranks() : 1);
  }
  size_t writes() const {
    return kind == Kind::Send
               ? 0
               : bytes * count * (kind == Kind::Gather ? ranks() : 1);
  }
};

float reduced(const std::vector<Part> &parts, size_t i) {
  auto at = [&](const Part &part) {
    float value = 0;
    std::memcpy(&value, part.in + 4 * i, 4);
    return value;
  };
  int operation = parts[0].call->operation;
  float value = at(parts[0]);
  for (size_t k = 1; k < parts.size(); ++k) {
    float next = at(parts[k]);
    value = operation == 1   ? value * next
            : operation == 2 ? std::max(value, next)
            : operation == 3 ? std::min(value, next)
                             : value + next;
  }
  return operation == 4 ? value / static_cast<float>(parts.size()) : value;
}

std::vector<char> resultOf(const std::vector<Part> &parts, const Call &call) {
  std::vector<char> out;
  if (call.kind == Kind::Send) {
    return out;
  }
  if (call.kind == Kind::Receive || call.kind == Kind::Gather) {
    for (const Part &part : parts) {
      if (call.kind == Kind::Gather ||
          (part.call->kind == Kind::Send && part.call->number == call.peer)) {
        out.insert(out.end(), part.in, part.in + part.call->reads());
      }
    }
    return out;
  }
  size_t first = call.kind == Kind::Scatter
                     ? static_cast<size_t>(call.number) * call.count
                     : 0;
  out.resize(4 * call.count);
  for (size_t i = 0; i < call.count; ++i) {
    float value = reduced(parts, first + i);
    std::memcpy(out.data() + 4 * i, &value, 4);
  }
  return out;
}

/// Parts in the order of ranks; results may lie where they are read.
void combine(const std::vector<Part> &parts) {
  std::vector<std::vector<char>> results;
  for (const Part &part : parts) {
    results.push_back(resultOf(parts, *part.call));
  }
  for (size_t k = 0; k < parts.size(); ++k) {
    std::copy(results[k].begin(), results[k].end(), parts[k].out);
  }
}

std::atomic<int> failing = 0, asyncError = 0, live = 0;
/// NCCL_GRAPH_MIXING_SUPPORT as the last communicator has found it, or -1.
std::atomic<int> mixing = -1;

/// Symmetric memory: what ncclMemAlloc gave, and the windows in it.
struct Window {
  uint64_t begin = 0, end = 0;
  Rank *rank = nullptr;
};
std::mutex windowsMutex;
std::map<uint64_t, size_t> allocated;
std::vector<std::unique_ptr<Window>> windows;
std::atomic<int> symmetricCalls = 0;

bool isIn(const Window &window, const Rank *rank, uint64_t from, size_t bytes) {
  return window.rank == rank && window.begin <= from &&
         from + bytes <= window.end;
}

/// ncclInternalError, ncclInvalidUsage
constexpr int internalError = 3, invalidUsage = 5;

bool areOne(const std::vector<Part> &parts) {
  return std::all_of(parts.begin(), parts.end(), [&](const Part &part) {
    const Call &a = *part.call, &b = *parts[0].call;
    return a.kind == b.kind && a.count == b.count && a.bytes == b.bytes &&
           a.operation == b.operation;
  });
}

/// The captured kernel of one rank. Where ranks bring different calls, or do
/// not come, the communicator is at its end: nobody gets anything, and there is
/// an error for who asks.
void meet(void *data, const char *in, char *out) {
  const Call &call = *static_cast<const Call *>(data);
  Meeting &meeting = *call.meeting;
  std::unique_lock lock(meeting.mutex);
  auto rank = static_cast<size_t>(call.number);
  size_t number = meeting.begun[rank]++;
  Meeting::Round &round = meeting.rounds[number];
  round.parts.resize(call.ranks());
  round.parts[rank] = {&call, in, out};
  bool isLast = ++round.arrived == call.ranks();
  if (isLast && !meeting.isOver && areOne(round.parts)) {
    combine(round.parts);
    round.isDone = true;
  } else if (isLast ||
             !meeting.changed.wait_for(lock, std::chrono::seconds(60), [&] {
               return round.isDone || meeting.isOver;
             })) {
    asyncError = meeting.isOver ? asyncError.load() : internalError;
    meeting.isOver = true;
  }
  meeting.changed.notify_all();
  if (++round.left == call.ranks()) {
    meeting.rounds.erase(number);
  }
}

/// What host functions work on; it lives as long as the process.
struct Job {
  std::vector<Call> calls;
  std::vector<std::vector<char>> in, out;

  void run() {
    std::vector<Part> parts;
    for (size_t k = 0; k < calls.size(); ++k) {
      parts.push_back({&calls[k], in[k].data(), out[k].data()});
    }
    combine(parts);
  }
};

std::mutex mutex;
std::vector<Job *> &jobs() {
  static auto *all = new std::vector<Job *>; // what is in it is in use
  return *all;
}
thread_local std::vector<Call> group;
thread_local int depth = 0;

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

/// Bytes of an element of ncclDataType_t.
size_t bytesOf(int type) {
  constexpr size_t all[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return all[type];
}

int add(Kind kind, const void *from, const void *to, size_t count, int type,
        void *rank, void *stream, int operation, int peer) {
  if (fails()) {
    return 1;
  }
  Call call;
  call.kind = kind;
  call.from = reinterpret_cast<uint64_t>(from);
  call.to = reinterpret_cast<uint64_t>(to);
  call.count = count;
  call.bytes = bytesOf(type);
  call.operation = operation;
  call.peer = peer;
  call.rank = static_cast<Rank *>(rank);
  call.stream = stream;
  if (depth == 0 || driver().contextGetCurrent(&call.context)) {
    return invalidUsage;
  }
  int device = -1;
  driver().contextGetDevice(&device);
  if (device != call.rank->device) {
    return invalidUsage;
  }
  call.number = call.rank->number;
  call.meeting = call.rank->meeting;
  {
    std::lock_guard lock(windowsMutex);
    auto isSymmetric = [&](uint64_t at, size_t bytes) {
      return std::ranges::any_of(windows, [&](const auto &window) {
        return isIn(*window, call.rank, at, bytes);
      });
    };
    symmetricCalls += isSymmetric(call.from, call.reads()) &&
                      isSymmetric(call.to, call.writes());
  }
  group.push_back(call);
  return 0;
}

/// Puts the kernel of a rank on its stream, which is captured.
int launch(Call &call) {
  const Driver &d = driver();
  Rank &rank = *call.rank;
  void *old = nullptr;
  d.contextPush(call.context);
  int error = 0;
  if (!rank.function) {
    rank.context = call.context;
    std::string cubin =
        girih::tests::cubinFile("fake 8 8 8 8 8 8 ; call", 6, {"call"});
    error = d.moduleLoadData(&rank.module, cubin.data());
    error = error ? error
                  : d.moduleGetFunction(&rank.function, rank.module, "call");
  }
  bool isInPlace = call.from == call.to;
  uint64_t reads = isInPlace ? 0 : call.reads(), writes = call.writes();
  void *function = reinterpret_cast<void *>(meet), *data = &call;
  void *parameters[] = {&call.from, &call.to,  &reads,
                        &writes,    &function, &data};
  error = error ? error
                : d.launchKernel(rank.function, 1, 1, 1, 1, 1, 1, 0,
                                 call.stream, parameters, nullptr);
  d.contextPop(&old);
  return error ? 1 : 0;
}

/// Whether all are captured; none where only some are.
std::optional<bool> areCaptured(const std::vector<Call> &calls) {
  int some = 0;
  for (const Call &call : calls) {
    int status = 0;
    void *old = nullptr;
    driver().contextPush(call.context);
    driver().streamIsCapturing(call.stream, &status);
    driver().contextPop(&old);
    some += status != 0;
  }
  return some == 0                                   ? std::optional(false)
         : static_cast<size_t>(some) == calls.size() ? std::optional(true)
                                                     : std::nullopt;
}

int runGroup(std::vector<Call> calls) {
  if (calls.empty()) {
    return 0;
  }
  std::lock_guard lock(mutex);
  bool pairs = calls[0].kind == Kind::Send || calls[0].kind == Kind::Receive;
  size_t expected = pairs ? 2 : static_cast<size_t>(calls[0].rank->count);
  if (calls.size() != expected) {
    return invalidUsage; // the others would be waited for, for ever
  }
  std::optional<bool> captured = areCaptured(calls);
  if (!captured || (*captured && pairs)) {
    return invalidUsage;
  }
  auto *job = new Job{std::move(calls), {}, {}};
  jobs().push_back(job);
  size_t count = job->calls.size();
  if (*captured) {
    int error = 0;
    for (Call &call : job->calls) {
      error = error ? error : launch(call);
    }
    return error;
  }
  job->in.resize(count);
  job->out.resize(count);
  const Call &first = job->calls[0];
  for (size_t k = 0; k < count; ++k) {
    const Call &call = job->calls[k];
    size_t reads = call.reads();
    job->in[k].resize(reads);
    job->out[k].resize(call.writes());
    if (reads && driver().copyToHostBehind(job->in[k].data(), call.from, reads,
                                           call.stream)) {
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
                                                 writes, call.stream)) {
      return 1;
    }
  }
  return 0;
}

constexpr int float32 = 7;

} // namespace

extern "C" {

/// The n-th call from now on fails, and how many are left to it; errors that a
/// communicator finds later; communicators that were not destroyed.
void fakeNcclFail(int n) { failing = n; }
void fakeNcclAsyncError(int error) { asyncError = error; }
int fakeNcclCallsToFailure() { return failing; }
int fakeNcclMixing() { return mixing; }
int fakeNcclLive() { return live; }
/// Calls of ranks whose tensors all lie in windows; windows, and pieces of
/// symmetric memory that are not freed.
int fakeNcclSymmetricCalls() { return symmetricCalls; }
int fakeNcclWindows() {
  std::lock_guard lock(windowsMutex);
  return static_cast<int>(windows.size());
}
int fakeNcclAllocated() {
  std::lock_guard lock(windowsMutex);
  return static_cast<int>(allocated.size());
}

const char *ncclGetErrorString(int error) {
  return error == 1              ? "unhandled cuda error"
         : error == invalidUsage ? "invalid usage"
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
  const char *set = std::getenv("NCCL_GRAPH_MIXING_SUPPORT");
  mixing = set ? std::atoi(set) : -1;
  if (std::getenv("FAKE_NCCL_SAYS")) {
    std::fprintf(stderr, "NCCL_GRAPH_MIXING_SUPPORT %d\n", mixing.load());
  }
  auto meeting = std::make_shared<Meeting>();
  meeting->begun.resize(static_cast<size_t>(count));
  for (int k = 0; k < count; ++k) {
    auto *rank = new Rank;
    rank->number = k;
    rank->count = count;
    rank->device = devices[k];
    rank->meeting = meeting;
    ranks[k] = rank;
    ++live;
  }
  return 0;
}
int ncclCommDestroy(void *handle) {
  auto *rank = static_cast<Rank *>(handle);
  {
    std::lock_guard lock(windowsMutex);
    std::erase_if(windows, [&](const auto &w) { return w->rank == rank; });
  }
  if (rank->module) {
    void *old = nullptr;
    driver().contextPush(rank->context);
    driver().moduleUnload(rank->module);
    driver().contextPop(&old);
  }
  delete rank;
  --live;
  return 0;
}
int ncclCommAbort(void *handle) {
  Meeting &meeting = *static_cast<Rank *>(handle)->meeting;
  {
    std::lock_guard lock(meeting.mutex);
    meeting.isOver = true;
  }
  meeting.changed.notify_all();
  return ncclCommDestroy(handle);
}
#ifndef GIRIH_OLD_NCCL
int ncclMemAlloc(void **memory, size_t bytes) {
  uint64_t at = 0;
  if (fails() || driver().memoryAllocate(&at, bytes)) {
    return 1;
  }
  std::lock_guard lock(windowsMutex);
  allocated[at] = bytes;
  *memory = reinterpret_cast<void *>(at);
  return 0;
}
int ncclMemFree(void *memory) {
  auto at = reinterpret_cast<uint64_t>(memory);
  std::lock_guard lock(windowsMutex);
  if (std::ranges::any_of(windows,
                          [&](const auto &w) { return w->begin == at; }) ||
      !allocated.erase(at)) {
    return invalidUsage;
  }
  return driver().memoryFree(at) ? 1 : 0;
}
int ncclCommWindowRegister(void *rank, void *memory, size_t bytes,
                           void **window, int flags) {
  auto at = reinterpret_cast<uint64_t>(memory);
  std::lock_guard lock(windowsMutex);
  auto found = allocated.find(at);
  if (depth == 0 || flags != 1 || bytes % 4096 != 0 ||
      found == allocated.end() || found->second < bytes) {
    return invalidUsage;
  }
  if (fails()) {
    return 1;
  }
  windows.push_back(std::make_unique<Window>(
      Window{at, at + bytes, static_cast<Rank *>(rank)}));
  *window = windows.back().get();
  return 0;
}
int ncclCommWindowDeregister(void *rank, void *window) {
  std::lock_guard lock(windowsMutex);
  if (fails()) {
    return 1;
  }
  return std::erase_if(windows,
                       [&](const auto &w) {
                         return w.get() == window && w->rank == rank;
                       })
             ? 0
             : invalidUsage;
}
#endif
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
  return type != float32 ? 4
                         : add(Kind::Reduce, from, to, count, type, rank,
                               stream, operation, 0);
}
int ncclAllGather(const void *from, void *to, size_t count, int type,
                  void *rank, void *stream) {
  return add(Kind::Gather, from, to, count, type, rank, stream, 0, 0);
}
int ncclReduceScatter(const void *from, void *to, size_t count, int type,
                      int operation, void *rank, void *stream) {
  return type != float32 ? 4
                         : add(Kind::Scatter, from, to, count, type, rank,
                               stream, operation, 0);
}
int ncclSend(const void *from, size_t count, int type, int peer, void *rank,
             void *stream) {
  return add(Kind::Send, from, nullptr, count, type, rank, stream, 0, peer);
}
int ncclRecv(void *to, size_t count, int type, int peer, void *rank,
             void *stream) {
  return add(Kind::Receive, nullptr, to, count, type, rank, stream, 0, peer);
}

} // extern "C"
