// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes that a launch touches through one pointer, as few ranges as there can
// be.

#ifndef GIRIH_TESTS_SIMULATED_RANGES_H
#define GIRIH_TESTS_SIMULATED_RANGES_H

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace girih::simulated {

class Ranges {
public:
  void add(uint64_t begin, uint64_t end) {
    if (begin >= end) {
      return;
    }
    auto after = list.upper_bound(begin);
    auto at = after;
    if (after != list.begin() && std::prev(after)->second >= begin) {
      at = std::prev(after);
      at->second = std::max(at->second, end);
    } else {
      at = list.emplace_hint(after, begin, end);
    }
    for (auto next = std::next(at);
         next != list.end() && next->first <= at->second;
         next = list.erase(next)) {
      at->second = std::max(at->second, next->second);
    }
  }
  /// From the begin of each to its end.
  const std::map<uint64_t, uint64_t> &all() const { return list; }

private:
  std::map<uint64_t, uint64_t> list;
};

} // namespace girih::simulated

#endif // GIRIH_TESTS_SIMULATED_RANGES_H
