// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What obligations say under concrete numbers: an evaluator of its own, so that
// no mistake in the judge or the generator of obligations hides here as well.

#ifndef GIRIH_FUZZ_SANITISER_EVALUATE_H
#define GIRIH_FUZZ_SANITISER_EVALUATE_H

#include "proofs/Obligation.h"

#include <optional>
#include <vector>

namespace girih::fuzz {

using Wide = __int128;

/// A number for each variable of an obligation, as far as there is one.
using Environment = std::vector<std::optional<Wide>>;

/// Nothing when a variable has no number or 128 bits do not suffice.
std::optional<Wide> evaluate(const proofs::Poly &p, const Environment &env);

/// Whether the fact holds; nothing when that cannot be told.
std::optional<bool> holds(const proofs::Fact &f, const Environment &env);

enum class Computed {
  Done,
  Untold,    ///< an argument has no number
  Undefined, ///< a division by less than 1 or of a negative number
};

/// Gives the results of a definition their numbers.
Computed compute(const proofs::Definition &d, Environment &env);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_SANITISER_EVALUATE_H
