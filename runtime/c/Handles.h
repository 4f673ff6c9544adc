// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of the C interface. A handle is no pointer but a number that is given
// once in the life of the process: one that is stale, foreign or of another
// kind is found out without a look at any memory, and a use in one thread
// beside a release in another finds the object or does not.

#ifndef GIRIH_RUNTIME_C_HANDLES_H
#define GIRIH_RUNTIME_C_HANDLES_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace girih::runtime {

/// Objects by their handles. `Tag` is the handle's type, `tag` its highest
/// byte: where no machine has addresses.
template <typename Tag, typename Object, uint8_t tag> class Handles {
  static_assert(sizeof(Tag *) == 8);

public:
  Tag *add(std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex);
    uint64_t handle = uint64_t(tag) << 56 | ++last;
    objects.emplace(handle, std::move(object));
    return reinterpret_cast<Tag *>(handle);
  }

  /// Null for a handle that is not ours, or not any more.
  std::shared_ptr<Object> find(const Tag *handle) const {
    std::lock_guard lock(mutex);
    auto found = objects.find(reinterpret_cast<uint64_t>(handle));
    return found == objects.end() ? nullptr : found->second;
  }

  /// As `find`, and the handle is stale from now on.
  std::shared_ptr<Object> take(const Tag *handle) {
    std::lock_guard lock(mutex);
    auto found = objects.find(reinterpret_cast<uint64_t>(handle));
    if (found == objects.end()) {
      return nullptr;
    }
    std::shared_ptr<Object> object = std::move(found->second);
    objects.erase(found);
    return object;
  }

  /// Whether the handle was given, whatever became of it.
  bool wasGiven(const Tag *handle) const {
    std::lock_guard lock(mutex);
    uint64_t number = reinterpret_cast<uint64_t>(handle) ^ uint64_t(tag) << 56;
    return 0 < number && number <= last;
  }

private:
  mutable std::mutex mutex;
  std::unordered_map<uint64_t, std::shared_ptr<Object>> objects;
  uint64_t last = 0;
};

} // namespace girih::runtime

#endif // GIRIH_RUNTIME_C_HANDLES_H
