// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/run/Batch.h"

#include "runtime/artefact/Json.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace girih::runtime {

Expected<Case> parseCase(const std::string &line, const std::string &folder) {
  Case c;
  auto path = [&](const std::string &name) {
    return name.starts_with("/") ? name : folder + "/" + name;
  };
  auto files = [&](JsonCursor at, std::map<std::string, std::string> &into) {
    at.members([&](const std::string &name, JsonCursor file) {
      into[name] = path(file.string());
    });
  };
  std::string error;
  readJson(line, error, [&](JsonCursor root) {
    root.keys({"name", "artefact", "set", "args", "out", "expect", "bound",
               "time", "validate"},
              {"set", "args", "out", "expect", "bound", "time", "validate"});
    c.name = root["name"].string();
    c.artefact = path(root["artefact"].string());
    if (root.has("set")) {
      root["set"].members([&](const std::string &name, JsonCursor value) {
        c.symbols[name] = value.integer();
      });
    }
    if (root.has("args")) {
      root["args"].members([&](const std::string &name, JsonCursor value) {
        if (value.isString()) {
          c.inputs[name] = path(value.string());
        } else {
          c.scalars[name] = value.number();
        }
      });
    }
    for (auto [key, into] : {std::pair{"out", &c.outputs},
                             {"expect", &c.expected},
                             {"bound", &c.bounds}}) {
      if (root.has(key)) {
        files(root[key], *into);
      }
    }
    if (root.has("validate")) {
      for (const std::string &name : root["validate"].list<std::string>(
               [](JsonCursor at) { return at.string(); })) {
        c.validated.insert(name);
      }
    }
    if (root.has("time")) {
      int64_t samples = root["time"].integer();
      if (samples < 1 || samples > 10000) {
        root["time"].fail("is not between 1 and 10000");
      }
      c.samples = static_cast<int>(samples);
    }
  });
  if (!error.empty()) {
    return Error{ErrorKind::Usage, "case: " + error};
  }
  return c;
}

int exitCodeOf(const Expected<Outcome> &outcome) {
  return outcome ? (outcome->agrees() ? 0 : 1)
                 : exitCode(outcome.error().why);
}

std::string lineOf(const std::string &name, const Expected<Outcome> &outcome) {
  nlohmann::ordered_json line;
  line["case"] = name;
  if (!outcome) {
    const Error &error = outcome.error();
    line["verdict"] = error.why == ErrorKind::Failed  ? "failed"
                      : error.why == ErrorKind::NoGpu ? "not run"
                                                  : "refused";
    line["reason"] = error.reason;
  } else {
    line["verdict"] = outcome->agrees() ? "ok" : "mismatch";
    line["blocks"] = outcome->blocks;
    if (!outcome->believed.empty()) {
      line["believed"] = outcome->believed;
    }
    double maxError = 0;
    for (const auto &[tensor, comparison] : outcome->comparisons) {
      maxError = std::max(maxError, comparison.maxError);
      if (comparison.agrees() || line.contains("tensor")) {
        continue;
      }
      line["tensor"] = tensor;
      if (!comparison.first) {
        line["reason"] = comparison.shape;
        continue;
      }
      line["index"] = comparison.first->index;
      line["got"] = comparison.first->got;
      line["expected"] = comparison.first->expected;
      line["bound"] = comparison.first->bound;
      line["mismatches"] = comparison.mismatches;
    }
    line["maxError"] = maxError;
    if (outcome->timing) {
      line["microseconds"] = {{"median", outcome->timing->median},
                              {"low", outcome->timing->low},
                              {"high", outcome->timing->high},
                              {"samples", outcome->timing->samples}};
    }
  }
  return line.dump(-1, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace);
}

namespace {

using Cases = std::vector<Expected<Case>>;

std::string nameOf(const Cases &cases, size_t k) {
  return cases[k] ? cases[k]->name : fmt::format("line {}", k + 1);
}

Expected<Cases> readArchive(std::string path) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
    path += "/cases.jsonl";
  }
  std::optional<std::string> text = readFile(path);
  if (!text) {
    return Error{ErrorKind::Usage, path + ": cannot be read"};
  }
  size_t slash = path.rfind('/');
  std::string folder = slash == path.npos ? "." : path.substr(0, slash);
  Cases cases;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    cases.push_back(parseCase(line, folder));
  }
  return cases;
}

/// The child: runs the cases from `first` on and writes, for each, its exit
/// code in two digits and its line. It stops after a failure, since the context
/// may be gone, and where there is no GPU.
[[noreturn]] void work(const Cases &cases, size_t first, int to,
                       const std::optional<Policy> &policy) {
  Session session(policy);
  for (size_t k = first; k < cases.size(); ++k) {
    Expected<Outcome> outcome = cases[k] ? runCase(session, *cases[k])
                                       : Expected<Outcome>(cases[k].error());
    std::string message = fmt::format("{:02}{}\n", exitCodeOf(outcome),
                                      lineOf(nameOf(cases, k), outcome));
    for (size_t sent = 0; sent < message.size();) {
      ssize_t n = write(to, message.data() + sent, message.size() - sent);
      if (n <= 0) {
        _exit(1);
      }
      sent += static_cast<size_t>(n);
    }
    if (!outcome && (outcome.error().why == ErrorKind::Failed ||
                     outcome.error().why == ErrorKind::NoGpu)) {
      break;
    }
  }
  // No destructors: a context that is gone cannot be tidied up.
  _exit(0);
}

/// The parent's side.
struct Supervisor {
  const Cases &cases;
  const BatchOptions &options;
  size_t next = 0; ///< the case whose line comes next
  std::map<int, size_t> codes;

  void finish(int code, const std::string &line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
    ++codes[code];
    ++next;
  }

  void fail(const std::string &reason) {
    Expected<Outcome> error(Error{ErrorKind::Failed, reason});
    finish(exitCodeOf(error), lineOf(nameOf(cases, next), error));
  }

  /// Reads lines until the child closes its end; false when it took too long
  /// over one of them.
  bool listen(int from) {
    std::string pending;
    while (true) {
      pollfd poller{from, POLLIN, 0};
      int ready = poll(&poller, 1, options.secondsPerCase * 1000);
      if (ready == 0) {
        return false;
      }
      char buffer[4096];
      ssize_t n = ready < 0 ? -1 : read(from, buffer, sizeof buffer);
      if (n <= 0) {
        return true;
      }
      pending.append(buffer, static_cast<size_t>(n));
      for (size_t end; (end = pending.find('\n')) != pending.npos;) {
        int code = 10 * (pending[0] - '0') + (pending[1] - '0');
        finish(code, pending.substr(2, end - 2));
        pending.erase(0, end + 1);
      }
    }
  }

  /// Starts a child at the next case and stays with it to its end.
  bool supervise() {
    int ends[2];
    if (pipe(ends) != 0) {
      return false;
    }
    pid_t child = fork();
    if (child < 0) {
      return false;
    }
    if (child == 0) {
      close(ends[0]);
      work(cases, next, ends[1], options.policy);
    }
    close(ends[1]);
    bool inTime = listen(ends[0]);
    close(ends[0]);
    if (!inTime) {
      kill(child, SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!inTime) {
      fail(fmt::format("no answer within {} s", options.secondsPerCase));
    } else if (WIFSIGNALED(status)) {
      fail(fmt::format("the process ended by signal {}", WTERMSIG(status)));
    } else if (WEXITSTATUS(status) != 0) {
      fail(fmt::format("the process ended with code {}", WEXITSTATUS(status)));
    }
    return true;
  }

  int run() {
    while (next < cases.size() && !codes.contains(77)) {
      if (!supervise()) {
        std::fprintf(stderr, "tile-run: error: cannot start a process\n");
        return 1;
      }
    }
    std::fprintf(stderr,
                 "%zu cases: %zu ok, %zu not, %zu refused or malformed"
                 "\n",
                 next, codes[0], codes[1], codes[3]);
    return codes[77] ? 77 : codes[3] ? 3 : codes[1] ? 1 : 0;
  }
};

} // namespace

int runBatch(const BatchOptions &options) {
  Expected<Cases> cases = readArchive(options.archive);
  if (!cases) {
    std::fprintf(stderr, "tile-run: error: %s\n",
                 cases.error().reason.c_str());
    return exitCode(cases.error().why);
  }
  return Supervisor{*cases, options, 0, {}}.run();
}

} // namespace girih::runtime
