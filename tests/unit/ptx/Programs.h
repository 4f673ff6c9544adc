// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of these tests: PTX that clang or nvcc made of a source beside
// it, and what the launch and the kernel's maps say, written by hand.

#ifndef GIRIH_TESTS_UNIT_PTX_PROGRAMS_H
#define GIRIH_TESTS_UNIT_PTX_PROGRAMS_H

#include "lower/ptx/Validate.h"

namespace girih::ptx::test {

/// The text of programs/NAME.
std::string program(const std::string &name);

/// programs/NAME.expected.
Expected expectedOf(const std::string &name);

/// Validates with the project's search.
std::variant<Proof, Refusal> validated(const std::string &ptx,
                                       const Expected &expected);

/// What became of it: empty, or `[rule] message`.
std::string refusal(const std::variant<Proof, Refusal> &result);

} // namespace girih::ptx::test

#endif // GIRIH_TESTS_UNIT_PTX_PROGRAMS_H
