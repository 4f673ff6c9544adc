// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The soundness theorem of proofs/theory for one kernel, as a file for Coq:
// with it nobody needs to believe the judge and the generator here.

#ifndef GIRIH_CHECKER_INSTANCE_H
#define GIRIH_CHECKER_INSTANCE_H

#include "checker/Verify.h"

namespace girih::checker {

/// Why the theory has no such theorem of the kernel yet; or empty.
std::string withoutInstance(tile::KernelOp kernel);

/// The kernel, its certificates in the order of its obligations, the theorem.
/// Coq accepts it if its own obligations of the kernel are what the
/// certificates prove. An obligation that has no certificate is given one that
/// proves nothing.
std::string coqInstance(tile::KernelOp kernel, const Verdict &v, Width width);

} // namespace girih::checker

#endif // GIRIH_CHECKER_INSTANCE_H
