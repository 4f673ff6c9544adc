// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/import/Range.h"

#include <algorithm>

namespace girih::importer {

Range signedRange(unsigned bits) {
  int64_t high = INT64_MAX >> (64 - bits);
  return {-high - 1, high};
}

bool contains(const Range &outer, const Range &inner) {
  return outer.low <= inner.low && inner.high <= outer.high;
}

Range both(const Range &x, const Range &y) {
  Range r{std::max(x.low, y.low), std::min(x.high, y.high)};
  return r.low <= r.high ? r : x;
}

Range either(const Range &x, const Range &y) {
  return {std::min(x.low, y.low), std::max(x.high, y.high)};
}

static constexpr int64_t most = int64_t(1) << 62;

static std::optional<Range> held(const Range &r) {
  return contains({-most, most}, r) ? std::optional(r) : std::nullopt;
}

std::optional<Range> add(const Range &x, const Range &y) {
  Range r;
  if (__builtin_add_overflow(x.low, y.low, &r.low) ||
      __builtin_add_overflow(x.high, y.high, &r.high)) {
    return std::nullopt;
  }
  return held(r);
}

std::optional<Range> subtract(const Range &x, const Range &y) {
  Range r;
  if (__builtin_sub_overflow(x.low, y.high, &r.low) ||
      __builtin_sub_overflow(x.high, y.low, &r.high)) {
    return std::nullopt;
  }
  return held(r);
}

std::optional<Range> multiply(const Range &x, const Range &y) {
  Range r{INT64_MAX, INT64_MIN};
  for (int64_t a : {x.low, x.high}) {
    for (int64_t b : {y.low, y.high}) {
      int64_t p = 0;
      if (__builtin_mul_overflow(a, b, &p)) {
        return std::nullopt;
      }
      r = {std::min(r.low, p), std::max(r.high, p)};
    }
  }
  return held(r);
}

Range quotient(const Range &x, const Range &d, bool up) {
  int64_t least = std::max<int64_t>(d.low, 1);
  int64_t largest = std::max<int64_t>(d.high, 1);
  int64_t low = std::max<int64_t>(x.low, 0);
  int64_t high = std::max<int64_t>(x.high, 0);
  return {low / largest, high / least + (up && high % least != 0)};
}

Range rest(const Range &x, const Range &d) {
  return {0, std::max<int64_t>(std::min(x.high, d.high - 1), 0)};
}

static std::optional<bool> below(const Range &x, const Range &y) {
  return x.high < y.low    ? std::optional(true)
         : x.low >= y.high ? std::optional(false)
                           : std::nullopt;
}

static std::optional<bool> negated(std::optional<bool> b) {
  return b ? std::optional(!*b) : std::nullopt;
}

static std::optional<bool> equal(const Range &x, const Range &y) {
  if (x.high < y.low || y.high < x.low) {
    return false;
  }
  return x.low == x.high && x == y ? std::optional(true) : std::nullopt;
}

std::optional<bool> compared(Order order, const Range &x, const Range &y) {
  switch (order) {
  case Order::Equal:
    return equal(x, y);
  case Order::Different:
    return negated(equal(x, y));
  case Order::Below:
    return below(x, y);
  case Order::AtMost:
    return negated(below(y, x));
  case Order::Above:
    return below(y, x);
  case Order::AtLeast:
    return negated(below(x, y));
  }
  return std::nullopt;
}

} // namespace girih::importer
