// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulated driver as its own tests call it.

#ifndef GIRIH_TESTS_SIMULATED_MACHINE_H
#define GIRIH_TESTS_SIMULATED_MACHINE_H

#include "runtime/driver/HostFunctions.h"
#include "tests/simulated/Artefacts.h"

namespace girih::tests {

/// Resets the driver and makes the first device's context current.
struct Machine {
  runtime::Driver d = *runtime::openDriver();
  runtime::HostFunctions h = *runtime::openHostFunctions();
  const Simulated &s = simulated();
  void *context = nullptr;

  explicit Machine(uint64_t seed = 1) {
    s.simReset(seed);
    d.primaryContextRetain(&context, 0);
    d.contextSetCurrent(context);
  }
  void *function(const std::string &kernel, const std::string &sizes,
                 const std::string &words = "") {
    void *module = nullptr, *function = nullptr;
    std::string cubin = simulatedCubin(kernel, sizes, words);
    d.moduleLoadData(&module, cubin.data());
    d.moduleGetFunction(&function, module, kernel.c_str());
    return function;
  }
  void *stream(unsigned flags = runtime::cu::streamNonBlocking) {
    void *out = nullptr;
    h.streamCreate(&out, flags);
    return out;
  }
  uint64_t floats(size_t count) {
    uint64_t out = 0;
    d.memoryAllocate(&out, 4 * count);
    return out;
  }
  template <typename... Values>
  int launch(void *function, void *stream, Values... values) {
    void *parameters[] = {&values...};
    return d.launchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters,
                          nullptr);
  }
  int fill(void *function, void *stream, uint64_t z, float value, int64_t n) {
    return launch(function, stream, z, value, n);
  }
  /// `after` goes on when what `before` was given is done.
  void order(void *before, void *after) {
    void *event = nullptr;
    d.eventCreate(&event, runtime::cu::eventDisableTiming);
    d.eventRecord(event, before);
    h.streamWaitEvent(after, event, 0);
    d.eventDestroy(event);
  }
  /// Whether one mistake of a kind was found, and no other.
  bool found(const std::string &kind) const {
    auto errors = s.errors();
    return errors.size() == 1 && errors[0].starts_with(kind + ": ");
  }
};

} // namespace girih::tests

#endif // GIRIH_TESTS_SIMULATED_MACHINE_H
