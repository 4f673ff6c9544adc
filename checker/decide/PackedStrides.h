// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simplest launches of kernels with strides of their own.

#ifndef GIRIH_CHECKER_DECIDE_PACKEDSTRIDES_H
#define GIRIH_CHECKER_DECIDE_PACKEDSTRIDES_H

#include "checker/decide/Verify.h"

namespace girih::checker {

/// That each stride which is a symbol, and no extent, is that of a packed
/// tensor, over the variables of `vc`. No two elements share memory then,
/// whatever the extents, which a solver need not find out.
std::vector<proofs::Fact> packedStrides(tile::KernelOp kernel, const Vc &vc);

} // namespace girih::checker

#endif // GIRIH_CHECKER_DECIDE_PACKEDSTRIDES_H
