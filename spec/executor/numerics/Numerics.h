// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float operations on single lanes: the value that the reference computes, and
// beside it how far any other conforming implementation may be away.
//
// A conforming implementation computes what ir/ops/Elementwise.def calls
// rounded once and exact so, the functions within `functionUlps` units in the
// last place, and reduce, scan and mma by additions in any order, each off by
// at most one unit in the last place (so that truncating adders conform).
//
// A bound of 0 promises the same number, the same infinity, or NaN; a bound of
// infinity promises nothing. Bounds are rounded up.

#ifndef GIRIH_SPEC_EXECUTOR_NUMERICS_NUMERICS_H
#define GIRIH_SPEC_EXECUTOR_NUMERICS_NUMERICS_H

#include "spec/executor/numerics/Float.h"

#include <bit>

namespace girih::exec {

/// What a conforming elementary function may be off by.
constexpr double functionUlps = 4;

/// A float lane.
struct Real {
  double value = 0;
  double bound = 0;
};

using UnaryReal = Real (*)(const Format &, Real);
using BinaryReal = Real (*)(const Format &, Real, Real);

// Those of the table, each as its row says: addReal, sqrtReal, sinReal, ...
#define UNARY_REAL(name) Real name(const Format &, Real a);
#define BINARY_REAL(name) Real name(const Format &, Real a, Real b);
#define ELEMENTWISE(name, shape, elements, executor, ...) executor
#include "ir/ops/Elementwise.def"

Real fmaReal(const Format &, Real a, Real b, Real c);
/// `fastmath<afn>`: a subnormal operand or result may be taken for zero.
Real exp2FlushedReal(const Format &, Real a);
/// truncReal, but numbers beyond the largest one become that.
Real convertReal(const Format &, Real a);
/// To f8E8M0FNU: the magnitude, rounded towards zero or up, saturating.
Real powerBelowReal(const Format &, Real a);
Real powerAboveReal(const Format &, Real a);

/// Predicates as arith numbers them.
enum class Compare {
  False,
  Oeq,
  Ogt,
  Oge,
  Olt,
  Ole,
  One,
  Ord,
  Ueq,
  Ugt,
  Uge,
  Ult,
  Ule,
  Une,
  Uno,
  True
};
bool compareReal(Compare predicate, double a, double b);
/// Whether another implementation may see the comparison fall otherwise.
bool compareIsUncertain(Compare predicate, Real a, Real b);

/// The lane that a select gives when the other choice may be taken elsewhere.
Real selectUncertain(Real chosen, Real other);

/// A sum of terms in free order. Terms are added in double; the bound follows
/// from the sum of magnitudes as spec/tile.md derives it.
struct Sum {
  double value = -0.0;   ///< of the terms, in double; of none it is -0
  double magnitude = 0;  ///< of their absolute values
  double propagated = 0; ///< of their bounds
  int64_t roundings = 0; ///< additions, and roundings of products
  int lostDigits = 0;    ///< that each addition lacks of the format's
  /// Every term is a multiple of 2^quantum; `noQuantum` when all are zero.
  int quantum = noQuantum;

  static constexpr int noQuantum = 1 << 20;
};
/// The exponent of the lowest set bit of a finite number.
inline int lowestBit(double x) {
  auto bits = std::bit_cast<uint64_t>(x);
  uint64_t fraction = bits & 0xfffffffffffff;
  int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0) {
    return fraction ? std::countr_zero(fraction) - 1074 : Sum::noQuantum;
  }
  return fraction ? exponent - 1075 + std::countr_zero(fraction)
                  : exponent - 1023;
}
Real finishSum(const Format &, const Sum &);
/// The sum when terms are not all finite.
struct NonFinite {
  bool nan = false, positive = false, negative = false, uncertain = false;
  void add(Real term);
};
Real finishNonFinite(const Format &, const NonFinite &, const Sum &finitePart);

/// A product of factors in free order; non-finite factors count in `value`
/// alone.
struct Product {
  double value = 1;
  double plain = 1;      ///< of |factor|
  double withBounds = 1; ///< of |factor| + bound
  double largest = 1;    ///< of max(1, |factor| + bound): no partial exceeds it
  double smallest = 1;   ///< of min(1, |factor|), zeros left out
  int64_t count = 0;
  int64_t bits = 0;    ///< significant bits of all factors
  int64_t quantum = 0; ///< the lowest bit that any partial product can have
  bool nan = false, infinite = false, uncertain = false;
  bool inexact = false, signUncertain = false;
};
void multiply(Product &, Real factor);
Real finishProduct(const Format &, const Product &);

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_NUMERICS_NUMERICS_H
