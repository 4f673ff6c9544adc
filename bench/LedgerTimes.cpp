// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ledger_times: what the borrow ledger costs a launch, without the launch: all
// that acquire and release do, for launches that follow each other in one
// stream. Prints a line a figure: arguments, mode, nanoseconds, the median of
// many batches. Needs a driver, a simulated one will do: none of its functions
// is in what is timed.

#include "runtime/girih/runtime.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

using namespace girih;

/// Of as many arguments as there are numbers.
template <size_t... numbers>
static double nanoseconds(std::index_sequence<numbers...>) {
  constexpr size_t count = sizeof...(numbers);
  constexpr int batches = 101, launches = 2000;
  Stream stream = Stream::create();
  std::vector<Tensor<float>> tensors;
  for (size_t k = 0; k < count; ++k) {
    tensors.push_back(Tensor<float>::empty({4}, stream));
  }
  std::vector<double> times;
  for (int batch = 0; batch < batches; ++batch) {
    auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < launches; ++n) {
      // As a launch has them: on the stack. The last one is written.
      std::array accesses{accessOf(tensors[numbers],
                                   numbers + 1 == count ? AccessMode::Write
                                                        : AccessMode::Read)...};
      acquire(accesses, stream);
      release(accesses, stream);
    }
    std::chrono::duration<double, std::nano> taken =
        std::chrono::steady_clock::now() - start;
    times.push_back(taken.count() / launches);
  }
  std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
  return times[batches / 2];
}

template <size_t count> static void measure(LedgerMode mode) {
  setLedger(mode);
  std::printf("%zu %s %.1f\n", count,
              mode == LedgerMode::Checks ? "checks" : "orders",
              nanoseconds(std::make_index_sequence<count>()));
}

int main() {
  try {
    for (LedgerMode mode : {LedgerMode::Checks, LedgerMode::Orders}) {
      measure<1>(mode);
      measure<3>(mode);
      measure<10>(mode);
    }
  } catch (const RuntimeError &error) {
    std::fprintf(stderr, "ledger_times: error: %s\n", error.what());
    return error.code();
  }
}
