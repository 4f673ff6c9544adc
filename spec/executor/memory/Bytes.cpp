// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "spec/executor/memory/Bytes.h"

#include "spec/executor/numerics/Float.h"

#include <bit>
#include <cstring>

namespace girih::exec {

static_assert(std::endian::native == std::endian::little);

template <typename Bits> static Bits loadAt(const char *bytes, int64_t number) {
  Bits bits;
  std::memcpy(&bits, bytes + number * static_cast<int64_t>(sizeof bits),
              sizeof bits);
  return bits;
}

static uint64_t bitsAt(const Elements &from, int64_t number) {
  if (isSubByte(from.kind)) {
    auto pair = static_cast<uint8_t>(from.bytes[number / 2]);
    return number % 2 == 0 ? pair & 15 : pair >> 4;
  }
  switch (elementBytes(from.kind)) {
  case 1:
    return loadAt<uint8_t>(from.bytes, number);
  case 2:
    return loadAt<uint16_t>(from.bytes, number);
  case 4:
    return loadAt<uint32_t>(from.bytes, number);
  default:
    return loadAt<uint64_t>(from.bytes, number);
  }
}

static void setBits(const Elements &to, uint64_t bits) {
  if (isSubByte(to.kind)) {
    char &pair = to.bytes[to.first / 2];
    pair =
        static_cast<char>(to.first % 2 == 0 ? (pair & 0xf0) | (bits & 15)
                                            : (pair & 15) | (bits & 15) << 4);
    return;
  }
  unsigned size = elementBytes(to.kind);
  std::memcpy(to.bytes + to.first * size, &bits, size);
}

/// Elements that are neighbours, as `number` makes numbers of their bits.
template <typename Bits, typename Number>
static void readRow(const Elements &from, std::span<double> into,
                    Number number) {
  const char *at = from.bytes + from.first * static_cast<int64_t>(sizeof(Bits));
  for (size_t k = 0; k < into.size(); ++k) {
    into[k] = number(loadAt<Bits>(at, static_cast<int64_t>(k)));
  }
}

void readFloats(const Elements &from, std::span<double> into) {
  if (from.step == 1 && from.kind == Kind::BF16) {
    readRow<uint16_t>(from, into, [](uint16_t bits) {
      return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
    });
    return;
  }
  if (from.step == 1 && from.kind == Kind::F32) {
    readRow<uint32_t>(from, into,
                      [](uint32_t bits) { return std::bit_cast<float>(bits); });
    return;
  }
  int64_t number = from.first;
  const Format &format = formatOf(from.kind);
  for (double &x : into) {
    x = fromBits(format, bitsAt(from, number));
    number += from.step;
  }
}

void readIntegers(const Elements &from, std::span<int64_t> into) {
  int64_t number = from.first;
  unsigned width = integerBits(from.kind);
  for (int64_t &x : into) {
    uint64_t bits = bitsAt(from, number);
    x = from.kind == Kind::I1
            ? static_cast<int64_t>(bits != 0)
            : static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
    number += from.step;
  }
}

void writeFloat(const Elements &to, double x) {
  setBits(to, toBits(formatOf(to.kind), x));
}

void writeInteger(const Elements &to, int64_t x) {
  setBits(to, static_cast<uint64_t>(x));
}

} // namespace girih::exec
