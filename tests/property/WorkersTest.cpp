// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workers of a campaign: each job is run once, one that ends its process is
// named, and an interrupt loses nothing that was done.

#include "fuzz/campaign/Workers.h"

#include "gmock/gmock.h"

#include <chrono>
#include <csignal>
#include <thread>
#include <unistd.h>

using namespace girih::fuzz;
using namespace std::chrono_literals;

TEST(Workers, RunEachJobOnce) {
  WorkersResult r = runJobs(100, 7, 10, [] {
    return [](size_t job) { return std::to_string(job * job); };
  });
  EXPECT_EQ(r.error, "");
  EXPECT_TRUE(r.deaths.empty());
  ASSERT_EQ(r.lines.size(), 100u);
  for (size_t job = 0; job < 100; ++job) {
    EXPECT_EQ(r.lines[job], std::to_string(job * job));
  }
}

// With a fixed share one worker would sleep four times as long.
TEST(Workers, ShareWhatIsSlow) {
  auto start = std::chrono::steady_clock::now();
  WorkersResult r = runJobs(16, 4, 10, [] {
    return [](size_t job) {
      std::this_thread::sleep_for(job % 4 == 0 ? 500ms : 0ms);
      return std::string("done");
    };
  });
  EXPECT_THAT(r.lines, testing::Each("done"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1500ms);
}

TEST(Workers, NameTheJobThatDied) {
  WorkersResult r = runJobs(40, 3, 0.2, [] {
    return [](size_t job) {
      if (job == 5) {
        std::raise(SIGSEGV);
      }
      for (volatile bool hangs = job == 9; hangs;) {
      }
      return std::string("done");
    };
  });
  EXPECT_EQ(r.error, "");
  ASSERT_EQ(r.deaths.size(), 2u);
  bool inOrder = r.deaths[0].job == 5;
  const Death &crash = r.deaths[inOrder ? 0 : 1];
  const Death &hang = r.deaths[inOrder ? 1 : 0];
  EXPECT_EQ(crash.job, 5u);
  EXPECT_EQ(crash.signal, SIGSEGV);
  EXPECT_FALSE(crash.hung);
  EXPECT_EQ(hang.job, 9u);
  EXPECT_TRUE(hang.hung);
  for (size_t job = 0; job < 40; ++job) {
    EXPECT_EQ(r.lines[job], job == 5 || job == 9 ? "" : "done") << job;
  }
}

TEST(Workers, StopForAnInterruptAndKeepWhatIsDone) {
  pid_t parent = getpid();
  WorkersResult r = runJobs(100000, 4, 10, [parent] {
    return [parent](size_t job) {
      if (job == 50) {
        kill(parent, SIGINT);
      }
      std::this_thread::sleep_for(1ms);
      return std::to_string(job);
    };
  });
  EXPECT_EQ(r.error, "");
  EXPECT_TRUE(r.deaths.empty());
  size_t done = 0;
  while (done < r.lines.size() && !r.lines[done].empty()) {
    EXPECT_EQ(r.lines[done], std::to_string(done));
    ++done;
  }
  EXPECT_GT(done, 50u);
  EXPECT_LT(done, 50000u);
  for (size_t job = done; job < r.lines.size(); ++job) {
    EXPECT_EQ(r.lines[job], "") << job;
  }
}

TEST(Workers, SayThatTheyCannotStart) {
  WorkersResult r = runJobs(10, 2, 10, []() -> Job { _exit(1); });
  EXPECT_EQ(r.error, "a worker ended before it had a job");
  EXPECT_TRUE(r.deaths.empty());
}
