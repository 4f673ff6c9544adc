// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random kernels: those of fuzz/, which are about indices, and others for what
// they leave alone.

#ifndef GIRIH_TESTS_UNIT_COQ_RANDOMKERNELS_H
#define GIRIH_TESTS_UNIT_COQ_RANDOMKERNELS_H

#include "fuzz/generators/Generator.h"

namespace girih::test {

/// Safe, with a mistake, or random arithmetic.
fuzz::Sample indexKernel(uint64_t seed);

/// Every op on values, at random, over small tensors of all element types.
fuzz::Sample valueKernel(uint64_t seed);

/// A contract alone: expressions, strides, numbers small and huge.
fuzz::Sample contractKernel(uint64_t seed);

/// Views of views, claims and loads of their tiles.
fuzz::Sample viewKernel(uint64_t seed);

/// Facts about contents, and loads of numbers that they are about.
fuzz::Sample lookupKernel(uint64_t seed);

} // namespace girih::test

#endif // GIRIH_TESTS_UNIT_COQ_RANDOMKERNELS_H
