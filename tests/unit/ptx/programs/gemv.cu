// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GEMV by plain loads as the back end writes it: fixed K, runtime N, contiguous
// rows a block.
#include <cuda_bf16.h>
typedef unsigned u32;
__device__ __forceinline__ uint4 ldg(const void *p) {
  uint4 v;
  asm volatile(
      "ld.global.nc.L1::no_allocate.L2::256B.v4.u32 {%0,%1,%2,%3}, [%4];"
      : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
      : "l"(p));
  return v;
}
__device__ __forceinline__ float lo(u32 v) { return __uint_as_float(v << 16); }
__device__ __forceinline__ float hi(u32 v) {
  return __uint_as_float(v & 0xffff0000u);
}
extern "C" __global__ void __launch_bounds__(256)
    gemv(const __nv_bfloat16 *W, const __nv_bfloat16 *X, __nv_bfloat16 *Y,
         long long N) {
  // 8 warps, a row each per trip, K = 1024
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  long long row0 = (long long)blockIdx.x * 64;
  long long end = row0 + 64 < N ? row0 + 64 : N;
  uint4 x[4];
  for (int v = 0; v < 4; v++) {
    x[v] = ldg(X + (v * 32 + lane) * 8);
  }
  for (long long r = row0 + warp; r < end; r += 8) {
    float a = 0;
    for (int v = 0; v < 4; v++) {
      uint4 w = ldg(W + r * 1024 + (v * 32 + lane) * 8);
      const u32 *p = &w.x;
      const u32 *q = &x[v].x;
      for (int i = 0; i < 4; i++) {
        a = fmaf(lo(p[i]), lo(q[i]), a);
        a = fmaf(hi(p[i]), hi(q[i]), a);
      }
    }
    for (int o = 16; o; o >>= 1) {
      a += __shfl_xor_sync(~0u, a, o);
    }
    if (lane == 0) {
      Y[r] = __float2bfloat16(a);
    }
  }
}
