// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linear programs of the search: is there a non-negative combination of
// columns that sums to a negative constant? Solved in floating point, answered
// exactly.

#ifndef GIRIH_CHECKER_SEARCH_LINEAR_LINEARPROGRAM_H
#define GIRIH_CHECKER_SEARCH_LINEAR_LINEARPROGRAM_H

#include "proofs/Poly.h"

#include <memory>

namespace girih::search {

/// An entry of a column: row 0 holds the constants.
struct LinearEntry {
  uint32_t row;
  proofs::Int value;
};
using LinearColumn = std::vector<LinearEntry>;

/// A column with its multiplier.
using Multiplier = std::pair<uint32_t, proofs::Int>;

enum class LinearAnswer {
  Found,      ///< positive multipliers, without a common factor
  Impossible, ///< there are none (in floating point, when it came to that)
  Exhausted,  ///< out of pivots
  Unclear,    ///< only in floating point
};

/// Asks for multipliers x >= 0 with sum of x[j] * column[j] = (c, 0, ..., 0),
/// c < 0. Copies are cheap and columns can be added to a program that had no
/// answer: it goes on from where it was.
class LinearProgram {
public:
  LinearProgram();
  LinearProgram(const LinearProgram &other);
  LinearProgram(LinearProgram &&other) noexcept;
  LinearProgram &operator=(LinearProgram &&other) noexcept;
  ~LinearProgram();

  /// From now on the rows are 0 .. rows-1; columns are numbered on.
  void add(uint32_t rows, std::vector<LinearColumn> columns);

  /// `steps` is what may still be spent, and is counted down: one for a pivot
  /// of a small program, more for a large one. Unless `tight`, answers are
  /// missed in which large constants nearly cancel.
  LinearAnswer solve(uint64_t &steps, std::vector<Multiplier> &out,
                     bool tight = true);

  /// The same from scratch by exact rational arithmetic: slow, for small
  /// programs where floating point has no answer.
  LinearAnswer solveExactly(uint64_t &steps, std::vector<Multiplier> &out);

private:
  struct Data;
  std::unique_ptr<Data> data;
};

} // namespace girih::search

#endif // GIRIH_CHECKER_SEARCH_LINEAR_LINEARPROGRAM_H
