// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table from keys to numbers in one piece of memory: the search fills and
// drops thousands of them a second, and a node a key costs more than the work.

#ifndef GIRIH_CHECKER_SEARCH_TABLE_H
#define GIRIH_CHECKER_SEARCH_TABLE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace girih::search {

/// Entries may share a key; what they are is told apart by the caller.
class Table {
public:
  /// The value of the first entry under `key` of which `matches(value)`, or
  /// null. Valid until the next insertion.
  template <typename Matches> uint32_t *find(uint64_t key, Matches matches) {
    if (slots.empty()) {
      return nullptr;
    }
    for (std::size_t i = place(key); slots[i].used; i = next(i)) {
      if (slots[i].key == key && matches(slots[i].value)) {
        return &slots[i].value;
      }
    }
    return nullptr;
  }

  uint32_t *find(uint64_t key) {
    return find(key, [](uint32_t) { return true; });
  }

  void insert(uint64_t key, uint32_t value) {
    if (slots.size() < 2 * ++count) {
      std::vector<Slot> old(std::max<std::size_t>(64, 2 * slots.size()));
      old.swap(slots);
      for (const Slot &s : old) {
        if (s.used) {
          put(s.key, s.value);
        }
      }
    }
    put(key, value);
  }

  /// The value under `key`, which is `value` if there was none.
  uint32_t insertNew(uint64_t key, uint32_t value) {
    if (const uint32_t *known = find(key)) {
      return *known;
    }
    insert(key, value);
    return value;
  }

  std::size_t size() const { return count; }

private:
  struct Slot {
    uint64_t key = 0;
    uint32_t value = 0;
    bool used = false;
  };

  std::size_t place(uint64_t key) const {
    return (key * 0x9e3779b97f4a7c15 >> 32) & (slots.size() - 1);
  }
  std::size_t next(std::size_t i) const { return (i + 1) & (slots.size() - 1); }

  void put(uint64_t key, uint32_t value) {
    std::size_t i = place(key);
    while (slots[i].used) {
      i = next(i);
    }
    slots[i] = {key, value, true};
  }

  std::vector<Slot> slots; ///< a power of two of them, at most half are used
  std::size_t count = 0;
};

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_TABLE_H
