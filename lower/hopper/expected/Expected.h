// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the PTX of a schedule may touch, from the kernel that was verified and
// from how it is launched: what the gate on PTX holds it against.

#ifndef GIRIH_LOWER_HOPPER_EXPECTED_EXPECTED_H
#define GIRIH_LOWER_HOPPER_EXPECTED_EXPECTED_H

#include "lower/hopper/Compile.h"
#include "lower/ptx/Expected.h"

namespace girih::hopper {

ptx::Expected expectedOf(const Scheduled &scheduled, const Gemv &gemv);
ptx::Expected expectedOf(const Scheduled &scheduled, const Rows &rows);
ptx::Expected expectedOf(const Scheduled &scheduled, const AttentionStep &step);
ptx::Expected expectedOf(const Scheduled &scheduled,
                         const AttentionSplit &split);
ptx::Expected expectedOf(const Scheduled &scheduled,
                         const AttentionMerge &merge);
ptx::Expected expectedOf(const Scheduled &scheduled, const Skinny &skinny);

/// Of a schedule that `schedule` gave. The PTX has no say in it.
inline ptx::Expected expectedOf(const Scheduled &scheduled) {
  return std::visit(
      [&](const auto &plan) { return expectedOf(scheduled, plan); },
      scheduled.plan);
}

} // namespace girih::hopper

#endif // GIRIH_LOWER_HOPPER_EXPECTED_EXPECTED_H
