// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations between lanes. Sums of floats are added in double, in order, and
// rounded once; their bounds hold for every order.

#include "spec/executor/numerics/VectorOps.h"

#include "spec/executor/numerics/Running.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace girih::exec {

/// Gathers lanes: the source lane begins at `from` and moves by `strides` along
/// the axes of the result's shape.
template <typename T>
static void gatherLanes(const T *from, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> strides, T *into) {
  if (shape.empty()) {
    *into = *from;
    return;
  }
  size_t outer = shape.size() - 1;
  int64_t run = shape.back(), step = strides.back();
  llvm::SmallVector<int64_t, 4> at(outer, 0);
  while (true) {
    if (step == 0) {
      into = std::fill_n(into, run, *from);
    } else if (step == 1) {
      into = std::copy_n(from, run, into);
    } else {
      for (int64_t i = 0; i < run; ++i) {
        *into++ = from[i * step];
      }
    }
    size_t k = outer;
    for (; k > 0; --k) {
      from += strides[k - 1];
      if (++at[k - 1] < shape[k - 1]) {
        break;
      }
      from -= strides[k - 1] * shape[k - 1];
      at[k - 1] = 0;
    }
    if (k == 0) {
      return;
    }
  }
}

static Value gather(const Value &from, llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<int64_t> strides, int64_t source = 0) {
  size_t count = 1;
  for (int64_t extent : shape) {
    count *= static_cast<size_t>(extent);
  }
  Value result;
  auto take = [&](const auto &lanes, auto &into) {
    if (!lanes.empty()) {
      into.resize_for_overwrite(count);
      gatherLanes(lanes.data() + source, shape, strides, into.data());
    }
  };
  take(from.floats, result.floats);
  take(from.ints, result.ints);
  take(from.bounds, result.bounds);
  take(from.uncertain, result.uncertain);
  // Nothing says that all lanes are exact.
  if (llvm::all_of(result.bounds, [](double bound) { return bound == 0; })) {
    result.bounds.clear();
  }
  if (llvm::all_of(result.uncertain, [](uint8_t flips) { return !flips; })) {
    result.uncertain.clear();
  }
  return result;
}

static llvm::SmallVector<int64_t, 4> rowMajor(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 4> strides(shape.size(), 1);
  for (size_t k = shape.size(); k-- > 1;) {
    strides[k - 1] = strides[k] * shape[k];
  }
  return strides;
}

Value broadcast(const Value &from, llvm::ArrayRef<int64_t> fromShape,
                llvm::ArrayRef<int64_t> toShape) {
  llvm::SmallVector<int64_t, 4> strides(toShape.size(), 0);
  llvm::SmallVector<int64_t, 4> own = rowMajor(fromShape);
  size_t shift = toShape.size() - fromShape.size();
  for (size_t k = 0; k < fromShape.size(); ++k) {
    strides[shift + k] = fromShape[k] == 1 ? 0 : own[k];
  }
  return gather(from, toShape, strides);
}

Value transpose(const Value &from, llvm::ArrayRef<int64_t> fromShape,
                llvm::ArrayRef<int64_t> permutation) {
  llvm::SmallVector<int64_t, 4> shape, strides, own = rowMajor(fromShape);
  for (int64_t axis : permutation) {
    shape.push_back(fromShape[axis]);
    strides.push_back(own[axis]);
  }
  return gather(from, shape, strides);
}

Value extract(const Value &from, llvm::ArrayRef<int64_t> fromShape,
              llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> position) {
  llvm::SmallVector<int64_t, 4> strides = rowMajor(fromShape);
  int64_t first = 0;
  for (size_t k = 0; k < shape.size(); ++k) {
    first += position[k] * shape[k] * strides[k];
  }
  return gather(from, shape, strides, first);
}

Value cat(const Value &first, const Value &second, Axis axis) {
  Value result;
  int64_t run = axis.length * axis.inner;
  for (int64_t o = 0; o < axis.outer; ++o) {
    for (const Value *half : {&first, &second}) {
      for (int64_t lane = o * run; lane < (o + 1) * run; ++lane) {
        result.pushFrom(*half, lane);
      }
    }
  }
  return result;
}

namespace {

/// Calls `line` with the first lane of each line along the axis.
template <typename Line> void forEachLine(Axis axis, Line line) {
  for (int64_t o = 0; o < axis.outer; ++o) {
    for (int64_t i = 0; i < axis.inner; ++i) {
      line(o * axis.length * axis.inner + i);
    }
  }
}

} // namespace

Value reduceFloats(Reduction reduction, Kind kind, const Value &from,
                   Axis axis) {
  Value result;
  forEachLine(axis, [&](int64_t first) {
    RunningReal running(reduction, formatOf(kind));
    for (int64_t k = 0; k < axis.length; ++k) {
      running.add(from.real(first + k * axis.inner));
    }
    result.push(running.finish());
  });
  return result;
}

Value reduceIntegers(Reduction reduction, unsigned bits, const Value &from,
                     Axis axis) {
  Value result;
  forEachLine(axis, [&](int64_t first) {
    RunningInteger running(reduction, bits);
    for (int64_t k = 0; k < axis.length; ++k) {
      int64_t lane = first + k * axis.inner;
      running.add(from.ints[lane], from.isUncertain(lane));
    }
    result.push(running.total, running.uncertain);
  });
  return result;
}

Value scanFloats(Reduction reduction, Kind kind, const Value &from, Axis axis,
                 bool reverse) {
  std::vector<Real> lanes(from.floats.size());
  forEachLine(axis, [&](int64_t first) {
    RunningReal running(reduction, formatOf(kind));
    for (int64_t k = 0; k < axis.length; ++k) {
      int64_t at = reverse ? axis.length - 1 - k : k;
      int64_t lane = first + at * axis.inner;
      running.add(from.real(lane));
      lanes[lane] = running.finish();
    }
  });
  Value result;
  for (Real lane : lanes) {
    result.push(lane);
  }
  return result;
}

Value scanIntegers(Reduction reduction, unsigned bits, const Value &from,
                   Axis axis, bool reverse) {
  std::vector<std::pair<int64_t, bool>> lanes(from.ints.size());
  forEachLine(axis, [&](int64_t first) {
    RunningInteger running(reduction, bits);
    for (int64_t k = 0; k < axis.length; ++k) {
      int64_t at = reverse ? axis.length - 1 - k : k;
      int64_t lane = first + at * axis.inner;
      running.add(from.ints[lane], from.isUncertain(lane));
      lanes[lane] = {running.total, running.uncertain};
    }
  });
  Value result;
  for (auto [lane, uncertain] : lanes) {
    result.push(lane, uncertain);
  }
  return result;
}

/// Whether rounding elsewhere may give another lane than `best`.
static bool argumentIsUncertain(const Value &from, int64_t first, Axis axis,
                                int64_t best) {
  Real winner = from.real(first + best * axis.inner);
  bool isNan = std::isnan(winner.value) && winner.bound == 0;
  for (int64_t k = 0; k < axis.length; ++k) {
    Real other = from.real(first + k * axis.inner);
    if (isNan ? k < best && std::isinf(other.bound)
              : k != best && compareIsUncertain(Compare::Olt, winner, other)) {
      return true;
    }
  }
  return false;
}

Value argumentOfFloats(bool largest, const Value &from, Axis axis) {
  auto exceeds = [&](double x, double y) {
    return std::isnan(x) ? !std::isnan(y) : largest ? x > y : x < y;
  };
  Value result;
  forEachLine(axis, [&](int64_t first) {
    int64_t best = 0;
    for (int64_t k = 1; k < axis.length; ++k) {
      if (exceeds(from.floats[first + k * axis.inner],
                  from.floats[first + best * axis.inner])) {
        best = k;
      }
    }
    result.push(best, argumentIsUncertain(from, first, axis, best));
  });
  return result;
}

Value argumentOfIntegers(bool largest, const Value &from, Axis axis) {
  Value result;
  forEachLine(axis, [&](int64_t first) {
    int64_t best = 0;
    bool uncertain = from.isUncertain(first);
    for (int64_t k = 1; k < axis.length; ++k) {
      int64_t lane = from.ints[first + k * axis.inner];
      int64_t other = from.ints[first + best * axis.inner];
      uncertain |= from.isUncertain(first + k * axis.inner);
      best = (largest ? lane > other : lane < other) ? k : best;
    }
    result.push(best, uncertain);
  });
  return result;
}

namespace {

/// Per row of lhs or column of rhs: a lower bound of the lowest bits.
std::vector<int> lowestBits(const Value &from, int64_t lines, int64_t length,
                            int64_t lineStride, int64_t stride) {
  std::vector<int> lowest(lines, Sum::noQuantum);
  for (int64_t line = 0; line < lines; ++line) {
    for (int64_t k = 0; k < length; ++k) {
      double x = from.floats[line * lineStride + k * stride];
      lowest[line] = std::min(lowest[line], lowestBit(x));
    }
  }
  return lowest;
}

/// One row of the result: sums, magnitudes, propagated bounds, by column.
struct Row {
  std::vector<double> sum, magnitude, propagated;
};

} // namespace

static void addRow(Row &row, MmaShape shape, int64_t m, const Value &lhs,
                   const Value &rhs, const std::vector<double> &rhsSize) {
  int64_t n = shape.columns;
  bool exact = lhs.bounds.empty() && rhs.bounds.empty();
  for (int64_t k = 0; k < shape.depth; ++k) {
    Real a = lhs.real(m * shape.depth + k);
    double size = std::fabs(a.value);
    const double *b = &rhs.floats[k * n];
    const double *bSize = &rhsSize[k * n];
    double *sum = row.sum.data(), *magnitude = row.magnitude.data();
    for (int64_t j = 0; j < n; ++j) {
      sum[j] += a.value * b[j];
      magnitude[j] += size * bSize[j];
    }
    for (int64_t j = 0; j < n && !exact; ++j) {
      double bound = rhs.bounds.empty() ? 0 : rhs.bounds[k * n + j];
      row.propagated[j] += size * bound + a.bound * (bSize[j] + bound);
    }
  }
}

/// A lane whose sum is not finite, term by term.
static Real slowLane(const Format &format, MmaShape shape, int64_t m, int64_t j,
                     const Value &lhs, const Value &rhs, Real acc,
                     const Adding &adding) {
  Sum sum;
  NonFinite seen;
  sum.roundings = adding.roundings.value_or(shape.depth + 1);
  sum.lostDigits = adding.lostDigits;
  auto add = [&](Real term) {
    if (std::isfinite(term.value) && std::isfinite(term.bound)) {
      sum.value += term.value;
      sum.magnitude += std::fabs(term.value);
      sum.propagated += term.bound;
      sum.quantum = std::min(sum.quantum, lowestBit(term.value));
    } else {
      seen.add(term);
    }
  };
  add(acc);
  for (int64_t k = 0; k < shape.depth; ++k) {
    add(mulReal(formatOf(Kind::F64), lhs.real(m * shape.depth + k),
                rhs.real(k * shape.columns + j)));
  }
  return finishNonFinite(format, seen, sum);
}

Value scaled(const Value &factors, const Value &scales, Blocks blocks) {
  const Format &exact = formatOf(Kind::F64);
  Value result;
  for (int64_t o = 0; o < blocks.outer; ++o) {
    for (int64_t k = 0; k < blocks.blocks * blocks.block; ++k) {
      for (int64_t i = 0; i < blocks.inner; ++i) {
        int64_t line = o * blocks.blocks + k / blocks.block;
        Real scale = absReal(exact, scales.real(line * blocks.inner + i));
        size_t lane = result.floats.size();
        result.push(mulReal(exact, factors.real(lane), scale));
      }
    }
  }
  return result;
}

Value fewerDigits(const Value &factors) {
  Format tf32 = formatOf(Kind::BF16); // whose exponents it has
  tf32.precision = 11;
  double smallest = std::ldexp(1.0, tf32.minExponent);
  Value result;
  for (size_t i = 0; i < factors.floats.size(); ++i) {
    Real x = factors.real(i);
    double size = std::fabs(x.value);
    bool isKept = x.bound == 0 && (size == 0 || size >= smallest) &&
                  roundTo(tf32, x.value) == x.value;
    if (std::isfinite(x.value) && !isKept) {
      // Cut off, and a number that is subnormal to nothing.
      double reach = size + x.bound;
      x.bound = reach > tf32.largest() ? std::numeric_limits<double>::infinity()
                                       : x.bound + 0x1p-10 * reach + smallest;
    }
    result.push(x);
  }
  return result;
}

Value mmaFloats(Kind kind, MmaShape shape, const Value &lhs, const Value &rhs,
                const Value &acc, Adding adding) {
  const Format &format = formatOf(kind);
  int64_t n = shape.columns;
  std::vector<int> lhsBits =
      lowestBits(lhs, shape.rows, shape.depth, shape.depth, 1);
  std::vector<int> rhsBits = lowestBits(rhs, n, shape.depth, 1, n);
  std::vector<double> rhsSize(rhs.floats.begin(), rhs.floats.end());
  for (double &x : rhsSize) {
    x = std::fabs(x);
  }
  Value result;
  result.floats.reserve(acc.floats.size());
  for (int64_t m = 0; m < shape.rows; ++m) {
    Row row{std::vector<double>(n, -0.0), std::vector<double>(n),
            std::vector<double>(n)};
    addRow(row, shape, m, lhs, rhs, rhsSize);
    for (int64_t j = 0; j < n; ++j) {
      Real start = acc.real(m * n + j);
      Sum sum;
      sum.value = row.sum[j] + start.value;
      sum.magnitude = row.magnitude[j] + std::fabs(start.value);
      sum.propagated = row.propagated[j] + start.bound;
      sum.roundings = adding.roundings.value_or(shape.depth + 1);
      sum.lostDigits = adding.lostDigits;
      sum.quantum = std::min(lhsBits[m] + rhsBits[j], lowestBit(start.value));
      bool finite =
          std::isfinite(sum.magnitude) && std::isfinite(sum.propagated);
      result.push(finite
                      ? finishSum(format, sum)
                      : slowLane(format, shape, m, j, lhs, rhs, start, adding));
    }
  }
  return result;
}

Value mmaIntegers(unsigned bits, MmaShape shape, const Value &lhs,
                  const Value &rhs, const Value &acc) {
  Value result;
  for (int64_t m = 0; m < shape.rows; ++m) {
    for (int64_t j = 0; j < shape.columns; ++j) {
      uint64_t sum = acc.ints[m * shape.columns + j];
      bool uncertain = acc.isUncertain(m * shape.columns + j);
      for (int64_t k = 0; k < shape.depth; ++k) {
        int64_t a = m * shape.depth + k, b = k * shape.columns + j;
        sum += uint64_t(lhs.ints[a]) * uint64_t(rhs.ints[b]);
        uncertain |= lhs.isUncertain(a) || rhs.isUncertain(b);
      }
      result.push(wrap(static_cast<int64_t>(sum), bits), uncertain);
    }
  }
  return result;
}

} // namespace girih::exec
