// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long recording takes: put before a file of kernels (`-include`), it times
// them where proofs/kernels/Library.h writes them. `PROGRAM ROUNDS` prints for
// each kernel the median of its CPU times, in microseconds, as JSON.

#ifndef GIRIH_PROOFS_KERNELS_LIBRARY_H
#define GIRIH_PROOFS_KERNELS_LIBRARY_H

#include "girih/kernel.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace girih::kernel::library {

struct Entry {
  const char *name;
  recorder::File (*record)(Place, const char *name);
};

inline double microseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * double(now.tv_sec) + 1e-3 * double(now.tv_nsec);
}

inline int writeAll(int argc, char **argv, std::initializer_list<Entry> all) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s ROUNDS\n", argv[0]);
    return 3;
  }
  const char *separator = "{";
  for (const Entry &entry : all) {
    std::vector<double> times;
    for (int k = 0; k < std::max(1, std::atoi(argv[1])); ++k) {
      double before = microseconds();
      recorder::File file = entry.record(Place::current(), entry.name);
      times.push_back(microseconds() - before);
      if (file.text.empty()) {
        return 1;
      }
    }
    double first = times[0];
    std::nth_element(times.begin(), times.begin() + times.size() / 2,
                     times.end());
    std::printf("%s\"%s\": {\"first\": %.1f, \"median\": %.1f}", separator,
                entry.name, first, times[times.size() / 2]);
    separator = ", ";
  }
  std::printf("}\n");
  return 0;
}

} // namespace girih::kernel::library

#endif // GIRIH_PROOFS_KERNELS_LIBRARY_H
