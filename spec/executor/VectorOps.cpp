// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations between lanes. Sums of floats are added in double, in order, and
// rounded once; their bounds hold for every order.

#include "spec/executor/VectorOps.h"

#include "spec/executor/IntegerOps.h"

#include <algorithm>
#include <cmath>

namespace girih::exec {

/// Gathers lanes of `from`: the source lane moves by `strides` along the axes
/// of the result's shape.
static Value gather(const Value &from, llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<int64_t> strides) {
  Value result;
  llvm::SmallVector<int64_t, 4> at(shape.size(), 0);
  int64_t source = 0;
  while (true) {
    result.pushFrom(from, source);
    size_t k = shape.size();
    while (k > 0) {
      --k;
      source += strides[k];
      if (++at[k] < shape[k]) {
        break;
      }
      source -= strides[k] * shape[k];
      at[k] = 0;
      if (k == 0) {
        return result;
      }
    }
    if (shape.empty()) {
      return result;
    }
  }
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

static Real sumAlong(const Format &format, const Value &from, int64_t first,
                     Axis axis) {
  Sum sum;
  NonFinite seen;
  bool finite = true;
  sum.roundings = axis.length - 1;
  for (int64_t k = 0; k < axis.length; ++k) {
    Real term = from.real(first + k * axis.inner);
    if (!std::isfinite(term.value) || std::isinf(term.bound)) {
      seen.add(term);
      finite = false;
      continue;
    }
    sum.value += term.value;
    sum.magnitude += std::fabs(term.value);
    sum.propagated += term.bound;
    sum.quantum = std::min(sum.quantum, lowestBit(term.value));
  }
  return finite && std::isfinite(sum.value)
             ? finishSum(format, sum)
             : finishNonFinite(format, seen, sum);
}

static Real reduceAlong(Reduction reduction, const Format &format,
                        const Value &from, int64_t first, Axis axis) {
  if (reduction == Reduction::Add) {
    return sumAlong(format, from, first, axis);
  }
  if (reduction == Reduction::Mul) {
    Product product;
    for (int64_t k = 0; k < axis.length; ++k) {
      multiply(product, from.real(first + k * axis.inner));
    }
    return finishProduct(format, product);
  }
  BinaryReal pick = reduction == Reduction::Max ? maximumReal : minimumReal;
  Real result = from.real(first);
  for (int64_t k = 1; k < axis.length; ++k) {
    result = pick(format, result, from.real(first + k * axis.inner));
  }
  return result;
}

Value reduceFloats(Reduction reduction, Kind kind, const Value &from,
                   Axis axis) {
  const Format &format = formatOf(kind);
  Value result;
  for (int64_t o = 0; o < axis.outer; ++o) {
    for (int64_t i = 0; i < axis.inner; ++i) {
      int64_t first = o * axis.length * axis.inner + i;
      result.push(reduceAlong(reduction, format, from, first, axis));
    }
  }
  return result;
}

Value reduceIntegers(Reduction reduction, unsigned bits, const Value &from,
                     Axis axis) {
  static constexpr BinaryInteger apply[] = {addInteger, mulInteger, maxInteger,
                                            minInteger};
  BinaryInteger combine = apply[static_cast<int>(reduction)];
  Value result;
  for (int64_t o = 0; o < axis.outer; ++o) {
    for (int64_t i = 0; i < axis.inner; ++i) {
      int64_t lane = o * axis.length * axis.inner + i;
      int64_t total = from.ints[lane];
      bool uncertain = from.isUncertain(lane);
      for (int64_t k = 1; k < axis.length; ++k) {
        lane += axis.inner;
        total = wrap(
            combine(signedOf(total, bits), signedOf(from.ints[lane], bits)),
            bits);
        uncertain |= from.isUncertain(lane);
      }
      result.push(total, uncertain);
    }
  }
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
                     const Value &lhs, const Value &rhs, Real acc) {
  Sum sum;
  NonFinite seen;
  sum.roundings = shape.depth + 1;
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

Value mmaFloats(Kind kind, MmaShape shape, const Value &lhs, const Value &rhs,
                const Value &acc) {
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
      sum.roundings = shape.depth + 1;
      sum.quantum = std::min(lhsBits[m] + rhsBits[j], lowestBit(start.value));
      bool finite =
          std::isfinite(sum.magnitude) && std::isfinite(sum.propagated);
      result.push(finite ? finishSum(format, sum)
                         : slowLane(format, shape, m, j, lhs, rhs, start));
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
