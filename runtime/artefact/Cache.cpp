// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/artefact/Cache.h"

#include "runtime/artefact/Sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace girih::runtime {

static constexpr std::string_view format = "girih cache 1\n";
/// After so many seconds a file that no writer has put in its place, and a lock
/// that nobody holds, is nobody's.
static constexpr time_t abandonedAfter = 3600;

namespace {

class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() {
    if (number >= 0) {
      ::close(number);
    }
  }
  explicit operator bool() const { return number >= 0; }
  int get() const { return number; }
  int release() { return std::exchange(number, -1); }

private:
  int number;
};

} // namespace

/// Whether nobody else can have written there.
static bool isOurs(const struct stat &status) {
  return status.st_uid == ::geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static std::string nameOf(Cache::Kind kind, const std::string &key) {
  return key + (kind == Cache::Kind::Cubin ? ".cubin" : ".artefact");
}

static bool endsLike(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() && name.ends_with(ending);
}

static bool isEntry(std::string_view name) {
  return endsLike(name, ".cubin") || endsLike(name, ".artefact");
}

/// Format, key and checksum, a line each; the bytes follow.
static std::string headerOf(const std::string &key, std::string_view bytes) {
  return std::string(format) + key + "\n" + sha256(bytes) + "\n";
}

Cache::Lock::Lock(Lock &&other) noexcept
    : descriptor(std::exchange(other.descriptor, -1)) {}

Cache::Lock::~Lock() {
  if (descriptor >= 0) {
    ::close(descriptor);
  }
}

Cache::Cache(std::string folder, uint64_t capacity)
    : folder(std::move(folder)), capacity(capacity) {}

/// The folder, made if it is to be; negative if it is not there or not ours.
int Cache::open(bool make) const {
  if (folder.empty()) {
    return -1;
  }
  if (make) {
    std::error_code error;
    fs::create_directories(fs::path(folder).parent_path(), error);
    ::mkdir(folder.c_str(), S_IRWXU);
  }
  Descriptor opened(::open(folder.c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (!opened || ::fstat(opened.get(), &status) || !isOurs(status)) {
    return -1;
  }
  return opened.release();
}

std::optional<std::string> Cache::distrust() const {
  struct stat status;
  if (folder.empty() || ::stat(folder.c_str(), &status) || isOurs(status)) {
    return std::nullopt;
  }
  return "the cache " + folder + " is not used: it " +
         (status.st_uid != ::geteuid() ? "is another user's"
                                       : "can be written to by others");
}

/// All of a regular file of ours that is no larger than `most`.
static std::optional<std::string> readOwn(int folder, const std::string &name,
                                          uint64_t most) {
  // What is no file may wait for somebody as it is opened.
  Descriptor file(::openat(folder, name.c_str(),
                           O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  if (!file || ::fstat(file.get(), &status) || !S_ISREG(status.st_mode) ||
      !isOurs(status) || static_cast<uint64_t>(status.st_size) > most) {
    return std::nullopt;
  }
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t count =
        ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return std::nullopt;
    }
    done += static_cast<size_t>(count);
  }
  return bytes;
}

static bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

std::optional<std::string> Cache::find(Kind kind,
                                       const std::string &key) const {
  Descriptor at(key.empty() ? -1 : open(false));
  if (!at) {
    return std::nullopt;
  }
  std::string name = nameOf(kind, key);
  std::optional<std::string> text = readOwn(at.get(), name, capacity);
  size_t header = headerOf(key, "").size();
  if (text && text->size() >= header) {
    std::string_view bytes = std::string_view(*text).substr(header);
    if (text->starts_with(headerOf(key, bytes))) {
      ::utimensat(at.get(), name.c_str(), nullptr, 0); // asked for now
      text->erase(0, header);
      return text;
    }
  }
  // It stays until another is stored over it: what is there now may be that.
  return std::nullopt;
}

void Cache::store(Kind kind, const std::string &key,
                  std::string_view bytes) const {
  std::string header = headerOf(key, bytes);
  if (key.empty() || header.size() + bytes.size() > capacity) {
    return;
  }
  Descriptor at(open(true));
  if (!at) {
    return;
  }
  std::random_device random;
  std::string made =
      std::to_string(random()) + "-" + std::to_string(::getpid()) + ".new";
  Descriptor file(::openat(at.get(), made.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           S_IRUSR | S_IWUSR));
  if (!file) {
    return;
  }
  // Some file systems write late, and say with close that they could not.
  bool isWritten = writeAll(file.get(), header) && writeAll(file.get(), bytes);
  isWritten &= ::close(file.release()) == 0;
  std::string name = nameOf(kind, key);
  auto publish = [&] {
    return ::renameat(at.get(), made.c_str(), at.get(), name.c_str()) == 0;
  };
  bool isThere = isWritten && publish();
  if (isWritten && !isThere && errno == EISDIR) {
    std::error_code ignored;
    fs::remove_all(folder + "/" + name, ignored);
    isThere = publish();
  }
  if (!isThere) {
    ::unlinkat(at.get(), made.c_str(), 0);
  }
  trim(at.get());
}

std::optional<Cache::Lock> Cache::tryLock(const std::string &key,
                                          bool &isHeld) const {
  isHeld = false;
  Descriptor at(key.empty() ? -1 : open(true));
  if (!at) {
    return std::nullopt;
  }
  std::string name = key + ".lock";
  // Between opening and locking a file it may go; then there is a new one.
  constexpr int maxTries = 16;
  for (int tries = 0; tries < maxTries; ++tries) {
    Descriptor file(
        ::openat(at.get(), name.c_str(),
                 O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                 S_IRUSR | S_IWUSR));
    struct stat opened, there;
    if (!file || ::fstat(file.get(), &opened) || !S_ISREG(opened.st_mode)) {
      return std::nullopt;
    }
    if (::flock(file.get(), LOCK_EX | LOCK_NB)) {
      isHeld = errno == EWOULDBLOCK;
      return std::nullopt;
    }
    if (::fstatat(at.get(), name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
        there.st_ino == opened.st_ino) {
      ::futimens(file.get(), nullptr);
      return Lock(file.release());
    }
  }
  return std::nullopt;
}

/// Removes what a writer or the holder of a lock has left behind.
static void removeAbandoned(int folder, const std::string &name) {
  if (endsLike(name, ".new")) {
    ::unlinkat(folder, name.c_str(), 0);
    return;
  }
  Descriptor file(
      ::openat(folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
    ::unlinkat(folder, name.c_str(), 0);
  }
}

void Cache::trim(int descriptor) const {
  struct Entry {
    std::string name;
    timespec asked;
    uint64_t size;
  };
  // A descriptor of its own: closedir closes it.
  Descriptor own(::openat(descriptor, ".", O_DIRECTORY | O_RDONLY | O_CLOEXEC));
  DIR *listing = own ? ::fdopendir(own.get()) : nullptr;
  if (!listing) {
    return;
  }
  own.release();
  std::vector<Entry> entries;
  uint64_t total = 0;
  while (dirent *found = ::readdir(listing)) {
    std::string name = found->d_name;
    struct stat status;
    if (::fstatat(descriptor, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) ||
        !S_ISREG(status.st_mode)) {
      continue;
    }
    bool isOld = ::time(nullptr) - status.st_mtim.tv_sec > abandonedAfter;
    if (isEntry(name)) {
      total += static_cast<uint64_t>(status.st_size);
      entries.push_back({std::move(name), status.st_mtim,
                         static_cast<uint64_t>(status.st_size)});
    } else if (isOld && (endsLike(name, ".new") || endsLike(name, ".lock"))) {
      removeAbandoned(descriptor, name);
    }
  }
  ::closedir(listing);
  std::ranges::sort(entries, {}, [](const Entry &entry) {
    return std::pair(entry.asked.tv_sec, entry.asked.tv_nsec);
  });
  for (const Entry &entry : entries) {
    if (total <= capacity) {
      break;
    }
    ::unlinkat(descriptor, entry.name.c_str(), 0);
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

std::string programIdentity(const std::string &path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  struct stat status;
  if (error || ::stat(real.c_str(), &status)) {
    return "";
  }
  return real.string() + "\n" + std::to_string(status.st_size) + "\n" +
         std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

} // namespace girih::runtime
