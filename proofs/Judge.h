// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge: the one place where "proved" is decided. No solver, no hashing, no
// I/O. It believes the hypotheses whose origin is the kernel (contract, path,
// loop, launch, region, distinct, value); it recomputes definitions from the
// table and accepts a proved goal only from an earlier obligation whose own
// hypotheses all stand here.

#ifndef GIRIH_PROOFS_JUDGE_H
#define GIRIH_PROOFS_JUDGE_H

#include "proofs/Certificate.h"

#include <span>

namespace girih::proofs {

struct CheckResult {
  bool accepted = false;
  std::string reason; ///< why not, when it is not
  uint64_t work = 0;  ///< what the certificate cost, in the units of README.md
};

/// What one certificate may cost, and all that are accepted of a list.
inline constexpr uint64_t maxWork = uint64_t(1) << 24, maxListWork = uint64_t(1)
                                                                     << 26;

/// Whether the tree refutes the facts, at a cost of at most so many units.
/// Nothing but arithmetic.
CheckResult refutes(std::vector<Fact> facts, const Certificate &tree,
                    uint64_t most = maxWork);

/// Whether every definition and every proved goal among the hypotheses of
/// `all[index]` is what it says: definitions equal the table's instance, have
/// fresh results and stand after what they need and what they speak of; a
/// proved goal comes from an obligation before `index`, and all of that one's
/// hypotheses, under the renaming, stand among the earlier hypotheses. Any
/// renaming will do, injective or not: what is proved holds for all integers.
/// For a whole list use `judge`, which shares the work.
CheckResult wellFounded(std::span<const Obligation> all, size_t index);

/// One ruling an obligation, in order. An obligation without certificate (null)
/// is not accepted, nor is one that rests on an obligation that is not, nor one
/// that costs more than `maxWork` or than the accepted ones before it leave of
/// `maxListWork`.
std::vector<CheckResult>
judge(std::span<const Obligation> all,
      std::span<const Certificate *const> certificates);

} // namespace girih::proofs

#endif // GIRIH_PROOFS_JUDGE_H
