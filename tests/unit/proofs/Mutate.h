// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every small change of a certificate or of the facts that it refutes. Many
// changes leave a valid proof: what is asked of the judges is agreement.

#ifndef GIRIH_TESTS_UNIT_PROOFS_MUTATE_H
#define GIRIH_TESTS_UNIT_PROOFS_MUTATE_H

#include "Corpus.h"

namespace girih::proofs::test {

/// `Every`: one place of the certificate changed, or two of them (some, by
/// chance); one of the facts; a certificate tried on every other's facts.
/// `Main`, for a large corpus: one place of the certificate changed; a
/// hypothesis weakened by 1 or dropped; a certificate tried on a few others.
enum class Extent { Every, Main };

/// The mutants of one exhibit of a corpus.
std::vector<Exhibit> mutants(const std::vector<Exhibit> &corpus, size_t index,
                             Extent extent);

/// Which to take for a share: one mutant of each family, by chance but always
/// the same: at every node one with a product changed, one with a product more
/// or less, another fact, another variable or polynomial, another kind, other
/// children, the node gone; one for every four facts; all foreign ones.
std::vector<bool> share(const std::vector<Exhibit> &mutants, unsigned seed);

} // namespace girih::proofs::test

#endif // GIRIH_TESTS_UNIT_PROOFS_MUTATE_H
