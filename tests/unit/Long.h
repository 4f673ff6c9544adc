// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test of the preset `long` is the same test with GIRIH_LONG in its
// environment: more of the same, from other seeds.

#ifndef GIRIH_TESTS_UNIT_LONG_H
#define GIRIH_TESTS_UNIT_LONG_H

#include <cstdlib>

namespace girih::test {

inline const bool isLong = std::getenv("GIRIH_LONG") != nullptr;

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_LONG_H
