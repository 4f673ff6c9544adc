// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/run/Compare.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace girih::runtime {

static std::vector<int64_t> coordinates(const std::vector<int64_t> &shape,
                                        int64_t linear) {
  std::vector<int64_t> at(shape.size());
  for (size_t k = at.size(); k-- > 0;) {
    at[k] = linear % shape[k];
    linear /= shape[k];
  }
  return at;
}

static std::string textOf(const Array &array, int64_t i) {
  return isFloat(array.element)
             ? fmt::format("{}", floatAt(array.element, array.at(i)))
             : std::to_string(integerAt(array.element, array.at(i)));
}

/// How far two numbers are apart; 0 for the same infinity and for two NaN.
static double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) {
    return 0;
  }
  double d = std::fabs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

Comparison compare(const Array &got, const Array &expected,
                   const Array *bounds) {
  Comparison result;
  if (got.shape != expected.shape || got.element != expected.element ||
      (bounds && bounds->shape != got.shape)) {
    result.shape =
        fmt::format("shape [{}] of {} against [{}] of {}",
                    fmt::join(got.shape, ", "), nameOf(got.element),
                    fmt::join(expected.shape, ", "), nameOf(expected.element));
    return result;
  }
  for (int64_t i = 0; i < got.size(); ++i) {
    bool same = false;
    double bound = 0, error = 0;
    if (isFloat(got.element)) {
      bound = bounds ? floatAt(Element::F64, bounds->at(i)) : 0;
      error = distance(floatAt(got.element, got.at(i)),
                       floatAt(expected.element, expected.at(i)));
      same = error <= bound;
    } else {
      int64_t a = integerAt(got.element, got.at(i));
      int64_t b = integerAt(expected.element, expected.at(i));
      error = std::fabs(static_cast<double>(a) - static_cast<double>(b));
      same = a == b;
    }
    // Where the bound promises nothing, the distance says nothing.
    result.maxError =
        std::isinf(bound) ? result.maxError : std::max(result.maxError, error);
    if (!same && result.mismatches++ == 0) {
      result.first = Mismatch{coordinates(got.shape, i), textOf(got, i),
                              textOf(expected, i), bound};
    }
  }
  return result;
}

} // namespace girih::runtime
