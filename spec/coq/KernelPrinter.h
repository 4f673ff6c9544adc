// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as a term of proofs/theory/Syntax.v, for Coq to reason about what
// the tools read.

#ifndef GIRIH_SPEC_COQ_KERNELPRINTER_H
#define GIRIH_SPEC_COQ_KERNELPRINTER_H

#include "ir/ops/Tile.h"

#include <optional>
#include <string>

namespace girih::coq {

/// Why the kernel is no term of the theory yet: the first op, attribute, type
/// or mode that has no form there, with its line; empty when it is one.
std::string unmechanised(tile::KernelOp kernel);

/// `Kernel "add" [...] ...`, a term of type `kernel` in the scopes Z_scope and
/// string_scope; nothing of a kernel that is not mechanised. The dialect has
/// verified it. Hints are left out; values are numbered by first definition,
/// arguments first.
std::optional<std::string> printKernel(tile::KernelOp kernel);

} // namespace girih::coq

#endif // GIRIH_SPEC_COQ_KERNELPRINTER_H
