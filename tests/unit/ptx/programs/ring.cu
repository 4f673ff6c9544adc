// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_bf16.h>
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;
__device__ __forceinline__ u32 saddr(const void *p) {
  return (u32)__cvta_generic_to_shared(p);
}
__device__ __forceinline__ void mbar_init(u32 b) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
}
__device__ __forceinline__ void mbar_wait(u32 b, u32 parity) {
  asm volatile("{\n.reg .pred p;\nL:\nmbarrier.try_wait.parity.shared::cta.b64 "
               "p, [%0], %1;\n@p bra D;\nbra L;\nD:\n}" ::"r"(b),
               "r"(parity)
               : "memory");
}
__device__ __forceinline__ void bulk_load(u32 dst, const void *src, u32 bytes,
                                          u32 bar) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar),
      "r"(bytes)
      : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(dst),
               "l"(src), "r"(bytes), "r"(bar)
               : "memory");
}
__device__ __forceinline__ uint4 lds128(u32 a) {
  uint4 v;
  asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(a)
               : "memory");
  return v;
}
__device__ __forceinline__ uint4 ldg(const void *p) {
  uint4 v;
  asm volatile("ld.global.nc.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p));
  return v;
}
__device__ __forceinline__ float lo(u32 v) { return __uint_as_float(v << 16); }
__device__ __forceinline__ float hi(u32 v) {
  return __uint_as_float(v & 0xffff0000u);
}
#ifndef SLOTS
#define SLOTS 4
#endif
constexpr int D = SLOTS, K = 1024, S = 2048, R = 64, NW = 8;
extern "C" __global__ void __launch_bounds__(256)
    ring(const __nv_bfloat16 *__restrict__ W,
         const __nv_bfloat16 *__restrict__ X, __nv_bfloat16 *__restrict__ Y,
         i64 N) {
  extern __shared__ __align__(128) char smem[];
  u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  u32 buf = saddr(smem) + warp * (D * S),
      bar = saddr(smem) + NW * D * S + warp * (D * 8);
  if (lane == 0) {
    for (int d = 0; d < D; d++) {
      mbar_init(bar + d * 8);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncwarp();
  i64 row0 = (i64)blockIdx.x * R + warp;
  i64 end = (i64)blockIdx.x * R + R;
  if (end > N) {
    end = N;
  }
  const char *src = (const char *)W + row0 * (K * 2);
#pragma unroll
  for (int d = 0; d < D; d++) {
    if (row0 + d * NW < end && lane == 0) {
      bulk_load(buf + d * S, src + d * (NW * K * 2), S, bar + d * 8);
    }
  }
  uint4 x[4];
  for (int v = 0; v < 4; v++) {
    x[v] = ldg(X + (v * 32 + lane) * 8);
  }
  u32 slot = 0, par = 0;
  for (i64 r = row0; r < end; r += NW) {
    mbar_wait(bar + slot * 8, par);
    float a = 0;
    for (int v = 0; v < 4; v++) {
      uint4 w = lds128(buf + slot * S + (v * 32 + lane) * 16);
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
    asm volatile("" ::"f"(a) : "memory");
    if (r + D * NW < end && lane == 0) {
      bulk_load(buf + slot * S, (const char *)W + (r + D * NW) * (K * 2), S,
                bar + slot * 8);
    }
    if (lane == 0) {
      Y[r] = __float2bfloat16(a);
    }
    slot++;
    if (slot == D) {
      slot = 0;
      par ^= 1;
    }
  }
}
