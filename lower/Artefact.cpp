// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Artefact.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <filesystem>
#include <stdio.h>

namespace fs = std::filesystem;

namespace girih::lower {

NewFolder::NewFolder(std::string where) : destination(std::move(where)) {
  while (destination.size() > 1 && destination.back() == '/') {
    destination.pop_back();
  }
}

NewFolder::~NewFolder() {
  std::error_code ignored;
  if (!temporary.empty()) {
    fs::remove_all(temporary, ignored);
  }
}

std::optional<std::string> NewFolder::open() {
  std::error_code error;
  fs::path parent = fs::path(destination).parent_path();
  if (!parent.empty()) {
    fs::create_directories(parent, error);
  }
  llvm::SmallString<128> made;
  if (!error) {
    error = llvm::sys::fs::createUniqueDirectory(
        fs::absolute(destination).string(), made);
  }
  if (error) {
    return destination + ": " + error.message();
  }
  temporary = made.str().str();
  return std::nullopt;
}

std::string NewFolder::path(llvm::StringRef file) const {
  return (fs::path(temporary) / file.str()).string();
}

std::optional<std::string> NewFolder::makeFolder(llvm::StringRef name) {
  std::error_code error;
  fs::create_directory(path(name), error);
  if (error) {
    return path(name) + ": " + error.message();
  }
  return std::nullopt;
}

std::optional<std::string> NewFolder::write(llvm::StringRef file,
                                            llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream os(path(file), error);
  if (!error) {
    os << bytes;
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error) {
    return path(file) + ": " + error.message();
  }
  return std::nullopt;
}

std::optional<std::string> NewFolder::publish() {
  std::error_code error;
  bool taken = fs::exists(fs::symlink_status(destination, error)) &&
               !fs::is_empty(destination, error);
  if (taken && !fs::exists(fs::path(destination) / "manifest.json", error)) {
    return destination + ": exists and is no artefact";
  }
  fs::permissions(temporary, fs::perms(0755), error);
  int failed = taken ? renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD,
                                 destination.c_str(), RENAME_EXCHANGE)
                     : rename(temporary.c_str(), destination.c_str());
  if (failed) {
    return destination + ": " +
           std::error_code(errno, std::generic_category()).message();
  }
  if (!taken) {
    temporary.clear();
  }
  return std::nullopt;
}

} // namespace girih::lower
