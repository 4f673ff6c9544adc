// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer operations in 128 bits, where none of them can overflow.

#include "spec/executor/numerics/IntegerOps.h"

#include <algorithm>

namespace girih::exec {

int64_t wrap(Wide x, unsigned bits) {
  auto low = static_cast<uint64_t>(x);
  if (bits == 1) {
    return static_cast<int64_t>(low & 1);
  }
  unsigned shift = 64 - bits;
  return static_cast<int64_t>(low << shift) >> shift;
}

Wide unsignedOf(int64_t lane, unsigned bits) {
  return static_cast<Wide>(static_cast<uint64_t>(lane) << (64 - bits) >>
                           (64 - bits));
}

bool fits(Wide x, unsigned bits) {
  Wide half = Wide(1) << (bits - 1);
  return -half <= x && x < half;
}

std::string wideText(Wide x) {
  bool negative = x < 0;
  unsigned __int128 rest = negative ? -static_cast<unsigned __int128>(x)
                                    : static_cast<unsigned __int128>(x);
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (negative) {
    digits += '-';
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Wide addInteger(Wide a, Wide b) { return a + b; }
Wide subInteger(Wide a, Wide b) { return a - b; }
Wide mulInteger(Wide a, Wide b) { return a * b; }
Wide mulHighInteger(Wide a, Wide b, unsigned bits) {
  using Natural = unsigned __int128;
  return static_cast<Wide>(Natural(a) * Natural(b) >> bits);
}
Wide divInteger(Wide a, Wide b) { return a / b; }
Wide remInteger(Wide a, Wide b) { return a % b; }
Wide ceilDivInteger(Wide a, Wide b) { return a / b + (a % b != 0); }
Wide minInteger(Wide a, Wide b) { return std::min(a, b); }
Wide maxInteger(Wide a, Wide b) { return std::max(a, b); }
Wide absInteger(Wide a) { return a < 0 ? -a : a; }
Wide andInteger(Wide a, Wide b) { return a & b; }
Wide orInteger(Wide a, Wide b) { return a | b; }
Wide xorInteger(Wide a, Wide b) { return a ^ b; }
Wide shiftLeft(Wide a, Wide b) { return a * (Wide(1) << b); }
Wide shiftRight(Wide a, Wide b) { return a >> b; }

bool compareInteger(CompareInteger predicate, int64_t a, int64_t b,
                    unsigned bits) {
  Wide x = signedOf(a, bits), y = signedOf(b, bits);
  switch (predicate) {
  case CompareInteger::Eq:
    return x == y;
  case CompareInteger::Ne:
    return x != y;
  case CompareInteger::Slt:
    return x < y;
  case CompareInteger::Sle:
    return x <= y;
  case CompareInteger::Sgt:
    return x > y;
  case CompareInteger::Sge:
    return x >= y;
  }
  return false;
}

} // namespace girih::exec
