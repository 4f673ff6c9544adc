#!/bin/sh
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the PTX texts of the tests again, by clang and by nvcc. What they are
# compared with does not depend on it: NAME.expected is written by hand.
# What nvcc makes of rowsum (a loop unrolled with a rest) and of sliced (bfi) is
# refused.
# usage: build.sh NVCC
set -e
cd "$(dirname "$0")"
for name in copy rowsum gemv ring sliced; do
  clang++-22 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90a -O3 -S \
    -Wno-unknown-cuda-version $name.cu -o $name.ptx
done
for slots in 1 8; do
  clang++-22 -x cuda --cuda-device-only --cuda-gpu-arch=sm_90a -O3 -S \
    -Wno-unknown-cuda-version -DSLOTS=$slots ring.cu -o ring.$slots.ptx
done
for name in copy gemv ring; do
  "$1" -O3 -std=c++17 -arch=sm_90a -ptx $name.cu -o $name.nvcc.ptx
done
