// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/run/Time.h"

#include <algorithm>

namespace girih::runtime {

Timing summarize(std::vector<double> microseconds) {
  std::sort(microseconds.begin(), microseconds.end());
  auto at = [&](double part) {
    return microseconds[static_cast<size_t>(
        part * static_cast<double>(microseconds.size() - 1) + 0.5)];
  };
  return {at(0.5), at(0.1), at(0.9), static_cast<int>(microseconds.size())};
}

namespace {

/// Events of one measurement, destroyed with it.
struct Events {
  const Driver &driver;
  std::vector<void *> events;

  ~Events() {
    for (void *event : events) {
      driver.eventDestroy(event);
    }
  }
  std::optional<Error> mark(void *stream) {
    void *event = nullptr;
    if (int error = driver.eventCreate(&event, 0)) {
      return driverFailure(driver, "cuEventCreate", error);
    }
    events.push_back(event);
    if (int error = driver.eventRecord(event, stream)) {
      return driverFailure(driver, "cuEventRecord", error);
    }
    return std::nullopt;
  }
};

} // namespace

/// Microseconds of each of `samples` groups of `repeats` launches.
static Expected<std::vector<double>> measure(const Driver &driver,
                                             KernelLaunch &what, int samples,
                                             int repeats, void *stream) {
  Events events{driver, {}};
  if (auto error = events.mark(stream)) {
    return *error;
  }
  for (int s = 0; s < samples; ++s) {
    for (int r = 0; r < repeats; ++r) {
      if (auto error = launch(driver, what, stream)) {
        return *error;
      }
    }
    if (auto error = events.mark(stream)) {
      return *error;
    }
  }
  if (int error = driver.eventSynchronize(events.events.back())) {
    return driverFailure(driver, "cuEventSynchronize", error);
  }
  std::vector<double> times;
  for (int s = 0; s < samples; ++s) {
    float milliseconds = 0;
    if (int error = driver.eventElapsedTime(&milliseconds, events.events[s],
                                            events.events[s + 1])) {
      return driverFailure(driver, "cuEventElapsedTime", error);
    }
    times.push_back(1000.0 * milliseconds);
  }
  return times;
}

Expected<Timing> timeLaunch(const Driver &driver, KernelLaunch &what,
                            int samples, void *stream) {
  // One measurement covers about two milliseconds, in which the cost of an
  // event vanishes. The first launches warm up.
  constexpr double wanted = 2000;
  Expected<std::vector<double>> first = measure(driver, what, 3, 1, stream);
  if (!first) {
    return first.error();
  }
  double once = std::max(1.0, first->back());
  int repeats = static_cast<int>(std::clamp(wanted / once, 1.0, 500.0));
  Expected<std::vector<double>> times =
      measure(driver, what, samples, repeats, stream);
  if (!times) {
    return times.error();
  }
  for (double &time : *times) {
    time /= repeats;
  }
  return summarize(std::move(*times));
}

} // namespace girih::runtime
