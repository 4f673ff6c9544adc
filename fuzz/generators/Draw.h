// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random choices that are the same on every machine, and the points at which a
// safe kernel can be broken: a near miss is the same draw with one point hit.

#ifndef GIRIH_FUZZ_GENERATORS_DRAW_H
#define GIRIH_FUZZ_GENERATORS_DRAW_H

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace girih::fuzz {

class Draw {
public:
  /// Breaks the kernel at point number `active`; -1 leaves it whole.
  explicit Draw(uint64_t seed, int active = -1)
      : engine(seed * 0x9e3779b97f4a7c15u + 1), active(active) {}

  /// 0 to n - 1. The standard's distributions differ between libraries.
  int64_t below(int64_t n) {
    return static_cast<int64_t>(engine() % static_cast<uint64_t>(n));
  }
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T> T pick(std::initializer_list<T> from) {
    return from.begin()[below(static_cast<int64_t>(from.size()))];
  }
  template <typename T> const T &pick(const std::vector<T> &from) {
    return from[static_cast<size_t>(below(std::ssize(from)))];
  }

  /// A point at which the kernel can be broken: true where it is to be. Hitting
  /// one draws nothing, so that the rest of the kernel stays as it was.
  bool mutate(const char *name) {
    points.emplace_back(name);
    return std::ssize(points) - 1 == active;
  }
  const std::vector<std::string> &mutations() const { return points; }

private:
  std::mt19937_64 engine;
  int active;
  std::vector<std::string> points;
};

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_DRAW_H
