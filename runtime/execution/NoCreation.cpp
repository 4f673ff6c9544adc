// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that was built without an assembler has no code of its kernels.

#include "runtime/execution/Creation.h"

namespace girih::detail {

std::span<const CreationKernel> creationKernels() { return {}; }

} // namespace girih::detail
