// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of batches of matrices.

#include "Library.h"
using namespace girih::kernel;

constexpr Sym M{"M"}, N{"N"}, K{"K"}, Z{"Z"};

// Matrices may lie apart, and rows of each.
constexpr Sym sa{"sa"}, sb{"sb"}, sc{"sc"}, lda{"lda"}, ldb{"ldb"}, ldc{"ldc"};

// Tiles of one matrix after those of another, each column by column, so that
// blocks that run at a time share what they read in the L2 cache.
template <int BM, int BN, int BK> struct gemm_batched_tiles {
  With<Shared<bf16, Z, M, K>, strides<sa, lda, 1>> a;
  With<Shared<bf16, Z, K, N>, strides<sb, ldb, 1>> b;
  With<Out<bf16, Z, M, N>, strides<sc, ldc, 1>> c;
  void operator()() {
    if constexpr (BM * BN >= 256 * 256) {
      hint("sm_90", "worker_warps", 8);
      hint("sm_90", "ctas", 2);
      hint("sm_90", "occupancy", 1);
      hint("sm_90", "latency", 6);
      hint("sm_90", "grain", 16); // taken for whole rows alone
    } else {
      // Of two blocks one stores while the other multiplies.
      hint("sm_90", "worker_warps", 4);
      hint("sm_90", "occupancy", 2);
      hint("sm_90", "latency", 3);
    }
    // As in gemm.cpp.
    repack(a, {N >= 512, K >= 128, Z * M * K >= 32768,
               max(513 - M, lda % 2) >= 1});
    repack(b, {M >= 512 - 256 * (ldb % 2), ldb % 4 >= 1, K >= 128,
               Z * K * N >= 131072});
    auto [z, j, i] = grid(Z, ceildiv(N, BN), ceildiv(M, BM));
    auto out = claim<_, BM, BN>(c, {z, i, j});
    auto acc = zeros<f32, BM, BN>();
    for (Index k : range(ceildiv(K, BK))) {
      auto x = load<_, BM, BK>(a, {z, i, k}, pad::zero);
      auto y = load<_, BK, BN>(b, {z, k, j}, pad::zero);
      acc = mma(x, y, acc);
    }
    store(out, to<bf16>(acc));
  }
};

// C[b] = A[b] * B[b] for each of the Z matrices of a batch, in bf16, sums in
// f32. Rows that begin within lines of 128 bytes are read by clusters of two
// blocks, as those of gemm_bf16. any Z, M, N and K, zero and ragged included
struct gemm_batched : Variants<gemm_batched_tiles<256, 256, 64>,
                               gemm_batched_tiles<128, 128, 64>> {
  void operator()() {
    when<gemm_batched_tiles<256, 256, 64>>(
        lda % 8 == 0, ldb % 8 == 0, ldc % 8 == 0, sa % 8 == 0, sb % 8 == 0,
        sc % 8 == 0, N % 8 == 0, lda % 64 + ldb % 64 >= 1, M > 128, N > 128,
        Z * M * N >= 2883584);
  }
};

int main(int argc, char **argv) {
  return library::writeAll(argc, argv,
                           {{"gemm_batched", record<gemm_batched>}});
}
