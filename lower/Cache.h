// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cubins that were assembled before, by the hash of all that they depend on. No
// compilation fails because of them: an entry that cannot be read, or is not
// what its checksum says, is none, and one that cannot be written is not kept.

#ifndef GIRIH_LOWER_CACHE_H
#define GIRIH_LOWER_CACHE_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace girih::lower {

/// A folder of entries, one file each. Writers may be many, in any processes:
/// an entry appears whole, in one step.
class Cache {
public:
  /// An empty name keeps nothing. Beyond `capacity` bytes those go that were
  /// not asked for for longest.
  Cache(std::string folder, uint64_t capacity);

  /// What was stored under a key: 64 hexadecimal digits. An empty one has
  /// nothing.
  std::optional<std::string> find(const std::string &key) const;
  void store(const std::string &key, llvm::StringRef bytes) const;

private:
  std::string folder;
  uint64_t capacity;

  std::string pathOf(const std::string &key) const;
  void trim() const;
};

/// `$XDG_CACHE_HOME/girih`, else `$HOME/.cache/girih`, else empty.
std::string defaultCacheFolder();

/// The key of a cubin: of the bytecode, the target, and the assembler as its
/// version and its file tell it; empty when there is no such file.
std::string cubinKey(llvm::StringRef bytecode, llvm::StringRef target,
                     const std::string &assembler, llvm::StringRef version);

} // namespace girih::lower

#endif // GIRIH_LOWER_CACHE_H
