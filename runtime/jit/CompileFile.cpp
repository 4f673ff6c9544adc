// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/jit/CompileFile.h"

#include "runtime/artefact/Cache.h"
#include "runtime/artefact/Sha256.h"
#include "runtime/jit/Archive.h"
#include "runtime/jit/Program.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <thread>

namespace fs = std::filesystem;

namespace girih::runtime {

Expected<FileToCompile> readKernelFile(const std::string &path) {
  std::optional<std::string> text = readFile(path);
  if (!text) {
    return Error{ErrorKind::Usage, path + " cannot be read"};
  }
  FileToCompile file;
  file.path = path;
  file.text = std::move(*text);
  file.certificates =
      readFile(fs::path(path).replace_extension(".cert").string());
  return file;
}

namespace {

/// Says what is done, once, when it has taken a second.
class Progress {
public:
  Progress(const FileToCompile &file, const char *what)
      : file(file), what(what) {}
  void operator()() {
    using namespace std::chrono_literals;
    if (!isSaid && file.progress && seconds() >= 1s) {
      isSaid = true;
      file.progress(fmt::format("girih: {} {} for {}", what, file.path,
                                fmt::join(file.architectures, ", ")));
    }
  }
  std::chrono::steady_clock::duration seconds() const {
    return std::chrono::steady_clock::now() - start;
  }

private:
  const FileToCompile &file;
  const char *what;
  bool isSaid = false;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

/// A folder of this user alone, for files between two programs.
class ScratchFolder {
public:
  ScratchFolder() {
    std::error_code error;
    fs::path parent = fs::temp_directory_path(error);
    std::string name = (parent / "girih-XXXXXX").string();
    if (!error && ::mkdtemp(name.data())) {
      place = name;
    }
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!place.empty() && !isKept) {
      fs::remove_all(place, ignored);
    }
  }

  fs::path place; ///< empty if it could not be made
  bool isKept = false;
};

} // namespace

/// The hash of all that an artefact depends on; empty where the compiler is no
/// file.
static std::string keyOf(const FileToCompile &file,
                         const std::string &compiler) {
  std::string program = programIdentity(compiler);
  if (program.empty()) {
    return "";
  }
  std::string assembler =
      file.assembler.empty() ? findProgram("tileiras") : file.assembler;
  // Hashes have a fixed length, and names of architectures no comma.
  return sha256(fmt::format(
      "girih artefact 1\n{}\n{}\n{}\n{}\n{}\n{}\n{}", sha256(file.text),
      file.certificates ? sha256(*file.certificates) : "no certificates",
      sha256(fs::path(file.path).filename().string()),
      fmt::join(file.architectures, ","), file.allowTrust,
      sha256(programIdentity(assembler)), sha256(program)));
}

static Expected<Artefact> loadFiles(const Files &files) {
  return loadArtefact([&](const std::string &name) {
    auto found = files.find(name);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  });
}

/// What the cache has. An archive that is no artefact is none.
static std::optional<Artefact> findArtefact(const Cache &cache,
                                            const std::string &key) {
  std::optional<std::string> text = cache.find(Cache::Kind::Artefact, key);
  std::optional<Files> files = text ? unpackFiles(*text) : std::nullopt;
  if (!files) {
    return std::nullopt;
  }
  Expected<Artefact> loaded = loadFiles(*files);
  return loaded ? std::optional(std::move(*loaded)) : std::nullopt;
}

/// Why tile-compile has made nothing.
static Error compilerError(const FileToCompile &file, const ProgramEnd &end) {
  auto refuse = [&](ErrorKind kind, const char *meaning) {
    return Error{kind, fmt::format("{}: tile-compile: {} (exit code {})\n{}",
                                   file.path, meaning, end.code, end.words)};
  };
  switch (end.code) {
  case 1:
    return refuse(ErrorKind::Failed, "refuted or not assembled");
  case 2:
    return refuse(ErrorKind::Unproved, "unknown or trusted");
  case 3:
    return refuse(ErrorKind::Usage, "usage or malformed");
  default:
    return refuse(ErrorKind::Failed, "did not end well");
  }
}

static bool writeText(const fs::path &path, const std::string &text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  return !out.fail();
}

/// The files that tile-compile makes of what was read, whatever is in the
/// kernel's file by now.
static Expected<Files> runCompiler(const FileToCompile &file,
                                   const std::string &compiler) {
  ScratchFolder scratch;
  fs::path inputs = scratch.place / "inputs", output = scratch.place / "output";
  fs::path name = fs::path(file.path).filename();
  std::error_code error;
  if (scratch.place.empty() || !fs::create_directory(inputs, error) ||
      !writeText(inputs / name, file.text) ||
      (file.certificates &&
       !writeText((inputs / name).replace_extension(".cert"),
                  *file.certificates))) {
    return Error{ErrorKind::Failed,
                 file.path + ": no temporary folder can be written"};
  }
  std::string input = name.string();
  std::vector<std::string> arguments{
      input.starts_with('-') ? "./" + input : input,
      "-o",
      output.string(),
      fmt::format("--arch={}", fmt::join(file.architectures, ",")),
      fmt::format("--time-limit={}", file.timeLimit),
      file.cache.empty() ? "--no-cache"
                         : "--cache=" + fs::absolute(file.cache).string()};
  if (file.allowTrust) {
    arguments.push_back("--allow-trust");
  }
  if (!file.assembler.empty()) {
    arguments.push_back("--tileiras=" + fs::absolute(file.assembler).string());
  }
  Expected<ProgramEnd> end = runProgram(compiler, arguments, inputs.string(),
                                        Progress(file, "compiling"));
  if (!end) {
    return end.error();
  }
  std::optional<Files> files = readFolder(output.string());
  if (end->code == 0 && files) {
    return std::move(*files);
  }
  // Its words name the bytecode that the assembler could not do.
  scratch.isKept = fs::exists(output.string() + ".tileirbc", error);
  return compilerError(file, *end);
}

static Expected<Artefact> makeArtefact(const FileToCompile &file,
                                       const std::string &compiler,
                                       const Cache &cache,
                                       const std::string &key) {
  Expected<Files> files = runCompiler(file, compiler);
  if (!files) {
    return files.error();
  }
  Expected<Artefact> loaded = loadFiles(*files);
  if (!loaded) {
    return Error{loaded.error().why,
                 fmt::format("{}: what {} made: {}", file.path, compiler,
                             loaded.error().reason)};
  }
  cache.store(Cache::Kind::Artefact, key, packFiles(*files));
  return loaded;
}

Expected<Artefact> compileFile(const FileToCompile &file) {
  std::string compiler = file.compiler.empty()
                             ? findProgram("tile-compile")
                             : fs::absolute(file.compiler).string();
  if (compiler.empty()) {
    return Error{ErrorKind::Usage,
                 file.path + ": there is no tile-compile: neither beside this "
                             "library or program nor on PATH"};
  }
  Cache cache(file.cache);
  std::string key = keyOf(file, compiler);
  // Two compilations of the same: whoever holds the lock for longer than that
  // may have stopped.
  std::chrono::seconds maxWait(2 * file.timeLimit);
  std::optional<Cache::Lock> lock;
  Progress waiting(file, "waiting for another process that compiles");
  for (bool isHeld = true; isHeld && waiting.seconds() < maxWait;) {
    if (auto found = findArtefact(cache, key)) {
      return std::move(*found);
    }
    if (auto taken = cache.tryLock(key, isHeld)) {
      lock.emplace(std::move(*taken));
    }
    if (isHeld) {
      waiting();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  // It may have been stored between the look and the lock.
  if (auto found = lock ? findArtefact(cache, key) : std::nullopt) {
    return std::move(*found);
  }
  return makeArtefact(file, compiler, cache, key);
}

} // namespace girih::runtime
