// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between the parts of the judge.

#ifndef GIRIH_PROOFS_REFUTE_H
#define GIRIH_PROOFS_REFUTE_H

#include "proofs/Judge.h"

namespace girih::proofs {

/// As `refutes`, of facts that live elsewhere: the obligations of a kernel
/// repeat thousands, and copies cost more than the arithmetic.
CheckResult refutesThese(std::vector<const Fact *> facts,
                         const Certificate &tree, uint64_t most);

} // namespace girih::proofs

#endif // GIRIH_PROOFS_REFUTE_H
