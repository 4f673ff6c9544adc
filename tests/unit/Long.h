// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test of the preset `long` is the same test with GIRIH_LONG in its
// environment: more of the same, from other seeds.

#ifndef GIRIH_TESTS_UNIT_LONG_H
#define GIRIH_TESTS_UNIT_LONG_H

#include <cstdlib>
#include <string_view>

namespace girih::test {

inline const bool isLong = std::getenv("GIRIH_LONG") != nullptr;

/// Whether a kernel of the corpus is among those that a test over all of them
/// takes: each sixth, by its name, and every one in the long form. Other kernels
/// are always taken.
inline bool isTaken(std::string_view path) {
  size_t corpus = path.find("tests/corpus/");
  unsigned sum = 0; // the same on every machine
  for (char c : path.substr(corpus == path.npos ? path.size() : corpus)) {
    sum = sum * 31 + static_cast<unsigned char>(c);
  }
  return isLong || sum % 6 == 0;
}

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_LONG_H
