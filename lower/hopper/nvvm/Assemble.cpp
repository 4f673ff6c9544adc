// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/hopper/nvvm/Assemble.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace girih::hopper {

std::string findPtxas(llvm::StringRef given) {
  if (!given.empty()) {
    return llvm::sys::fs::can_execute(given) ? given.str() : "";
  }
  std::string local = GIRIH_TOOLS_FOLDER "/nvidia/cu13/bin/ptxas";
  if (llvm::sys::fs::can_execute(local)) {
    return local;
  }
  auto onPath = llvm::sys::findProgramByName("ptxas");
  return onPath ? *onPath : "";
}

namespace {
/// A temporary file that goes with its owner.
struct ScratchFile {
  llvm::SmallString<128> path;
  llvm::FileRemover remover;

  explicit ScratchFile(llvm::StringRef suffix) {
    if (!llvm::sys::fs::createTemporaryFile("girih", suffix, path)) {
      remover.setFile(path);
    }
  }
  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
};
} // namespace

/// Runs the assembler; what it said, and its exit code.
static std::pair<std::string, int>
run(const std::string &ptxas, llvm::ArrayRef<llvm::StringRef> arguments,
    unsigned seconds) {
  ScratchFile log("log");
  llvm::SmallVector<llvm::StringRef> all = {ptxas};
  llvm::append_range(all, arguments);
  std::optional<llvm::StringRef> redirects[] = {"", log.path.str(),
                                                log.path.str()};
  std::string error;
  int code = llvm::sys::ExecuteAndWait(ptxas, all, std::nullopt, redirects,
                                       seconds, 0, &error);
  std::string words = llvm::StringRef(log.read()).trim().str();
  return {error.empty() ? words : error, code};
}

std::string ptxasVersion(const std::string &ptxas) {
  auto [words, code] = run(ptxas, {"--version"}, 10);
  llvm::StringRef version =
      llvm::StringRef(words).split(", V").second.take_while(
          [](char c) { return llvm::isDigit(c) || c == '.'; });
  return version.empty() ? "ptxas" : ("ptxas " + version).str();
}

/// The number before `unit`; nothing if the words do not have it.
static std::optional<int64_t> numberBefore(llvm::StringRef words,
                                           llvm::StringRef unit) {
  size_t at = words.find(unit);
  if (at == llvm::StringRef::npos) {
    return std::nullopt;
  }
  llvm::StringRef before = words.take_front(at);
  size_t digits = 0;
  while (digits < before.size() &&
         llvm::isDigit(before[before.size() - digits - 1])) {
    ++digits;
  }
  int64_t number = 0;
  if (before.take_back(digits).getAsInteger(10, number)) {
    return std::nullopt;
  }
  return number;
}

std::optional<std::string> refuseWords(llvm::StringRef words,
                                       int64_t &registers) {
  for (llvm::StringRef line : llvm::split(words, '\n')) {
    for (llvm::StringRef warning : {"C7508", "C7510", "C7514"}) {
      if (line.contains(warning)) {
        return line.trim().str();
      }
    }
  }
  auto stores = numberBefore(words, " bytes spill stores");
  auto loads = numberBefore(words, " bytes spill loads");
  auto used = numberBefore(words, " registers");
  if (!stores || !loads || !used) {
    return "the assembler does not say what it spills: " + words.str();
  }
  registers = *used;
  if (*stores + *loads > 0) {
    return "the schedule spills: " + std::to_string(*stores) +
           " bytes stored, " + std::to_string(*loads) + " bytes loaded";
  }
  return std::nullopt;
}

std::optional<Cubin> assemble(const std::string &ptxas, llvm::StringRef ptx,
                              unsigned seconds, std::string &error) {
  ScratchFile input("ptx"), output("cubin");
  std::error_code failed;
  llvm::raw_fd_ostream(input.path, failed) << ptx;
  if (failed) {
    error = "no temporary file can be written: " + failed.message();
    return std::nullopt;
  }
  auto [words, code] = run(
      ptxas,
      {"-arch=sm_90", "--verbose", "-o", output.path.str(), input.path.str()},
      seconds);
  if (code != 0) {
    error = ptxas + ": exit code " + std::to_string(code) + ": " + words;
    return std::nullopt;
  }
  Cubin out;
  if (auto why = refuseWords(words, out.registers)) {
    error = *why;
    return std::nullopt;
  }
  out.bytes = output.read();
  if (out.bytes.empty()) {
    error = ptxas + " wrote no cubin";
    return std::nullopt;
  }
  return out;
}

} // namespace girih::hopper
