// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What contents tell of the block that writes an element. A tensor that holds
// each number of a range once has a place for each of them, by the pigeonhole
// principle; one that splits a range has a segment for each of its numbers.

#ifndef GIRIH_CHECKER_GENERATE_CONTENTS_H
#define GIRIH_CHECKER_GENERATE_CONTENTS_H

#include "checker/generate/Generate.h"

namespace girih::checker {

/// Whether the contents are given as distinct, and as numbers of a range.
bool holdsEachNumber(const KernelFacts &k, int tensor);

/// The element of such a tensor that holds the number. Obligations first, and
/// facts afterwards: the number is in the range, and the tensor has as many
/// elements as the range has numbers.
Lookup placeOf(KernelFacts &k, int tensor, const proofs::Poly &number);

/// The beginning of the segment that has the number, and that of the next one.
/// Nothing where the tensor is not given as splits. An obligation first, and a
/// fact afterwards: the number is in the range that is split.
std::optional<std::pair<Lookup, Lookup>> segmentOf(KernelFacts &k, int tensor,
                                                   const proofs::Poly &number);

} // namespace girih::checker

#endif // GIRIH_CHECKER_GENERATE_CONTENTS_H
