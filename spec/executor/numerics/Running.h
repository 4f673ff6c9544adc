// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes combined one after another: what reductions, scans and atomics share.

#ifndef GIRIH_SPEC_EXECUTOR_NUMERICS_RUNNING_H
#define GIRIH_SPEC_EXECUTOR_NUMERICS_RUNNING_H

#include "spec/executor/numerics/IntegerOps.h"
#include "spec/executor/numerics/Numerics.h"
#include "spec/executor/numerics/VectorOps.h"

#include <algorithm>
#include <cmath>

namespace girih::exec {

/// What lanes of floats combine to so far; the bound holds for every order.
class RunningReal {
public:
  RunningReal(Reduction reduction, const Format &format)
      : reduction(reduction), format(&format) {}

  void add(Real lane) {
    if (reduction == Reduction::Add) {
      addTerm(lane);
    } else {
      combine(lane);
    }
    ++count;
  }
  Real finish() const;
  /// Likewise when each addition may take subnormal numbers for zero.
  Real finishFlushed() const;

private:
  /// By anything but addition.
  void combine(Real lane);
  void addTerm(Real term) {
    if (!std::isfinite(term.value) || std::isinf(term.bound)) {
      seen.add(term);
      finite = false;
      return;
    }
    sum.value += term.value;
    sum.magnitude += std::fabs(term.value);
    sum.propagated += term.bound;
    sum.quantum = std::min(sum.quantum, lowestBit(term.value));
  }

  Reduction reduction;
  const Format *format;
  int64_t count = 0;
  bool finite = true;
  Sum sum;
  NonFinite seen;
  Product product;
  Real extreme;
};

/// Likewise of integers of `bits` bits, which wrap.
class RunningInteger {
public:
  RunningInteger(Reduction reduction, unsigned bits)
      : reduction(reduction), bits(bits) {}

  void add(int64_t lane, bool isUncertain);

  int64_t total = 0;
  bool uncertain = false;

private:
  Reduction reduction;
  unsigned bits;
  bool isFirst = true;
};

} // namespace girih::exec

#endif // GIRIH_SPEC_EXECUTOR_NUMERICS_RUNNING_H
