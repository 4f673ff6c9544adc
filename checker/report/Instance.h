// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The theorems of proofs/theory for one kernel, as a file for Coq: with them
// nobody needs to believe the judge and the generator here.

#ifndef GIRIH_CHECKER_REPORT_INSTANCE_H
#define GIRIH_CHECKER_REPORT_INSTANCE_H

#include "checker/decide/Verify.h"

namespace girih::checker {

/// Why the theory has no such theorem of the kernel yet; or empty.
std::string withoutInstance(tile::KernelOp kernel);

/// The kernel, its certificates in the order of its obligations, and two
/// theorems: that it is correct, and, where the verdict has a model, that some
/// launch meets its contract. Coq accepts the first if its own obligations of
/// the kernel are what the certificates prove, an obligation that has no
/// certificate being given one that proves nothing; the second if it finds that
/// the model is admitted, and contents that keep what is given.
std::string coqInstance(tile::KernelOp kernel, const Verdict &v, Width width);

} // namespace girih::checker

#endif // GIRIH_CHECKER_REPORT_INSTANCE_H
