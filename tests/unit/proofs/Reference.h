// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A third judge for the tests, that shares no arithmetic with the one that is
// tested: big integers, polynomials as maps, and at a leaf no polynomial at
// all but values at random points. It is slow and plain.

#ifndef GIRIH_TESTS_UNIT_PROOFS_REFERENCE_H
#define GIRIH_TESTS_UNIT_PROOFS_REFERENCE_H

#include "proofs/Certificate.h"

namespace girih::proofs::test {

bool referenceRefutes(const std::vector<Fact> &facts, const Certificate &tree);

/// Whether definitions and proved goals among the hypotheses of `all[index]`
/// are what they say: proofs/README.md, word by word.
bool referenceWellFounded(const std::vector<Obligation> &all, size_t index);

} // namespace girih::proofs::test

#endif // GIRIH_TESTS_UNIT_PROOFS_REFERENCE_H
