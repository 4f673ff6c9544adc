// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fuzz/campaign/Workers.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace girih::fuzz {

namespace {
struct Worker {
  pid_t pid = -1;
  int pipe = -1;
  std::string buffer;
};

/// What parent and workers have in common. Who is done takes the next job: slow
/// ones come in turns, and a fixed share would give all of them to a few.
struct Board {
  std::atomic<size_t> &next;
  std::atomic<size_t> *current; ///< by worker: its job, or none

  static constexpr size_t none = ~size_t(0);
};
static_assert(std::atomic<size_t>::is_always_lock_free);
} // namespace

static volatile std::sig_atomic_t interrupted = 0;

/// Processor time, so that a busy machine makes nothing hang.
static void allow(double seconds) {
  itimerval t{};
  t.it_value.tv_sec = static_cast<time_t>(seconds);
  t.it_value.tv_usec = static_cast<suseconds_t>(
      (seconds - static_cast<double>(t.it_value.tv_sec)) * 1e6);
  setitimer(ITIMER_PROF, &t, nullptr);
}

[[noreturn]] static void work(int pipe, const Board &board, size_t number,
                              size_t count, double seconds,
                              const std::function<Job()> &start) {
  signal(SIGPROF, SIG_DFL);
  signal(SIGINT, SIG_IGN); // the parent's; what was begun is finished
  // Solvers come and go; what they free is wanted again at once.
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  mallopt(M_MMAP_THRESHOLD, 1 << 27);
  mallopt(M_TOP_PAD, 1 << 24);
  Job job = start();
  for (size_t i; (i = board.next++) < count;) {
    board.current[number] = i;
    allow(seconds);
    std::string line = std::to_string(i) + " " + job(i) + "\n";
    allow(0);
    for (size_t done = 0; done < line.size();) {
      ssize_t n = write(pipe, line.data() + done, line.size() - done);
      if (n <= 0 && errno != EINTR) {
        _exit(3);
      }
      done += n > 0 ? static_cast<size_t>(n) : 0;
    }
    board.current[number] = Board::none;
  }
  // No destructors: the parent's objects are the parent's.
  _exit(0);
}

static void take(Worker &w, WorkersResult &result) {
  size_t end;
  while ((end = w.buffer.find('\n')) != std::string::npos) {
    std::string line = w.buffer.substr(0, end);
    w.buffer.erase(0, end + 1);
    size_t blank = line.find(' ');
    size_t job = std::stoull(line.substr(0, blank));
    result.lines[job] = line.substr(blank + 1);
  }
}

WorkersResult runJobs(size_t count, unsigned workers, double secondsPerJob,
                      const std::function<Job()> &start) {
  WorkersResult result;
  result.lines.resize(count);
  size_t bytes = (1 + workers) * sizeof(std::atomic<size_t>);
  void *shared = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) {
    result.error = std::strerror(errno);
    return result;
  }
  auto *numbers = static_cast<std::atomic<size_t> *>(shared); // zeros
  Board board{numbers[0], numbers + 1};
  std::vector<Worker> all(workers);
  auto launch = [&](size_t number) {
    Worker &w = all[number];
    int ends[2];
    if (pipe(ends) != 0) {
      result.error = std::strerror(errno);
      return;
    }
    board.current[number] = Board::none;
    std::fflush(nullptr);
    w.pid = fork();
    if (w.pid == 0) {
      close(ends[0]);
      work(ends[1], board, number, count, secondsPerJob, start);
    }
    close(ends[1]);
    w.pipe = ends[0];
    if (w.pid < 0) {
      result.error = std::strerror(errno);
      close(w.pipe);
      w.pipe = -1;
    }
  };
  interrupted = 0;
  struct sigaction stop = {}, before = {};
  stop.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &stop, &before);
  for (unsigned i = 0; i < workers; ++i) {
    launch(i);
  }
  auto ended = [&](size_t number) {
    Worker &w = all[number];
    close(w.pipe);
    w.pipe = -1;
    int status = 0;
    waitpid(w.pid, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      return;
    }
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    w.buffer.clear();
    if (board.current[number] == Board::none) {
      result.error = "a worker ended before it had a job";
      return;
    }
    result.deaths.push_back({board.current[number], signal, signal == SIGPROF});
    if (board.next < count) {
      launch(number);
    }
  };
  while (true) {
    if (interrupted) {
      board.next = count;
    }
    std::vector<pollfd> open;
    std::vector<size_t> readers;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].pipe >= 0) {
        open.push_back({all[i].pipe, POLLIN, 0});
        readers.push_back(i);
      }
    }
    if (open.empty()) {
      break;
    }
    if (poll(open.data(), open.size(), -1) < 0) {
      continue; // interrupted; which of them are ready nobody has said
    }
    for (size_t i = 0; i < open.size(); ++i) {
      if (open[i].revents == 0) {
        continue;
      }
      char text[4096];
      ssize_t n = read(open[i].fd, text, sizeof text);
      if (n > 0) {
        all[readers[i]].buffer.append(text, static_cast<size_t>(n));
        take(all[readers[i]], result);
      } else if (n == 0 || errno != EINTR) {
        ended(readers[i]);
      }
    }
  }
  sigaction(SIGINT, &before, nullptr);
  munmap(shared, bytes);
  return result;
}

} // namespace girih::fuzz
