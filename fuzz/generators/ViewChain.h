// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views in random kernels: tensors that are seen as they are only through a
// view, and claims through chains of any views.

#ifndef GIRIH_FUZZ_GENERATORS_VIEWCHAIN_H
#define GIRIH_FUZZ_GENERATORS_VIEWCHAIN_H

#include "fuzz/generators/Draw.h"
#include "fuzz/generators/Writer.h"

#include <functional>

namespace girih::fuzz {

/// Gives the argument of a tensor another shape, and the tensor as a view of
/// it. A tensor that `covers` has no elements beside.
void disguise(Writer &w, Draw &d, Tensor &t, bool covers);

/// A claim and a store through views of a tensor of one axis, at places that
/// `any` picks among indices; mostly behind a guard.
void writeViewClaim(Writer &w, Draw &d, const Tensor &t,
                    const std::function<std::string()> &any);

} // namespace girih::fuzz

#endif // GIRIH_FUZZ_GENERATORS_VIEWCHAIN_H
