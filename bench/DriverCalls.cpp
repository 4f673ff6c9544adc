// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of a program that launches graphs, seen from the driver: a
// libcuda.so.1 that calls the one of GIRIH_DRIVER and looks at the clock. A
// program that finds it first (LD_LIBRARY_PATH) says at its end, on stderr, how
// long cuGraphLaunch took and how long it was from one to the next without the
// waits for the device; and what it called in the second half of its launches,
// for each: where nothing is allocated any more, no such call is listed. A
// program that waits for the device in memory gives its turn away meanwhile
// (sched_yield): that is seen where this is preloaded (LD_PRELOAD). On x86-64:
// the other calls are passed on as they are.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

// Of the calls that the runtime looks up DRIVER_CALLS(F) is F(name) of each,
// and DRIVER_PASSED(F) F(name, number) of those that are not timed here.
#include "driver_calls.inc"

namespace {

enum Call : std::uint16_t {
#define NUMBER(name) number_##name,
  DRIVER_CALLS(NUMBER)
#undef NUMBER
      callCount
};

constexpr const char *names[] = {
#define TEXT(name) #name,
    DRIVER_CALLS(TEXT)
#undef TEXT
};

double now() {
  std::timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return double(time.tv_sec) * 1e6 + double(time.tv_nsec) / 1e3;
}

using Counts = std::array<std::uint64_t, callCount>;

} // namespace

extern "C" {
// By number, for the assembler below.
__attribute__((visibility("hidden"))) void *girihReal[callCount];
__attribute__((visibility("hidden"))) std::uint64_t girihCalls[callCount];
}

namespace {

/// One thread launches: what it does between two launches is the host's time.
struct Log {
  std::vector<double> launches, between; ///< microseconds
  std::vector<Counts> counts;            ///< before each launch
  double waited = 0, end = 0;
  /// Behind the last turn that was given away since a launch, or 0.
  double yielded = 0;

  Log() {
    const char *path = std::getenv("GIRIH_DRIVER");
    void *driver = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (!driver) {
      std::fprintf(stderr, "GIRIH_DRIVER names the driver's libcuda.so.1: %s\n",
                   path ? dlerror() : "it is not set");
      std::_Exit(3);
    }
    for (int k = 0; k < callCount; ++k) {
      girihReal[k] = dlsym(driver, names[k]);
    }
    // No memory is taken between launches.
    constexpr std::size_t most = 1 << 16;
    launches.reserve(most);
    between.reserve(most);
    counts.reserve(most);
  }
  /// Until now. Among turns that are given away the time between is waited,
  /// too: thousands of them, so what the clock takes counts as well.
  void waitedFrom(double start, bool isTurn) {
    double end = now();
    waited += end - (yielded == 0 ? start : yielded);
    yielded = yielded == 0 && !isTurn ? 0 : end;
  }
  bool isFull() const { return launches.size() == launches.capacity(); }
  void say() const;
};

Log &logOf() {
  static Log &log = *new Log; // it outlives what ends with the process
  return log;
}
__attribute__((constructor)) void begin() { logOf(); }
__attribute__((destructor)) void end() { logOf().say(); }

void show(const char *what, const std::vector<double> &all) {
  // The first half warms up.
  std::vector<double> some(all.begin() + std::ptrdiff_t(all.size() / 2),
                           all.end());
  if (some.empty()) {
    return;
  }
  std::sort(some.begin(), some.end());
  auto at = [&](double part) {
    return some[std::size_t(part * double(some.size() - 1))];
  };
  std::fprintf(stderr,
               "\"%s\": {\"p10\": %.2f, \"p50\": %.2f, \"p90\": %.2f}, ", what,
               at(0.1), at(0.5), at(0.9));
}

void Log::say() const {
  std::fprintf(stderr, "{\"graph_launches\": %zu, ", launches.size());
  show("cuGraphLaunch_us", launches);
  show("host_between_us", between);
  std::fprintf(stderr, "\"calls_a_launch\": {");
  if (counts.size() > 2) {
    std::size_t half = counts.size() / 2, last = counts.size() - 1;
    const char *comma = "";
    for (std::size_t k = 0; k < callCount; ++k) {
      if (std::uint64_t more = counts[last][k] - counts[half][k]) {
        std::fprintf(stderr, "%s\"%s\": %.3f", comma, names[k],
                     double(more) / double(last - half));
        comma = ", ";
      }
    }
  }
  std::fprintf(stderr, "}}\n");
}

/// Whether this thread has launched a graph.
thread_local bool isLaunching = false;

int waitIn(Call call, void *handle) {
  ++girihCalls[call];
  double start = now();
  int error = reinterpret_cast<int (*)(void *)>(girihReal[call])(handle);
  logOf().waitedFrom(start, /*isTurn=*/false);
  return error;
}

} // namespace

extern "C" {

int cuGraphLaunch(void *graph, void *stream) {
  Log &log = logOf();
  isLaunching = true;
  ++girihCalls[number_cuGraphLaunch];
  double start = now();
  int error = reinterpret_cast<int (*)(void *, void *)>(
      girihReal[number_cuGraphLaunch])(graph, stream);
  double end = now();
  if (!log.isFull()) {
    log.launches.push_back(end - start);
    log.between.push_back(log.end == 0 ? 0 : start - log.end - log.waited);
    Counts &counts = log.counts.emplace_back();
    std::copy(std::begin(girihCalls), std::end(girihCalls), counts.begin());
  }
  log.waited = log.yielded = 0;
  log.end = end;
  return error;
}

/// What is looked at between two turns is part of the wait.
int sched_yield() {
  double start = now();
  auto error = static_cast<int>(syscall(SYS_sched_yield));
  if (isLaunching) {
    logOf().waitedFrom(start, /*isTurn=*/true);
  }
  return error;
}

int cuEventSynchronize(void *event) {
  return waitIn(number_cuEventSynchronize, event);
}
int cuEventQuery(void *event) { return waitIn(number_cuEventQuery, event); }
int cuStreamSynchronize(void *stream) {
  return waitIn(number_cuStreamSynchronize, stream);
}
int cuStreamQuery(void *stream) { return waitIn(number_cuStreamQuery, stream); }

} // extern "C"

// The others, with whatever arguments: they are counted and passed on.
#define PASS_ON(name, number)                                                  \
  __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n"  \
          "  lock incq girihCalls+8*" #number "(%rip)\n"                       \
          "  jmp *girihReal+8*" #number "(%rip)\n");
DRIVER_PASSED(PASS_ON)
