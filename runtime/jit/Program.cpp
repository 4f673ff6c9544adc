// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/jit/Program.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <link.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" char **environ;

namespace fs = std::filesystem;

namespace girih::runtime {

/// The folder of the library or program that this code is in.
static fs::path ownFolder() {
  Dl_info info;
  link_map *object = nullptr;
  if (!::dladdr1(reinterpret_cast<void *>(&ownFolder), &info,
                 reinterpret_cast<void **>(&object), RTLD_DL_LINKMAP) ||
      !object) {
    return {};
  }
  // The loader has no name for the program itself.
  std::error_code failed;
  fs::path file = fs::canonical(
      *object->l_name ? object->l_name : "/proc/self/exe", failed);
  return failed ? fs::path() : file.parent_path();
}

static bool canRun(const fs::path &file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) &&
         ::access(file.c_str(), X_OK) == 0;
}

std::string findProgram(const std::string &name) {
  fs::path own = ownFolder();
  std::vector<fs::path> places;
  if (!own.empty()) {
    places = {own / name, own.parent_path() / "bin" / name};
  }
  const char *path = std::getenv("PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    // An empty or relative place would be another one in each folder.
    if (folder.starts_with('/')) {
      places.push_back(fs::path(folder) / name);
    }
  }
  for (const fs::path &place : places) {
    if (canRun(place)) {
      return place.string();
    }
  }
  return "";
}

namespace {

/// How a child is started: with nothing of this process but its environment.
struct Spawning {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  Spawning(const std::string &folder, int words) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                       O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                       O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    ::posix_spawnattr_init(&attributes);
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &all);
    ::posix_spawnattr_setflags(&attributes,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Spawning(const Spawning &) = delete;
  ~Spawning() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
};

/// The child, which is waited for once.
struct Child {
  pid_t number = 0;
  int words = -1; ///< the end of the pipe to read from
  bool isDone = false;
  int status = 0;

  Child() = default;
  Child(const Child &) = delete;
  ~Child() {
    ::close(words);
    if (number > 0 && !isDone) { // `wait` of the caller has thrown
      ::kill(number, SIGKILL);
      wait(0);
    }
  }

  void wait(int flags) {
    pid_t done = 0;
    do {
      done = ::waitpid(number, &status, flags);
    } while (done < 0 && errno == EINTR);
    // Without the child's status: a program that ignores SIGCHLD, or waits for
    // all children. What it was to write says whether it ended well.
    isDone = done != 0;
    status = done < 0 ? 0 : status;
  }
  int code() const {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
};

} // namespace

/// Reads what is there; false at the end.
static bool readSome(int from, std::string &into) {
  constexpr size_t maxWords = 1 << 20;
  char buffer[4096];
  ssize_t count = ::read(from, buffer, sizeof buffer);
  if (count > 0 && into.size() < maxWords) {
    into.append(buffer, static_cast<size_t>(count));
  }
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

Expected<ProgramEnd> runProgram(const std::string &program,
                                const std::vector<std::string> &arguments,
                                const std::string &folder,
                                const std::function<void()> &wait) {
  auto refuse = [&](int error) {
    return Error{ErrorKind::Failed, fmt::format("{} cannot be run: {}", program,
                                                std::strerror(error))};
  };
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC)) {
    return refuse(errno);
  }
  Child child;
  child.words = pipe[0];
  std::vector<char *> words{const_cast<char *>(program.c_str())};
  for (const std::string &argument : arguments) {
    words.push_back(const_cast<char *>(argument.c_str()));
  }
  words.push_back(nullptr);
  int failed = 0;
  {
    Spawning how(folder, pipe[1]);
    failed = ::posix_spawn(&child.number, program.c_str(), &how.actions,
                           &how.attributes, words.data(), environ);
  }
  ::close(pipe[1]);
  if (failed) {
    return refuse(failed);
  }
  constexpr int waitMilliseconds = 50;
  ProgramEnd end;
  // What the child has started may hold the pipe for longer than it lives.
  for (bool isOpen = true; isOpen && !child.isDone;) {
    pollfd ready{child.words, POLLIN, 0};
    if (::poll(&ready, 1, waitMilliseconds) > 0) {
      isOpen = readSome(child.words, end.words);
    } else {
      child.wait(WNOHANG);
    }
    wait();
  }
  if (!child.isDone) {
    child.wait(0);
  }
  end.code = child.code();
  return end;
}

} // namespace girih::runtime
