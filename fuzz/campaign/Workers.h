// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many small jobs in child processes, so that one that crashes or hangs is
// known by its number and the others go on.

#ifndef GIRIH_FUZZ_CAMPAIGN_WORKERS_H
#define GIRIH_FUZZ_CAMPAIGN_WORKERS_H

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace girih::fuzz {

/// One job, by number; what it returns (one line) comes back to the parent.
using Job = std::function<std::string(size_t)>;

struct Death {
  size_t job = 0;
  int signal = 0;
  bool hung = false; ///< it used more processor time than it may
};

struct WorkersResult {
  std::vector<std::string> lines; ///< by job; empty where one died or never began
  std::vector<Death> deaths;
  std::string error; ///< not empty: no children, no pipes
};

/// Runs jobs 0 to count - 1 in `workers` processes. `start` is called in each
/// of them and makes what runs a job; call this while no other thread runs. An
/// interrupt (SIGINT) ends it early: jobs that were begun are finished.
WorkersResult runJobs(size_t count, unsigned workers, double secondsPerJob,
                      const std::function<Job()> &start);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_CAMPAIGN_WORKERS_H
