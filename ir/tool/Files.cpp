// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir/tool/Files.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <unistd.h>

namespace fs = llvm::sys::fs;

namespace girih::tile {

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
readBytes(llvm::StringRef path, size_t limit) {
  bool standard = path == "-";
  fs::file_t file = fs::getStdinHandle();
  if (!standard) {
    auto opened = fs::openNativeFileForRead(path);
    if (!opened) {
      return llvm::errorToErrorCode(opened.takeError());
    }
    file = *opened;
  }
  std::string bytes;
  std::error_code error;
  for (bool more = true; more && bytes.size() <= limit;) {
    size_t old = bytes.size(),
           step = std::min<size_t>(limit + 1 - old, 1 << 16);
    bytes.resize(old + step);
    auto got = fs::readNativeFile(file, {bytes.data() + old, step});
    if (!got) {
      error = llvm::errorToErrorCode(got.takeError());
      break;
    }
    bytes.resize(old + *got);
    more = *got > 0;
  }
  if (!standard) {
    fs::closeFile(file);
  }
  if (error) {
    return error;
  }
  return llvm::MemoryBuffer::getMemBufferCopy(bytes,
                                              standard ? "<stdin>" : path);
}

/// Writes and flushes; the stream forgets its error, which is returned.
static std::error_code put(llvm::raw_fd_ostream &stream,
                           const std::string &bytes) {
  stream << bytes;
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

static std::error_code writeInPlace(const std::string &path,
                                    const std::string &bytes) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error, fs::CD_OpenExisting, fs::FA_Write,
                              fs::OF_None);
  return error ? error : put(stream, bytes);
}

std::optional<std::string> writeFiles(llvm::ArrayRef<NamedBytes> files) {
  std::vector<std::pair<fs::TempFile, std::string>> made; // and its place
  std::string failure;
  auto check = [&](const std::string &path, std::error_code error) {
    if (error && failure.empty()) {
      failure = path + ": " + error.message();
    }
    return failure.empty();
  };
  for (const auto &[path, bytes] : files) {
    fs::file_status status;
    llvm::SmallString<128> place(path);
    if (!fs::status(path, status)) {
      if (status.type() == fs::file_type::directory_file) {
        check(path, std::make_error_code(std::errc::is_a_directory));
        break;
      }
      if (status.type() != fs::file_type::regular_file) {
        if (!check(path, writeInPlace(path, bytes))) {
          break;
        }
        continue;
      }
      // A link stays one, what it leads to is replaced.
      fs::real_path(path, place);
    }
    auto file = fs::TempFile::create(place + ".%%%%%%%%");
    if (!file) {
      check(path, llvm::errorToErrorCode(file.takeError()));
      break;
    }
    llvm::raw_fd_ostream stream(file->FD, /*shouldClose=*/false);
    made.push_back({std::move(*file), place.str().str()});
    if (!check(path, put(stream, bytes))) {
      break;
    }
  }
  for (auto &[file, place] : made) {
    check(place, llvm::errorToErrorCode(failure.empty() ? file.keep(place)
                                                        : file.discard()));
  }
  return failure.empty() ? std::nullopt : std::optional(failure);
}

static std::string guarded;

static void finish() {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  if (error) {
    llvm::errs() << guarded << ": error: standard output: " << error.message()
                 << '\n';
  }
  llvm::errs().clear_error(); // nobody is left to be told
  if (error) {
    _exit(3);
  }
}

void guardStandardOutput(const char *tool) {
  guarded = tool;
  if (fcntl(STDOUT_FILENO, F_GETFD) < 0) {
    // The next file opened would take its place and what is printed.
    llvm::errs() << guarded << ": error: standard output is closed\n";
    _exit(3);
  }
  llvm::sys::Process::FixupStandardFileDescriptors();
  // Both streams live longer than what is registered after them.
  llvm::outs();
  llvm::errs();
  std::atexit(finish);
}

} // namespace girih::tile
