// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Cache.h"

#include "lower/tileir/Manifest.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <vector>

namespace fs = std::filesystem;

namespace girih::lower {

static constexpr llvm::StringLiteral format = "girih cache 1\n";
static constexpr llvm::StringLiteral entryEnding = ".cubin";
/// After so long a file that no writer has put in its place is nobody's.
static constexpr std::chrono::hours abandoned(1);

Cache::Cache(std::string folder, uint64_t capacity)
    : folder(std::move(folder)), capacity(capacity) {}

std::string Cache::pathOf(const std::string &key) const {
  return folder + "/" + key + entryEnding.str();
}

/// Format, key and checksum, a line each; the bytes follow.
static std::string headerOf(const std::string &key, llvm::StringRef bytes) {
  return format.str() + key + "\n" + checker::sha256(bytes) + "\n";
}

std::optional<std::string> Cache::find(const std::string &key) const {
  if (folder.empty() || key.empty()) {
    return std::nullopt;
  }
  std::string path = pathOf(key);
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) {
    return std::nullopt;
  }
  llvm::StringRef text = (*file)->getBuffer();
  size_t header = headerOf(key, "").size();
  llvm::StringRef bytes = text.drop_front(std::min(header, text.size()));
  if (!text.starts_with(headerOf(key, bytes))) {
    llvm::sys::fs::remove(path);
    return std::nullopt;
  }
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0); // asked for now
  return bytes.str();
}

void Cache::store(const std::string &key, llvm::StringRef bytes) const {
  std::string header = headerOf(key, bytes);
  if (folder.empty() || key.empty() ||
      header.size() + bytes.size() > capacity ||
      llvm::sys::fs::create_directories(folder)) {
    return;
  }
  int descriptor = -1;
  llvm::SmallString<128> made;
  if (llvm::sys::fs::createUniqueFile(folder + "/%%%%%%%%.new", descriptor,
                                      made)) {
    return;
  }
  llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
  out << header << bytes;
  out.close();
  bool failed = out.has_error();
  out.clear_error();
  if (failed || llvm::sys::fs::rename(made, pathOf(key))) {
    llvm::sys::fs::remove(made);
  }
  trim();
}

void Cache::trim() const {
  struct Entry {
    fs::path path;
    fs::file_time_type asked;
    uint64_t size;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code gone;
    Entry entry{it->path(), it->last_write_time(gone), it->file_size(gone)};
    if (gone) {
      continue;
    }
    if (entry.path.extension() == entryEnding.str()) {
      total += entry.size;
      entries.push_back(std::move(entry));
    } else if (entry.path.extension() == ".new" &&
               fs::file_time_type::clock::now() - entry.asked > abandoned) {
      fs::remove(entry.path, gone);
    }
  }
  std::ranges::sort(entries, {}, &Entry::asked);
  for (const Entry &entry : entries) {
    if (total <= capacity) {
      break;
    }
    fs::remove(entry.path, error);
    total -= entry.size;
  }
}

std::string defaultCacheFolder() {
  // A relative path is to be ignored, says the standard of these folders.
  if (const char *home = std::getenv("XDG_CACHE_HOME");
      home && home[0] == '/') {
    return std::string(home) + "/girih";
  }
  const char *home = std::getenv("HOME");
  return home && home[0] == '/' ? std::string(home) + "/.cache/girih" : "";
}

std::string cubinKey(llvm::StringRef bytecode, llvm::StringRef target,
                     const std::string &assembler, llvm::StringRef version) {
  llvm::sys::fs::file_status status;
  llvm::SmallString<128> real;
  if (llvm::sys::fs::real_path(assembler, real) ||
      llvm::sys::fs::status(real, status)) {
    return "";
  }
  auto changed = status.getLastModificationTime().time_since_epoch().count();
  // The hash of the bytecode has a fixed length: no two lists of parts are one.
  return checker::sha256(checker::sha256(bytecode) + "\n" + target.str() + "\n" +
                        version.str() + "\n" + real.str().str() + "\n" +
                        std::to_string(status.getSize()) + "\n" +
                        std::to_string(changed));
}

} // namespace girih::lower
