// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was compiled before, by the hash of all that it depends on. No
// compilation fails because of it: an entry that cannot be read, or is not what
// its checksum says, is none, and one that cannot be written is not kept.

#ifndef GIRIH_RUNTIME_ARTEFACT_CACHE_H
#define GIRIH_RUNTIME_ARTEFACT_CACHE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace girih::runtime {

/// A folder of entries, one file each. Processes may be many: an entry appears
/// whole, in one step. Nothing is read from a folder or a file that is another
/// user's, or that others may write to: its code would run as this user.
class Cache {
public:
  /// What an entry holds, and how its file's name ends.
  enum class Kind {
    Cubin,    ///< `.cubin`: a cubin, by bytecode, target and assembler
    Artefact, ///< `.artefact`: an archive of an artefact's files
  };

  /// Makes an entry, so that others wait for it instead of making it as well.
  /// Whoever dies lets go of it.
  class Lock {
  public:
    explicit Lock(int descriptor) : descriptor(descriptor) {}
    Lock(Lock &&other) noexcept;
    ~Lock();

  private:
    int descriptor;
  };

  /// Bytes of all entries by default: 1 GiB.
  static constexpr uint64_t defaultCapacity = uint64_t(1) << 30;

  /// An empty name keeps nothing. Beyond `capacity` bytes those go that were
  /// not asked for for longest.
  explicit Cache(std::string folder, uint64_t capacity = defaultCapacity);

  /// What was stored under a key: 64 hexadecimal digits. An empty one has
  /// nothing.
  std::optional<std::string> find(Kind kind, const std::string &key) const;
  void store(Kind kind, const std::string &key, std::string_view bytes) const;

  /// Nothing if another process or thread has it, or if the folder allows none;
  /// `isHeld` tells these apart.
  std::optional<Lock> tryLock(const std::string &key, bool &isHeld) const;

  /// Why the folder, which exists, is not used; or nothing.
  std::optional<std::string> distrust() const;

private:
  std::string folder;
  uint64_t capacity;

  int open(bool make) const;
  void trim(int descriptor) const;
};

/// `$XDG_CACHE_HOME/girih`, else `$HOME/.cache/girih`, else empty.
std::string defaultCacheFolder();

/// Path, size and time of change of a program, of which keys are made; empty
/// when there is no such file.
std::string programIdentity(const std::string &path);

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_ARTEFACT_CACHE_H
