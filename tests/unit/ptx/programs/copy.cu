// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>
extern "C" __global__ void __launch_bounds__(512)
    copy2d(float *C, const float *A, int M, int N, int ld) {
  int bm = blockIdx.x, bn = blockIdx.y, i = threadIdx.y, j = threadIdx.x;
  int r = bm * 16 + i, c = bn * 32 + j;
  if (r < M && c < N) {
    C[(long long)r * ld + c] = A[(long long)r * ld + c] * 2.0f;
  }
}
