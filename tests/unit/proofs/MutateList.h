// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changed origins, definitions, renamings, orders and facts in a list of
// obligations.

#ifndef GIRIH_TESTS_UNIT_PROOFS_MUTATELIST_H
#define GIRIH_TESTS_UNIT_PROOFS_MUTATELIST_H

#include "proofs/Obligation.h"

namespace girih::proofs::test {

using Lists = std::vector<std::vector<Obligation>>;

/// Definitions that rest on each other, a lemma about them, and uses of
/// lemmas: as they are, swapped, for others, and not injectively.
std::vector<Obligation> soundList();

/// All lists that differ from this one in one place, or in a definition and
/// the facts that cite it.
Lists changesOf(const std::vector<Obligation> &all);

} // namespace girih::proofs::test

#endif // GIRIH_TESTS_UNIT_PROOFS_MUTATELIST_H
