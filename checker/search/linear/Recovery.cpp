// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/linear/Recovery.h"

#include <cmath>
#include <compare>
#include <map>
#include <optional>

namespace girih::search {

using proofs::Int;
using Integer = boost::multiprecision::cpp_int;

Rational toRational(Int x) {
  Integer high = static_cast<int64_t>(x >> 64);
  return Rational((high << 64) + static_cast<uint64_t>(x));
}

namespace {
/// A fraction in 128 bits, which most are. When one does not fit, all that was
/// computed since the flag was cleared is void.
class Fraction {
public:
  static inline thread_local bool overflow = false;

  Fraction(Int n = 0) : n(n) {}
  Fraction(Int num, Int den) : n(num), d(den) {
    if (!overflow && d != 1) {
      Int common = gcd(magnitude(n), d);
      n /= common, d /= common;
    }
  }

  Int numerator() const { return n; }
  Int denominator() const { return d; }

  static Int times(Int a, Int b) {
    Int out = 0;
    overflow |= __builtin_mul_overflow(a, b, &out);
    return out;
  }
  static Int plus(Int a, Int b) {
    Int out = 0;
    overflow |= __builtin_add_overflow(a, b, &out);
    return out;
  }
  static Int magnitude(Int a) { return a < 0 ? times(a, -1) : a; }
  /// Of numbers that are not negative.
  static Int gcd(Int a, Int b) {
    while (b != 0) {
      bool isShort = (a | b) >> 64 == 0;
      Int rest = isShort ? Int(uint64_t(a) % uint64_t(b)) : a % b;
      a = b, b = rest;
    }
    return a;
  }

  friend Fraction operator*(const Fraction &a, const Fraction &b) {
    return Fraction(times(a.n, b.n), times(a.d, b.d));
  }
  friend Fraction operator/(const Fraction &a, const Fraction &b) {
    Int sign = b.n < 0 ? -1 : 1;
    return Fraction(times(times(a.n, b.d), sign), times(a.d, magnitude(b.n)));
  }
  friend Fraction operator+(const Fraction &a, const Fraction &b) {
    return a.d == b.d ? Fraction(plus(a.n, b.n), a.d)
                      : Fraction(plus(times(a.n, b.d), times(b.n, a.d)),
                                 times(a.d, b.d));
  }
  Fraction operator-() const { return Fraction(times(n, -1), d); }
  friend bool operator==(const Fraction &a, int b) { return a.n == b * a.d; }
  friend auto operator<=>(const Fraction &a, int b) { return a.n <=> b * a.d; }

private:
  Int n, d = 1; ///< d > 0, without a common factor
};

template <typename Number> Number fromInt(Int x) {
  if constexpr (std::is_same_v<Number, Rational>) {
    return toRational(x);
  } else {
    return Number(x);
  }
}
} // namespace

bool toIntegers(const std::vector<std::pair<uint32_t, Rational>> &x,
                std::vector<Multiplier> &out) {
  Integer scale = 1, common = 0;
  for (auto &[column, v] : x) {
    scale = lcm(scale, denominator(v));
  }
  for (auto &[column, v] : x) {
    common = gcd(common, Integer(numerator(v) * (scale / denominator(v))));
  }
  const Integer limit = Integer(1) << 120;
  out.clear();
  for (auto &[column, v] : x) {
    Integer w = numerator(v) * (scale / denominator(v)) / common;
    if (w >= limit) {
      return false;
    }
    Int value = 0;
    for (int shift = 64; shift >= 0; shift -= 64) {
      value = value << 64 |
              static_cast<uint64_t>(Integer(w >> shift) & ~uint64_t(0));
    }
    out.push_back({column, value});
  }
  return !out.empty();
}

/// The same; to be asked whether anything overflowed.
static bool toIntegers(const std::vector<std::pair<uint32_t, Fraction>> &x,
                       std::vector<Multiplier> &out) {
  if (Fraction::overflow) {
    return false; // and divisors may be 0
  }
  Int scale = 1, common = 0;
  for (auto &[column, v] : x) {
    Int missing = v.denominator() / Fraction::gcd(scale, v.denominator());
    scale = Fraction::times(scale, missing);
    if (Fraction::overflow) {
      return false;
    }
  }
  out.clear();
  for (auto &[column, v] : x) {
    Int w = Fraction::times(v.numerator(), scale / v.denominator());
    if (Fraction::overflow) {
      return false;
    }
    common = Fraction::gcd(common, w);
    out.push_back({column, w});
  }
  bool fits = !out.empty();
  for (Multiplier &m : out) {
    m.second /= common;
    fits &= m.second < Int(1) << 120;
  }
  return fits;
}

/// A rational near x, by continued fractions.
template <typename Number> static Number approximate(double x) {
  Number p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  double rest = x;
  for (int i = 0; i < 12; ++i) {
    double whole = std::floor(rest);
    Number a = fromInt<Number>(static_cast<int64_t>(std::min(whole, 9e15)));
    Number p = a * p1 + p0, q = a * q1 + q0;
    p0 = p1, q0 = q1, p1 = p, q1 = q;
    double error = rest - whole;
    if (error < 1e-6 || q1 > 1000000) {
      break;
    }
    rest = 1 / error;
  }
  return p1 / q1;
}

/// Solves the homogeneous equations of all rows but the constant one, then
/// checks signs.
template <typename Number>
static bool solve(const Columns &columns, const std::vector<uint32_t> &support,
                  const std::vector<double> &near,
                  std::vector<Multiplier> &out) {
  using Row = std::vector<std::pair<uint32_t, Number>>; // sorted by column
  std::map<uint32_t, Row> byRow;
  for (uint32_t k = 0; k < support.size(); ++k) {
    for (const LinearEntry &e : *columns[support[k]]) {
      if (e.row != 0) {
        byRow[e.row].push_back({k, fromInt<Number>(e.value)});
      }
    }
  }
  // Gauss-Jordan; a row that has found its pivot is kept reduced.
  std::vector<std::pair<uint32_t, Row>> done; // pivot column, row
  auto at = [](const Row &row, uint32_t k) -> const Number * {
    auto it = std::lower_bound(row.begin(), row.end(), k,
                               [](const auto &entry, uint32_t column) {
                                 return entry.first < column;
                               });
    return it != row.end() && it->first == k ? &it->second : nullptr;
  };
  auto eliminate = [](const Row &row, const Number &factor, const Row &pivot) {
    Row sum;
    size_t i = 0, j = 0;
    while (i < row.size() || j < pivot.size()) {
      if (j == pivot.size() ||
          (i < row.size() && row[i].first < pivot[j].first)) {
        sum.push_back(row[i++]);
      } else {
        bool shared = i < row.size() && row[i].first == pivot[j].first;
        Number x = -(factor * pivot[j].second);
        if (shared) {
          x = x + row[i++].second;
        }
        if (x != 0) {
          sum.push_back({pivot[j].first, x});
        }
        ++j;
      }
    }
    return sum;
  };
  for (auto &[index, row] : byRow) {
    for (auto &[column, pivot] : done) {
      if (const Number *x = at(row, column)) {
        row = eliminate(row, Number(*x), pivot);
      }
    }
    if (row.empty()) {
      continue;
    }
    uint32_t column = row[0].first;
    Number lead = row[0].second;
    for (auto &entry : row) {
      entry.second = entry.second / lead;
    }
    for (auto &[other, pivot] : done) {
      if (const Number *x = at(pivot, column)) {
        pivot = eliminate(pivot, Number(*x), row);
      }
    }
    done.push_back({column, row});
  }
  // What no row determines is free: all relative to the largest of them.
  std::vector<Number> x(support.size(), 0);
  std::vector<bool> determined(support.size(), false);
  for (auto &[column, row] : done) {
    determined[column] = true;
  }
  double largest = 0;
  for (uint32_t k = 0; k < support.size(); ++k) {
    largest = determined[k] ? largest : std::max(largest, near[k]);
  }
  if (largest <= 0) {
    return false;
  }
  for (uint32_t k = 0; k < support.size(); ++k) {
    if (!determined[k]) {
      x[k] = approximate<Number>(near[k] / largest);
    }
  }
  for (auto &[column, row] : done) {
    for (auto &[k, coefficient] : row) {
      if (k != column) {
        x[column] = x[column] + -(coefficient * x[k]);
      }
    }
  }
  Number sum = 0;
  std::vector<std::pair<uint32_t, Number>> positive;
  for (uint32_t k = 0; k < support.size(); ++k) {
    if (x[k] < 0) {
      return false;
    }
    if (x[k] > 0) {
      positive.push_back({support[k], x[k]});
      for (const LinearEntry &e : *columns[support[k]]) {
        if (e.row == 0) {
          sum = sum + x[k] * fromInt<Number>(e.value);
        }
      }
    }
  }
  return sum < 0 && toIntegers(positive, out);
}

bool recover(const Columns &columns, const std::vector<uint32_t> &support,
             const std::vector<double> &near, std::vector<Multiplier> &out) {
  Fraction::overflow = false;
  bool found = solve<Fraction>(columns, support, near, out);
  return Fraction::overflow ? solve<Rational>(columns, support, near, out)
                            : found;
}

} // namespace girih::search
