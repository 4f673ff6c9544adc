// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dual simplex for `minimise costs * x, A x = -e0, x >= 0` with positive
// costs, in floating point or exactly. The first basis is one slack a row,
// fixed at zero; only row 0 violates it. Slack that has left stays out. What is
// stored of the inverse of the basis are the columns of rows whose slack has
// left, so that work grows with the rows in use and not with all of them.
//
// Rows and columns may be added after a run: it goes on from where it was, and
// a new column that is too cheap for that becomes dearer.

#ifndef GIRIH_CHECKER_SEARCH_LINEAR_SIMPLEX_H
#define GIRIH_CHECKER_SEARCH_LINEAR_SIMPLEX_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace girih::search {

template <typename Number> class Simplex {
public:
  struct Entry {
    uint32_t index; ///< of the row, or of the column
    Number value;
  };
  enum class State { Optimal, Infeasible, Exhausted };

  Simplex() {
    addRows(1);
    value[0] = Number(-1);
  }

  void addRows(uint32_t count) {
    rowCount += count;
    basic.resize(rowCount, none);
    slotOf.resize(rowCount, none);
    value.resize(rowCount, Number(0));
    inverse.resize(size_t(rowCount) * stride, Number(0));
    filled.resize(rowCount, 0);
  }

  /// Columns as their entries one after the other: those of column j begin at
  /// start[j]; the last of `start` is their number.
  void addColumns(std::vector<uint32_t> start, std::vector<Entry> entries,
                  const std::vector<Number> &costs) {
    auto chunk = std::make_shared<Chunk>();
    chunk->first = uint32_t(position.size());
    chunk->rowStart.assign(rowCount + 1, 0);
    for (const Entry &e : entries) {
      ++chunk->rowStart[e.index + 1];
    }
    for (uint32_t r = 0; r < rowCount; ++r) {
      chunk->rowStart[r + 1] += chunk->rowStart[r];
    }
    chunk->rowEntries.resize(entries.size());
    std::vector<uint32_t> next = chunk->rowStart;
    std::vector<Number> dual = duals();
    for (uint32_t j = 0; j + 1 < start.size(); ++j) {
      Number slack = costs[j];
      for (uint32_t k = start[j]; k < start[j + 1]; ++k) {
        const Entry &e = entries[k];
        chunk->rowEntries[next[e.index]++] = {chunk->first + j, e.value};
        slack -= dual[e.index] * e.value;
      }
      cost.push_back(slack < Number(0) ? costs[j] - slack : costs[j]);
      reduced.push_back(slack < Number(0) ? Number(0) : slack);
    }
    position.resize(cost.size(), none);
    chunk->start = std::move(start);
    chunk->entries = std::move(entries);
    chunks.push_back(std::move(chunk));
  }

  State run(uint64_t &pivots) {
    uint64_t sinceRefactor = 0;
    price.assign(position.size(), Number(0));
    marked.assign(position.size(), 0);
    touched.clear();
    while (true) {
      std::optional<uint32_t> leaving = chooseLeaving();
      if (!leaving) {
        return State::Optimal;
      }
      uint32_t r = *leaving;
      bool increase = value[r] < Number(0);
      priceRow(r);
      std::optional<uint32_t> entering = chooseEntering(increase);
      if (!entering) {
        return State::Infeasible;
      }
      if (pivots == 0) {
        return State::Exhausted;
      }
      --pivots;
      transform(*entering);
      if (inexact && !agree(column[r], price[*entering])) {
        if (sinceRefactor == 0 || !refactor()) {
          return State::Exhausted;
        }
        sinceRefactor = 0;
        continue;
      }
      pivot(r, *entering);
      constexpr uint64_t interval = 50;
      if (inexact && ++sinceRefactor == interval) {
        if (!refactor()) {
          return State::Exhausted;
        }
        sinceRefactor = 0;
      }
    }
  }

  /// The value of column j in the basis that `run` ended with.
  Number valueOf(uint32_t j) const {
    return position[j] == none ? Number(0) : value[position[j]];
  }

  /// What is taken for zero.
  static Number tolerance() {
    return Number(wide ? 1e-22 : inexact ? 1e-9 : 0);
  }

private:
  static Number negligible() { return tolerance() / Number(100000); }

  static constexpr uint32_t none = ~uint32_t(0);
  static constexpr bool wide = std::is_same_v<Number, __float128>;
  static constexpr bool inexact = wide || std::is_same_v<Number, double>;

  /// Columns that came together; shared by the copies of a program.
  struct Chunk {
    uint32_t first;
    std::vector<uint32_t> start, rowStart;
    std::vector<Entry> entries, rowEntries; ///< by column, by row
  };

  /// A part of the entries of a chunk.
  struct Range {
    const Entry *from, *to;
    const Entry *begin() const { return from; }
    const Entry *end() const { return to; }
  };

  uint32_t rowCount = 0;
  std::vector<std::shared_ptr<const Chunk>> chunks;
  std::vector<Number> reduced; ///< reduced costs, by column, >= 0
  std::vector<Number> cost;
  std::vector<uint32_t> basic; ///< by row: the column in its place, or none
  std::vector<uint32_t>
      position;                 ///< by column: the row of which it is in place
  std::vector<uint32_t> active; ///< rows whose slack has left, by slot
  std::vector<uint32_t> slotOf; ///< by row
  /// By row, `stride` numbers each, then slot: entries of the inverse in the
  /// columns of active rows. A row whose slack is basic has a 1 in its own
  /// column besides.
  std::vector<Number> inverse;
  size_t stride = 0;
  std::vector<char> filled;  ///< by row: whether its numbers are not all 0
  std::vector<Number> value; ///< of what is basic, by row

  /// What is said of the pivot at hand; a copy of the program has none of it.
  template <typename T> struct Scratch : std::vector<T> {
    Scratch() = default;
    Scratch(const Scratch &) {}
    Scratch(Scratch &&) noexcept = default;
    Scratch &operator=(Scratch &&) noexcept = default;
  };
  Scratch<Number> price;     ///< row of the tableau, by column
  Scratch<uint32_t> touched; ///< where price may differ from 0
  Scratch<char> marked;      ///< by column: whether it is in touched
  Scratch<Number> column;    ///< of the tableau, by row

  static Number magnitude(const Number &x) { return x < Number(0) ? -x : x; }
  static bool agree(const Number &a, const Number &b) {
    Number size = magnitude(a) + magnitude(b);
    return magnitude(a - b) * Number(10000000) <= size + Number(1);
  }

  Range entries(uint32_t j) const {
    size_t i = chunks.size() - 1;
    while (chunks[i]->first > j) {
      --i;
    }
    const Chunk &c = *chunks[i];
    uint32_t k = j - c.first;
    return {c.entries.data() + c.start[k], c.entries.data() + c.start[k + 1]};
  }

  Number *inverseRow(uint32_t r) { return inverse.data() + r * stride; }
  const Number *inverseRow(uint32_t r) const {
    return inverse.data() + r * stride;
  }

  /// Dual steepest-edge pricing (J. Forrest and D. Goldfarb, Math. Program. 57,
  /// 1992): the row with the largest violation relative to the length of its
  /// edge.
  std::optional<uint32_t> chooseLeaving() const {
    std::optional<uint32_t> best;
    Number bestScore(0);
    for (uint32_t r = 0; r < rowCount; ++r) {
      bool wrong = basic[r] == none || value[r] < Number(0);
      Number off = magnitude(value[r]);
      if (!wrong || !(tolerance() < off)) {
        continue;
      }
      Number score = off;
      if constexpr (inexact) {
        Number norm = basic[r] == none ? 1 : 0;
        const Number *row = inverseRow(r);
        for (size_t s = 0; filled[r] && s < active.size(); ++s) {
          norm += row[s] * row[s];
        }
        score = off * off / norm;
      }
      if (!best || bestScore < score) {
        best = r;
        bestScore = score;
      }
    }
    return best;
  }

  void addToPrice(uint32_t row, const Number &factor) {
    for (const auto &chunk : chunks) {
      if (row + 1 >= chunk->rowStart.size()) {
        continue;
      }
      const Entry *all = chunk->rowEntries.data();
      for (const Entry &e :
           Range{all + chunk->rowStart[row], all + chunk->rowStart[row + 1]}) {
        if (position[e.index] == none) {
          if (!marked[e.index]) {
            marked[e.index] = 1;
            touched.push_back(e.index);
          }
          price[e.index] += factor * e.value;
        }
      }
    }
  }

  /// price = row r of the inverse times the columns that are not basic.
  void priceRow(uint32_t r) {
    for (uint32_t j : touched) {
      price[j] = Number(0);
      marked[j] = 0;
    }
    touched.clear();
    const Number *row = inverseRow(r);
    for (size_t s = 0; filled[r] && s < active.size(); ++s) {
      if (row[s] != Number(0)) {
        addToPrice(active[s], row[s]);
      }
    }
    if (basic[r] == none) {
      addToPrice(r, Number(1));
    }
  }

  /// The ratio test of P. Harris (Math. Program. 5, 1973): of the columns whose
  /// reduced cost vanishes first, up to the tolerance, the one with the largest
  /// pivot.
  std::optional<uint32_t> chooseEntering(bool increase) const {
    auto size = [&](uint32_t j) { return increase ? -price[j] : price[j]; };
    std::optional<Number> bound;
    for (uint32_t j : touched) {
      Number a = size(j);
      if (tolerance() < a) {
        Number ratio = (reduced[j] + tolerance()) / a;
        if (!bound || ratio < *bound) {
          bound = ratio;
        }
      }
    }
    std::optional<uint32_t> best;
    for (uint32_t j : touched) {
      Number a = size(j);
      if (tolerance() < a && !(*bound * a < reduced[j]) &&
          (!best || size(*best) < a || (size(*best) == a && j < *best))) {
        best = j;
      }
    }
    return best;
  }

  /// column = the inverse times column j.
  void transform(uint32_t j) {
    column.assign(rowCount, Number(0));
    std::vector<std::pair<uint32_t, const Number *>> inActive;
    for (const Entry &e : entries(j)) {
      if (slotOf[e.index] != none) {
        inActive.push_back({slotOf[e.index], &e.value});
      } else {
        column[e.index] = e.value;
      }
    }
    for (uint32_t r = 0; r < rowCount; ++r) {
      if (filled[r]) {
        const Number *row = inverseRow(r);
        for (auto &[slot, x] : inActive) {
          column[r] += row[slot] * *x;
        }
      }
    }
  }

  void widen() {
    size_t wider = std::max<size_t>(16, stride * 2);
    std::vector<Number> moved(rowCount * wider, Number(0));
    for (uint32_t r = 0; r < rowCount; ++r) {
      std::copy(inverseRow(r), inverseRow(r) + stride,
                moved.begin() + r * wider);
    }
    inverse = std::move(moved);
    stride = wider;
  }

  /// Puts column j, transformed in `column`, in place of row r.
  void replace(uint32_t r, uint32_t j) {
    if (slotOf[r] == none) {
      slotOf[r] = static_cast<uint32_t>(active.size());
      if (active.size() == stride) {
        widen();
      }
      inverseRow(r)[active.size()] = Number(1);
      active.push_back(r);
      filled[r] = 1;
    }
    Number *pivotRow = inverseRow(r);
    std::vector<Entry> changes;
    for (uint32_t s = 0; s < active.size(); ++s) {
      if (pivotRow[s] != Number(0)) {
        pivotRow[s] /= column[r];
        changes.push_back({s, pivotRow[s]});
      }
    }
    for (uint32_t i = 0; i < rowCount; ++i) {
      if (i == r || column[i] == Number(0)) {
        continue;
      }
      Number *row = inverseRow(i);
      for (const Entry &e : changes) {
        row[e.index] -= column[i] * e.value;
        if (inexact && magnitude(row[e.index]) < negligible()) {
          row[e.index] = Number(0); // or rounding errors fill the rows
        }
      }
      filled[i] = 1;
    }
    if (basic[r] != none) {
      position[basic[r]] = none;
    }
    basic[r] = j;
    position[j] = r;
  }

  void pivot(uint32_t r, uint32_t j) {
    Number dual = reduced[j] / price[j];
    for (uint32_t i : touched) {
      reduced[i] -= dual * price[i];
      if (reduced[i] < Number(0)) {
        reduced[i] = Number(0); // only rounding gets here
      }
    }
    reduced[j] = Number(0);
    if (basic[r] != none) {
      reduced[basic[r]] = magnitude(dual);
    }
    Number step = value[r] / column[r];
    for (uint32_t i = 0; i < rowCount; ++i) {
      if (column[i] != Number(0)) {
        value[i] -= step * column[i];
      }
    }
    value[r] = step;
    replace(r, j);
  }

  /// The dual values of the basis, by row.
  std::vector<Number> duals() const {
    std::vector<Number> dual(rowCount, Number(0));
    for (uint32_t r = 0; r < rowCount; ++r) {
      if (basic[r] != none) {
        const Number *row = inverseRow(r);
        for (size_t s = 0; s < active.size(); ++s) {
          dual[active[s]] += cost[basic[r]] * row[s];
        }
      }
    }
    return dual;
  }

  /// Computes the inverse, the values and the reduced costs of the basis anew.
  /// False when the basis turns out to be singular.
  bool refactor() {
    std::vector<uint32_t> members;
    for (uint32_t r = 0; r < rowCount; ++r) {
      if (basic[r] != none) {
        members.push_back(basic[r]);
      }
    }
    std::vector<uint32_t> rows = active;
    active.clear();
    slotOf.assign(rowCount, none);
    basic.assign(rowCount, none);
    position.assign(position.size(), none);
    std::fill(inverse.begin(), inverse.end(), Number(0));
    filled.assign(rowCount, 0);
    for (uint32_t j : members) {
      transform(j);
      uint32_t best = none;
      for (uint32_t r : rows) {
        if (basic[r] == none &&
            (best == none || magnitude(column[best]) < magnitude(column[r]))) {
          best = r;
        }
      }
      if (best == none || !(tolerance() < magnitude(column[best]))) {
        return false;
      }
      replace(best, j);
    }
    for (uint32_t r = 0; r < rowCount; ++r) {
      value[r] = slotOf[0] == none ? Number(0) : -inverseRow(r)[slotOf[0]];
    }
    if (slotOf[0] == none) {
      value[0] = Number(-1);
    }
    std::vector<Number> dual = duals();
    for (uint32_t j = 0; j < position.size(); ++j) {
      reduced[j] = Number(0);
      if (position[j] == none) {
        reduced[j] = cost[j];
        for (const Entry &e : entries(j)) {
          reduced[j] -= dual[e.index] * e.value;
        }
        reduced[j] = reduced[j] < Number(0) ? Number(0) : reduced[j];
      }
    }
    return true;
  }
};

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_LINEAR_SIMPLEX_H
