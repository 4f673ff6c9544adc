// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes combined one after another.

#include "spec/executor/numerics/Running.h"

#include <cmath>

namespace girih::exec {

void RunningReal::combine(Real lane) {
  if (reduction == Reduction::Mul) {
    multiply(product, lane);
  } else if (count == 0) {
    extreme = lane;
  } else {
    extreme = reduction == Reduction::Max ? maximumReal(*format, extreme, lane)
                                          : minimumReal(*format, extreme, lane);
  }
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
