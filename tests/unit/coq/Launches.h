// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random small launches of any kernel, with all that its memory holds.

#ifndef GIRIH_TESTS_UNIT_COQ_LAUNCHES_H
#define GIRIH_TESTS_UNIT_COQ_LAUNCHES_H

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Generator.h"
#include "spec/executor/launch/Launch.h"

#include <optional>

namespace girih::test {

/// Values for the launch symbols: of the box, or small.
std::map<std::string, int64_t>
drawSymbols(tile::KernelOp kernel, const fuzz::Box &box, fuzz::Draw &draw);

/// Contents of the tensors that have some before the launch and values of the
/// float scalars, by name; nothing when that is much. Integers are small
/// numbers or any; floats are few bits, any bits, or infinities and the like.
std::optional<std::map<std::string, exec::Array>>
drawInputs(tile::KernelOp kernel, const exec::AdmittedLaunch &launch,
           fuzz::Draw &draw);

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_COQ_LAUNCHES_H
