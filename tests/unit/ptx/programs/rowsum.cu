// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// one block a row; 256 threads
extern "C" __global__ void __launch_bounds__(256)
    rowsum(float *Y, const float *A, int M, int N) {
  __shared__ float part[8];
  int r = blockIdx.x, t = threadIdx.x;
  float s = 0;
  for (int c = t; c < N; c += 256) {
    s += A[(long long)r * N + c];
  }
  for (int o = 16; o; o >>= 1) {
    s += __shfl_xor_sync(~0u, s, o);
  }
  if (t % 32 == 0) {
    part[t / 32] = s;
  }
  __syncthreads();
  if (t == 0) {
    float a = 0;
    for (int i = 0; i < 8; i++) {
      a += part[i];
    }
    Y[r] = a;
  }
}
