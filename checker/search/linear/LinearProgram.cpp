// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checker/search/linear/LinearProgram.h"

#include "checker/search/linear/Recovery.h"
#include "checker/search/linear/Simplex.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <optional>

namespace girih::search {

using proofs::Int;

/// The exponent of x as a double; x is not 0.
static int exponentOf(Int x) {
  constexpr Int exact = Int(1) << 53;
  return x < exact && x > -exact
             ? 63 - __builtin_clzll(uint64_t(x < 0 ? -x : x))
             : std::ilogb(static_cast<double>(x));
}

/// 2^shift.
static double powerOfTwo(int shift) {
  constexpr int bias = 1023, digits = 52;
  return shift > -bias && shift <= bias
             ? std::bit_cast<double>(uint64_t(bias + shift) << digits)
             : std::ldexp(1.0, shift);
}

/// An integer as a number of a simplex.
template <typename Number> static Number rounded(Int x) {
  bool isShort = x == int64_t(x);
  return isShort ? static_cast<Number>(int64_t(x)) : static_cast<Number>(x);
}

/// The power of two that brings numbers between 2^low and 2^high towards 1.
static int towardsOne(int low, int high) {
  return low > high ? 0 : -((low + high) / 2);
}

namespace {
/// Exponents of powers of two by which rows and columns are multiplied, so that
/// entries come near 1. Those of rows and columns that are in use stay.
struct Scaling {
  std::vector<int> row, column;

  void extend(uint32_t rows, const Columns &columns) {
    constexpr int passes = 3, far = 1000;
    size_t oldRows = row.size(), oldColumns = column.size();
    row.resize(rows, 0);
    column.resize(oldColumns + columns.size(), 0);
    int *added = column.data() + oldColumns;
    std::vector<int> exponents; // of the entries, one after the other
    for (const LinearColumn *c : columns) {
      for (const LinearEntry &e : *c) {
        exponents.push_back(exponentOf(e.value));
      }
    }
    std::vector<int> low(rows), high(rows);
    for (int pass = 0; pass < passes; ++pass) {
      std::fill(low.begin() + oldRows, low.end(), far);
      std::fill(high.begin() + oldRows, high.end(), -far);
      const int *exponent = exponents.data();
      for (size_t j = 0; j < columns.size(); ++j) {
        for (const LinearEntry &e : *columns[j]) {
          int x = *exponent++ + added[j];
          low[e.row] = std::min(low[e.row], x);
          high[e.row] = std::max(high[e.row], x);
        }
      }
      for (uint32_t r = oldRows; r < rows; ++r) {
        row[r] = towardsOne(low[r], high[r]);
      }
      exponent = exponents.data();
      for (size_t j = 0; j < columns.size(); ++j) {
        int least = far, most = -far;
        for (const LinearEntry &e : *columns[j]) {
          int x = *exponent++ + row[e.row];
          least = std::min(least, x);
          most = std::max(most, x);
        }
        added[j] = towardsOne(least, most);
      }
    }
  }
};

/// A simplex in floating point, on scaled columns.
template <typename Number> struct Floating {
  Scaling scaling;
  Simplex<Number> simplex;
  std::vector<uint32_t> members; ///< their numbers in the program

  void add(uint32_t rows, const Columns &columns,
           const std::vector<uint32_t> &numbers) {
    size_t first = members.size();
    simplex.addRows(rows - std::max<size_t>(1, scaling.row.size()));
    scaling.extend(rows, columns);
    std::vector<typename Simplex<Number>::Entry> scaled;
    std::vector<uint32_t> start = {0};
    std::vector<Number> costs;
    costs.reserve(columns.size());
    start.reserve(columns.size() + 1);
    size_t entries = 0;
    for (const LinearColumn *c : columns) {
      entries += c->size();
    }
    scaled.reserve(entries);
    for (size_t j = 0; j < columns.size(); ++j) {
      for (const LinearEntry &e : *columns[j]) {
        int shift = scaling.row[e.row] + scaling.column[first + j];
        scaled.push_back({e.row, rounded<Number>(e.value) * powerOfTwo(shift)});
      }
      start.push_back(static_cast<uint32_t>(scaled.size()));
      // Long columns are dear: certificates are to be short. Distinct costs:
      // no ties, hence no cycles.
      double nudge = (((first + j) * 2654435761u >> 8) % 1024) / 1024.0;
      costs.push_back((1 + 0.1 * columns[j]->size()) * (1 + 0.001 * nudge));
    }
    simplex.addColumns(std::move(start), std::move(scaled), costs);
    members.insert(members.end(), numbers.begin(), numbers.end());
  }
};

/// Doubles do not tell 2^63 from 2^63 - 1, and a program in 113 bits is ten
/// times as dear. So there are three: one of the columns without large
/// constants; one of all columns in which constants are rounded up to units of
/// 2^20; and one of all as they are.
enum class Precision { Small, Coarse, Precise };
} // namespace

static bool isLarge(Int x) {
  constexpr Int limit = Int(1) << 24;
  return x >= limit || x <= -limit;
}

static bool hasLargeConstant(const LinearColumn &c) {
  return std::any_of(c.begin(), c.end(), [](const LinearEntry &e) {
    return e.row == 0 && isLarge(e.value);
  });
}

/// In the coarse view a constant has two digits, of which the higher counts
/// units of 2^20 and stands in a row of its own, behind the constants'.
static constexpr int unitBits = 20;

static LinearColumn coarse(const LinearColumn &c) {
  const Int half = Int(1) << (unitBits - 1);
  LinearColumn out;
  for (const LinearEntry &e : c) {
    if (e.row != 0 || !isLarge(e.value)) {
      out.push_back({e.row == 0 ? 0 : e.row + 1, e.value});
      continue;
    }
    Int units = (e.value + half) >> unitBits;
    Int rest = e.value - (units << unitBits);
    out.push_back({1, units});
    if (rest != 0) {
      out.push_back({0, rest});
    }
  }
  return out;
}

/// What may be given away: a unit is more than 1, and more than 2^16.
static const std::vector<LinearColumn> unitTrades = {
    {{0, -1}, {1, 1}}, {{0, -(Int(1) << 16)}, {1, 1}}};
static constexpr uint32_t noColumn = ~uint32_t(0);

struct LinearProgram::Data {
  uint32_t rows = 1;
  size_t entries = 0, count = 0;
  bool largeConstants = false, largeElsewhere = false;
  std::vector<std::shared_ptr<const std::vector<LinearColumn>>> chunks;
  Floating<double> small, rounded;
  std::optional<Floating<__float128>> precise;

  Columns columns() const {
    Columns out;
    for (const auto &chunk : chunks) {
      for (const LinearColumn &c : *chunk) {
        out.push_back(&c);
      }
    }
    return out;
  }

  /// Brings a program up to date with the columns.
  template <typename Number>
  void update(Floating<Number> &f, Precision precision, size_t seen) const {
    Columns added;
    std::deque<LinearColumn> made;
    std::vector<uint32_t> numbers;
    uint32_t number = 0;
    if (precision == Precision::Coarse && f.members.empty()) {
      for (const LinearColumn &c : unitTrades) {
        added.push_back(&c);
      }
      numbers.assign(added.size(), noColumn);
    }
    for (const auto &chunk : chunks) {
      for (const LinearColumn &c : *chunk) {
        if (number >= seen &&
            !(precision == Precision::Small && hasLargeConstant(c))) {
          added.push_back(precision == Precision::Coarse
                              ? &made.emplace_back(coarse(c))
                              : &c);
          numbers.push_back(number);
        }
        ++number;
      }
    }
    f.add(rows + (precision == Precision::Coarse), added, numbers);
  }

  template <typename Number>
  LinearAnswer solve(Floating<Number> &f, uint64_t &steps,
                     std::vector<Multiplier> &out) {
    using Result = typename Simplex<Number>::State;
    // A pivot goes through the entries, and is slow in 113 bits. A program
    // that needs more pivots than this is stuck in rounding errors.
    uint64_t price = 1 + entries / 1000;
    price *= std::is_same_v<Number, double> ? 1 : 10;
    uint64_t limit = std::min<uint64_t>(steps / price, 50 + 4 * rows);
    uint64_t left = limit;
    Result state = f.simplex.run(left);
    steps -= (limit - left) * price;
    if (state != Result::Optimal) {
      return state == Result::Infeasible ? LinearAnswer::Impossible
                                         : LinearAnswer::Exhausted;
    }
    std::vector<uint32_t> support;
    std::vector<double> near;
    for (uint32_t j = 0; j < f.members.size(); ++j) {
      auto x = f.simplex.valueOf(j);
      if (x > f.simplex.tolerance() && f.members[j] != noColumn) {
        support.push_back(f.members[j]);
        near.push_back(std::ldexp(static_cast<double>(x), f.scaling.column[j]));
      }
    }
    return recover(columns(), support, near, out) ? LinearAnswer::Found
                                                  : LinearAnswer::Unclear;
  }
};

LinearProgram::LinearProgram() : data(std::make_unique<Data>()) {}
LinearProgram::LinearProgram(const LinearProgram &other)
    : data(std::make_unique<Data>(*other.data)) {}
LinearProgram::LinearProgram(LinearProgram &&) noexcept = default;
LinearProgram &LinearProgram::operator=(LinearProgram &&) noexcept = default;
LinearProgram::~LinearProgram() = default;

void LinearProgram::add(uint32_t rows, std::vector<LinearColumn> columns) {
  size_t seen = data->count;
  bool hadLarge = data->largeConstants;
  for (const LinearColumn &c : columns) {
    data->entries += c.size();
    data->largeConstants |= hasLargeConstant(c);
    for (const LinearEntry &e : c) {
      data->largeElsewhere |= e.row != 0 && isLarge(e.value);
    }
  }
  data->rows = rows;
  data->count += columns.size();
  data->chunks.push_back(
      std::make_shared<const std::vector<LinearColumn>>(std::move(columns)));
  data->update(data->small, Precision::Small, seen);
  if (data->largeConstants) {
    data->update(data->rounded, Precision::Coarse, hadLarge ? seen : 0);
  }
  if (data->precise) {
    data->update(*data->precise, Precision::Precise, seen);
  }
}

LinearAnswer LinearProgram::solve(uint64_t &steps, std::vector<Multiplier> &out,
                                  bool tight) {
  LinearAnswer answer = data->largeElsewhere
                            ? LinearAnswer::Unclear
                            : data->solve(data->small, steps, out);
  if (answer != LinearAnswer::Found && data->largeConstants &&
      !data->largeElsewhere) {
    answer = data->solve(data->rounded, steps, out);
  }
  bool unclear = answer == LinearAnswer::Unclear && data->largeConstants;
  if (answer != LinearAnswer::Found &&
      (data->largeElsewhere || unclear || (tight && data->largeConstants))) {
    if (!data->precise) {
      data->update(data->precise.emplace(), Precision::Precise, 0);
    }
    answer = data->solve(*data->precise, steps, out);
  }
  if (answer != LinearAnswer::Unclear) {
    return answer;
  }
  constexpr size_t small = 40;
  return data->rows <= small ? solveExactly(steps, out)
                             : LinearAnswer::Exhausted;
}

LinearAnswer LinearProgram::solveExactly(uint64_t &steps,
                                         std::vector<Multiplier> &out) {
  using Exact = Simplex<Rational>;
  std::vector<Exact::Entry> entries;
  std::vector<uint32_t> start = {0};
  std::vector<Rational> costs;
  for (const LinearColumn *column : data->columns()) {
    for (const LinearEntry &e : *column) {
      entries.push_back({e.row, toRational(e.value)});
    }
    start.push_back(static_cast<uint32_t>(entries.size()));
    costs.push_back(Rational(10240 + 1024 * column->size() + costs.size()));
  }
  // A rational pivot costs as much as some hundred in floating point.
  constexpr uint64_t price = 100;
  uint64_t limit = std::min<uint64_t>(steps / price, 10 + 2 * data->rows);
  uint64_t left = limit;
  size_t count = costs.size();
  Exact simplex;
  simplex.addRows(data->rows - 1);
  simplex.addColumns(std::move(start), std::move(entries), costs);
  Exact::State state = simplex.run(left);
  steps -= (limit - left) * price;
  if (state != Exact::State::Optimal) {
    return state == Exact::State::Infeasible ? LinearAnswer::Impossible
                                             : LinearAnswer::Exhausted;
  }
  std::vector<std::pair<uint32_t, Rational>> positive;
  for (uint32_t j = 0; j < count; ++j) {
    Rational x = simplex.valueOf(j);
    if (x > 0) {
      positive.push_back({j, x});
    }
  }
  return toIntegers(positive, out) ? LinearAnswer::Found
                                   : LinearAnswer::Impossible;
}

} // namespace girih::search
