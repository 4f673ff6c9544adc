// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/tileir/Assemble.h"
#include "lower/tileir/Writer.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

extern "C" char **environ;

namespace girih::tileir {

std::string findAssembler(llvm::StringRef given) {
  if (!given.empty()) {
    return llvm::sys::fs::can_execute(given) ? given.str() : "";
  }
  std::string local = GIRIH_TOOLS_FOLDER "/nvidia/cu13/bin/tileiras";
  if (llvm::sys::fs::can_execute(local)) {
    return local;
  }
  auto onPath = llvm::sys::findProgramByName("tileiras");
  return onPath ? *onPath : "";
}

/// The environment without the variables that make the assembler take the
/// libraries of another toolkit than its own.
static std::vector<llvm::StringRef> cleanEnvironment() {
  std::vector<llvm::StringRef> out;
  for (char **entry = environ; *entry; ++entry) {
    llvm::StringRef text = *entry;
    if (!text.starts_with("CUDA_HOME=") && !text.starts_with("CUDA_PATH=")) {
      out.push_back(text);
    }
  }
  return out;
}

static std::string readAll(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().trim().str() : "";
}

namespace {

/// A child whose words go to a file of its own.
struct Child {
  llvm::SmallString<128> log;
  llvm::sys::ProcessInfo process;
  std::string error;

  Child(const std::string &program, llvm::ArrayRef<llvm::StringRef> arguments) {
    if (llvm::sys::fs::createTemporaryFile("tileiras", "log", log)) {
      error = "no temporary file can be made";
      return;
    }
    std::vector<llvm::StringRef> all = {program};
    all.insert(all.end(), arguments.begin(), arguments.end());
    std::optional<llvm::StringRef> redirects[] = {"", log.str(), log.str()};
    std::vector<llvm::StringRef> environment = cleanEnvironment();
    process = llvm::sys::ExecuteNoWait(program, all, environment, redirects, 0,
                                       &error);
  }

  ~Child() { llvm::sys::fs::remove(log); }

  /// Empty if it ended well.
  std::string wait(unsigned seconds) {
    if (!error.empty() || process.Pid == llvm::sys::ProcessInfo::InvalidPid) {
      return "cannot be run: " + error;
    }
    llvm::sys::ProcessInfo done = llvm::sys::Wait(process, seconds, &error);
    std::string words = readAll(log);
    if (done.ReturnCode == 0) {
      return "";
    }
    if (done.ReturnCode == -2 && !error.empty()) {
      return error + " (limit " + std::to_string(seconds) + " s)";
    }
    return "exit code " + std::to_string(done.ReturnCode) +
           (words.empty() ? "" : ": " + words);
  }
};

} // namespace

std::string assemblerVersion(const std::string &assembler) {
  Child child(assembler, {"--version"});
  if (!child.wait(10).empty()) {
    return "tileiras";
  }
  std::string words = readAll(child.log);
  auto [before, after] = llvm::StringRef(words).split(", V");
  llvm::StringRef version =
      after.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  return version.empty() ? "tileiras" : ("tileiras " + version).str();
}

unsigned bytecodeMinor(llvm::StringRef version) {
  auto [major, rest] = version.split(' ').second.split('.');
  unsigned first = 0, second = 0;
  bool known = !major.getAsInteger(10, first) &&
               !rest.split('.').first.getAsInteger(10, second);
  return known && std::pair(first, second) >= std::pair(13u, newestMinor)
             ? newestMinor
             : oldestMinor;
}

std::optional<std::string> assemble(const std::string &assembler,
                                    const std::string &bytecode,
                                    std::vector<AssembleJob> &jobs,
                                    unsigned seconds,
                                    llvm::ArrayRef<std::string> options) {
  std::vector<std::unique_ptr<Child>> children;
  for (const AssembleJob &job : jobs) {
    std::vector<llvm::StringRef> arguments = {"--gpu-name", job.target, "-o",
                                              job.output, bytecode};
    arguments.insert(arguments.end(), options.begin(), options.end());
    children.push_back(std::make_unique<Child>(assembler, arguments));
  }
  std::optional<std::string> failure;
  for (size_t i = 0; i < jobs.size(); ++i) {
    std::string error = children[i]->wait(seconds);
    jobs[i].words = readAll(children[i]->log);
    if (error.empty() && !llvm::sys::fs::exists(jobs[i].output)) {
      error = "wrote no cubin";
    }
    if (!error.empty() && !failure) {
      failure = jobs[i].target + ": " + assembler + ": " + error;
    }
  }
  return failure;
}

} // namespace girih::tileir
