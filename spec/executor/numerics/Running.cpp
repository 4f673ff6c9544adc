// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes combined one after another.

#include "spec/executor/numerics/Running.h"

#include <algorithm>
#include <cmath>

namespace girih::exec {

void RunningReal::add(Real lane) {
  switch (reduction) {
  case Reduction::Add:
    addTerm(lane);
    break;
  case Reduction::Mul:
    multiply(product, lane);
    break;
  case Reduction::Max:
    extreme = count ? maximumReal(*format, extreme, lane) : lane;
    break;
  case Reduction::Min:
    extreme = count ? minimumReal(*format, extreme, lane) : lane;
    break;
  }
  ++count;
}

void RunningReal::addTerm(Real term) {
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

Real RunningReal::finish() const {
  if (reduction == Reduction::Mul) {
    return finishProduct(*format, product);
  }
  if (reduction != Reduction::Add) {
    return extreme;
  }
  Sum total = sum;
  total.roundings = count - 1;
  return finite && std::isfinite(total.value)
             ? finishSum(*format, total)
             : finishNonFinite(*format, seen, total);
}

Real RunningReal::finishFlushed() const {
  Real result = finish();
  // Multiples of the smallest normal number are never subnormal.
  if (sum.quantum < format->minExponent && std::isfinite(result.value)) {
    result.bound +=
        2 * static_cast<double>(count) * std::ldexp(1.0, format->minExponent);
  }
  return result;
}

void RunningInteger::add(int64_t lane, bool isUncertain) {
  static constexpr BinaryInteger apply[] = {addInteger, mulInteger, maxInteger,
                                            minInteger};
  BinaryInteger combine = apply[static_cast<int>(reduction)];
  total = isFirst ? lane
                  : wrap(combine(signedOf(total, bits), signedOf(lane, bits)),
                         bits);
  uncertain |= isUncertain;
  isFirst = false;
}

} // namespace girih::exec
