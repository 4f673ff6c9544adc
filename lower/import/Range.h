// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals of integers: what is known of a number without a proof. An op whose
// result they show to fit owes nothing.

#ifndef GIRIH_LOWER_IMPORT_RANGE_H
#define GIRIH_LOWER_IMPORT_RANGE_H

#include <cstdint>
#include <optional>

namespace girih::importer {

/// The numbers from low to high, both included.
struct Range {
  int64_t low = 0, high = 0;
  bool operator==(const Range &) const = default;
};

/// Of integers with so many bits, read with sign.
Range signedRange(unsigned bits);
bool contains(const Range &outer, const Range &inner);
/// What both allow; `x` where nothing is in both.
Range both(const Range &x, const Range &y);
Range either(const Range &x, const Range &y);

/// Nothing where a result may have more than 62 bits: an `index` that is the
/// sum of two such numbers still holds it.
std::optional<Range> add(const Range &x, const Range &y);
std::optional<Range> subtract(const Range &x, const Range &y);
std::optional<Range> multiply(const Range &x, const Range &y);

/// Of a dividend that is at least 0 and a divisor that is at least 1.
Range quotient(const Range &x, const Range &d, bool up);
Range rest(const Range &x, const Range &d);

enum class Order { Equal, Different, Below, AtMost, Above, AtLeast };
/// The truth of a comparison where the intervals tell it.
std::optional<bool> compared(Order order, const Range &x, const Range &y);

} // namespace girih::importer

#endif // GIRIH_LOWER_IMPORT_RANGE_H
