// C[M, N] = A[M, K] * B[K, N] in bf16, sums in f32. Tiles by rows and columns,
// so that as many multiprocessors as possible read B, once where there are few
// rows. any M, N and K, zero and ragged included
// generated from gemm.cpp
!A = !tile.tensor<[M, K] x bf16, shared, strides [lda, 1]>
!B = !tile.tensor<[K, N] x bf16, shared, strides [ldb, 1]>
!C = !tile.tensor<[M, N] x bf16, out, strides [ldc, 1]>
!ATiles = !tile.partition<[64, 256], [M, K] x bf16, shared, strides [lda, 1]>
!BTiles = !tile.partition<[256, 32], [K, N] x bf16, shared, strides [ldb, 1]>
!CTiles = !tile.partition<[64, 32], [M, N] x bf16, out, strides [ldc, 1]>
!CPiece = !tile.piece<[64, 32] x bf16, out>
!ATiles_1 = !tile.partition<[16, 256], [M, K] x bf16, shared, strides [lda, 1]>
!CTiles_1 = !tile.partition<[16, 32], [M, N] x bf16, out, strides [ldc, 1]>
!CPiece_1 = !tile.piece<[16, 32] x bf16, out>
!ATiles_2 = !tile.partition<[16, 128], [M, K] x bf16, shared, strides [lda, 1]>
!BTiles_1 = !tile.partition<[128, 64], [K, N] x bf16, shared, strides [ldb, 1]>
!CTiles_2 = !tile.partition<[16, 64], [M, N] x bf16, out, strides [ldc, 1]>
!CPiece_2 = !tile.piece<[16, 64] x bf16, out>
!ATiles_3 = !tile.partition<[32, 128], [M, K] x bf16, shared, strides [lda, 1]>
!CTiles_3 = !tile.partition<[32, 64], [M, N] x bf16, out, strides [ldc, 1]>
!CPiece_3 = !tile.piece<[32, 64] x bf16, out>
!BTiles_2 = !tile.partition<[256, 64], [K, N] x bf16, shared, strides [ldb, 1]>
!CTiles_4 = !tile.partition<[64, 64], [M, N] x bf16, out, strides [ldc, 1]>
!CPiece_4 = !tile.piece<[64, 64] x bf16, out>
!ATiles_4 = !tile.partition<[64, 64], [M, K] x bf16, shared, strides [lda, 1]>
!BTiles_3 = !tile.partition<[64, 128], [K, N] x bf16, shared, strides [ldb, 1]>
!CTiles_5 = !tile.partition<[64, 128], [M, N] x bf16, out, strides [ldc, 1]>
!CPiece_5 = !tile.piece<[64, 128] x bf16, out>
!ATiles_5 = !tile.partition<[64, 128], [M, K] x bf16, shared, strides [lda, 1]>
!BTiles_4 = !tile.partition<[128, 128], [K, N] x bf16, shared, strides [ldb, 1]>
!ATiles_6 = !tile.partition<[128, 128], [M, K] x bf16, shared, strides [lda, 1]>
!CTiles_6 = !tile.partition<[128, 64], [M, N] x bf16, out, strides [ldc, 1]>
!CPiece_6 = !tile.piece<[128, 64] x bf16, out>
!ATiles_7 = !tile.partition<[256, 64], [M, K] x bf16, shared, strides [lda, 1]>
!CTiles_7 = !tile.partition<[256, 256], [M, N] x bf16, out, strides [ldc, 1]>
!BTiles_5 = !tile.partition<[64, 256], [K, N] x bf16, shared, strides [ldb, 1]>
!CPiece_7 = !tile.piece<[256, 256] x bf16, out>
!ATiles_8 = !tile.partition<[32, 64], [M, K] x bf16, shared, strides [lda, 1]>
!BTiles_6 = !tile.partition<[64, 64], [K, N] x bf16, shared, strides [ldb, 1]>
!CTiles_8 = !tile.partition<[64, 256], [M, N] x bf16, out, strides [ldc, 1]>
!CPiece_8 = !tile.piece<[64, 256] x bf16, out>
!BTiles_7 = !tile.partition<[128, 256], [K, N] x bf16, shared, strides [ldb, 1]>
!CTiles_9 = !tile.partition<[128, 256], [M, N] x bf16, out, strides [ldc, 1]>
!CPiece_9 = !tile.piece<[128, 256] x bf16, out>
!CTiles_10 = !tile.partition<[128, 128], [M, N] x bf16, out, strides [ldc, 1]>
!CPiece_10 = !tile.piece<[128, 128] x bf16, out>
!ATiles_9 = !tile.partition<[128, 64], [M, K] x bf16, shared, strides [lda, 1]>
tile.variants @gemm_bf16 [@gemm_few_rows_64_32_256_1_6 when (ceildiv(M, 64) * ceildiv(N, 32) <= 132, max(M - 32, 1281 - N) >= 1, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_few_rows_16_32_256_2_6 when (M <= 16, N <= 4224, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_few_rows_16_64_128_3_8 when (M <= 16, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_few_rows_32_64_128_1_8 when (M <= 32, N > 4224, N <= 8448, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_few_rows_64_64_256_1_4 when (M <= 64, N <= 8448, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_few_rows_64_128_64_2_6 when (M <= 64, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_few_rows_64_128_128_1_6 when (ceildiv(M, 64) * ceildiv(N, 128) <= 132, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_few_rows_128_64_128_1_6 when (ceildiv(M, 128) * ceildiv(N, 64) <= 132, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_grouped_whole_256_256_64 when (mod(lda, 64) + mod(ldb, 64) >= 1, M * N >= 2883584, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_ragged_result_64_64_128 when (ceildiv(M, 64) * ceildiv(min(N, 8448), 64) <= 132, mod(lda, 8) == 0, mod(ldb, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_odd_32_64_64_8 when (mod(lda, 2) + mod(ldb, 2) >= 1, ceildiv(M, 32) * ceildiv(N, 64) <= 132), @gemm_odd_64_64_128_8 when (mod(lda, 2) + mod(ldb, 2) >= 1, ceildiv(M, 64) * ceildiv(min(N, 8448), 64) <= 258, 2 * ceildiv(ceildiv(M, 64) * ceildiv(N, 64), 132) <= 3 * ceildiv(ceildiv(M, 64) * ceildiv(N, 128), 132)), @gemm_odd_64_128_128_4 when (mod(lda, 2) + mod(ldb, 2) >= 1, ceildiv(M, 64) * ceildiv(min(N, 8448), 64) <= 258), @gemm_odd_left_64_256_64 when (M <= 2147483647, mod(lda, 2) == 1, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647), @gemm_odd_128_256_128_8 when (mod(lda, 2) + mod(ldb, 2) >= 1, 14 * ceildiv(ceildiv(M, 128) * ceildiv(N, 256), 132) <= 3 * ceildiv(ceildiv(M, 64) * ceildiv(N, 64), 132)), @gemm_odd_128_128_128_4 when (mod(lda, 2) + mod(ldb, 2) >= 1), @gemm_grouped_order_128_128_64 when (10 * ceildiv(ceildiv(M, 128) * ceildiv(N, 128), 132) < 17 * ceildiv(ceildiv(M, 128) * ceildiv(N, 256), 132)), @gemm_grouped_order_128_256_64]
tile.kernel @gemm_few_rows_64_32_256_1_6(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 64), ceildiv(N, 32)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [64, 256] : !A
  %b_tiles = tile.partition %b by [256, 32] : !B
  %c_tiles = tile.partition %c by [64, 32] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x32xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles
    %acc_1 = tile.mma %x, %y, %acc : vector<64x256xbf16>, vector<256x32xbf16>, vector<64x32xf32>
    scf.yield %acc_1 : vector<64x32xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles
  %narrow = arith.truncf %acc : vector<64x32xf32> to vector<64x32xbf16>
  tile.store %narrow, %c_piece : !CPiece
}
tile.kernel @gemm_few_rows_16_32_256_2_6(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 16), ceildiv(N, 32)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 2, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x32xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [16, 256] : !A
  %b_tiles = tile.partition %b by [256, 32] : !B
  %c_tiles = tile.partition %c by [16, 32] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_1
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<16x32xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_1
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles
    %acc_1 = tile.mma %x, %y, %acc : vector<16x256xbf16>, vector<256x32xbf16>, vector<16x32xf32>
    scf.yield %acc_1 : vector<16x32xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_1
  %narrow = arith.truncf %acc : vector<16x32xf32> to vector<16x32xbf16>
  tile.store %narrow, %c_piece : !CPiece_1
}
tile.kernel @gemm_few_rows_16_64_128_3_8(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 16), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 3, latency = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [16, 128] : !A
  %b_tiles = tile.partition %b by [128, 64] : !B
  %c_tiles = tile.partition %c by [16, 64] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_2
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<16x64xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_2
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_1
    %acc_1 = tile.mma %x, %y, %acc : vector<16x128xbf16>, vector<128x64xbf16>, vector<16x64xf32>
    scf.yield %acc_1 : vector<16x64xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_2
  %narrow = arith.truncf %acc : vector<16x64xf32> to vector<16x64xbf16>
  tile.store %narrow, %c_piece : !CPiece_2
}
tile.kernel @gemm_few_rows_32_64_128_1_8(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 32), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<32x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [32, 128] : !A
  %b_tiles = tile.partition %b by [128, 64] : !B
  %c_tiles = tile.partition %c by [32, 64] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_3
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<32x64xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_3
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_1
    %acc_1 = tile.mma %x, %y, %acc : vector<32x128xbf16>, vector<128x64xbf16>, vector<32x64xf32>
    scf.yield %acc_1 : vector<32x64xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_3
  %narrow = arith.truncf %acc : vector<32x64xf32> to vector<32x64xbf16>
  tile.store %narrow, %c_piece : !CPiece_3
}
tile.kernel @gemm_few_rows_64_64_256_1_4(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 64), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [64, 256] : !A
  %b_tiles = tile.partition %b by [256, 64] : !B
  %c_tiles = tile.partition %c by [64, 64] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_2
    %acc_1 = tile.mma %x, %y, %acc : vector<64x256xbf16>, vector<256x64xbf16>, vector<64x64xf32>
    scf.yield %acc_1 : vector<64x64xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_4
  %narrow = arith.truncf %acc : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %narrow, %c_piece : !CPiece_4
}
tile.kernel @gemm_few_rows_64_128_64_2_6(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 64), ceildiv(N, 128)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 2, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [64, 64] : !A
  %b_tiles = tile.partition %b by [64, 128] : !B
  %c_tiles = tile.partition %c by [64, 128] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_4
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_4
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_3
    %acc_1 = tile.mma %x, %y, %acc : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_5
  %narrow = arith.truncf %acc : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %c_piece : !CPiece_5
}
tile.kernel @gemm_few_rows_64_128_128_1_6(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 64), ceildiv(N, 128)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [64, 128] : !A
  %b_tiles = tile.partition %b by [128, 128] : !B
  %c_tiles = tile.partition %c by [64, 128] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_5
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_5
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_4
    %acc_1 = tile.mma %x, %y, %acc : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_5
  %narrow = arith.truncf %acc : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %c_piece : !CPiece_5
}
tile.kernel @gemm_few_rows_128_64_128_1_6(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 128), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [128, 128] : !A
  %b_tiles = tile.partition %b by [128, 64] : !B
  %c_tiles = tile.partition %c by [128, 64] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_6
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_6
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_1
    %acc_1 = tile.mma %x, %y, %acc : vector<128x128xbf16>, vector<128x64xbf16>, vector<128x64xf32>
    scf.yield %acc_1 : vector<128x64xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_6
  %narrow = arith.truncf %acc : vector<128x64xf32> to vector<128x64xbf16>
  tile.store %narrow, %c_piece : !CPiece_6
}
tile.kernel @gemm_grouped_whole_256_256_64(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 2048) * (8 * ceildiv(N, 256))]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 8, ctas = 2, grain = 16, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<256x256xf32>
  %t = tile.block_id 0
  %a_tiles = tile.partition %a by [256, 64] : !A
  %b_tiles = tile.partition %b by [64, 256] : !B
  %c_tiles = tile.partition %c by [256, 256] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_7
  %gm = tile.num_tiles %c_tiles, 0 : !CTiles_7
  %gn = tile.num_tiles %c_tiles, 1 : !CTiles_7
  %bandTiles = arith.muli %c8, %gn : index
  %band = arith.divsi %t, %bandTiles : index
  %product = arith.muli %band, %c8 : index
  %rest = arith.remsi %t, %bandTiles : index
  %rest_1 = arith.remsi %rest, %c8 : index
  %i = arith.addi %product, %rest_1 : index
  %is = arith.cmpi slt, %i, %gm : index
  %j = arith.divsi %rest, %c8 : index
  scf.if %is {
    %out = tile.claim %c_tiles[%i, %j] : !CTiles_7
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<256x256xf32>) {
      %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_7
      %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_5
      %acc_1 = tile.mma %x, %y, %acc : vector<256x64xbf16>, vector<64x256xbf16>, vector<256x256xf32>
      scf.yield %acc_1 : vector<256x256xf32>
    }
    %narrow = arith.truncf %acc : vector<256x256xf32> to vector<256x256xbf16>
    tile.store %narrow, %out : !CPiece_7
  }
}
tile.kernel @gemm_ragged_result_64_64_128(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 64), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 8) == 0, mod(ldb, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 2, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [64, 128] : !A
  %b_tiles = tile.partition %b by [128, 64] : !B
  %c_tiles = tile.partition %c by [64, 64] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_5
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_5
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_1
    %acc_1 = tile.mma %x, %y, %acc : vector<64x128xbf16>, vector<128x64xbf16>, vector<64x64xf32>
    scf.yield %acc_1 : vector<64x64xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_4
  %narrow = arith.truncf %acc : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %narrow, %c_piece : !CPiece_4
}
tile.kernel @gemm_odd_32_64_64_8(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 32), ceildiv(N, 64)]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, grain = 16}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<32x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [32, 64] : !A
  %b_tiles = tile.partition %b by [64, 64] : !B
  %c_tiles = tile.partition %c by [32, 64] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_8
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<32x64xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_8
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_6
    %acc_1 = tile.mma %x, %y, %acc : vector<32x64xbf16>, vector<64x64xbf16>, vector<32x64xf32>
    scf.yield %acc_1 : vector<32x64xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_3
  %narrow = arith.truncf %acc : vector<32x64xf32> to vector<32x64xbf16>
  tile.store %narrow, %c_piece : !CPiece_3
}
tile.kernel @gemm_odd_64_64_128_8(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 64), ceildiv(N, 64)]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, grain = 16}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [64, 128] : !A
  %b_tiles = tile.partition %b by [128, 64] : !B
  %c_tiles = tile.partition %c by [64, 64] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_5
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_5
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_1
    %acc_1 = tile.mma %x, %y, %acc : vector<64x128xbf16>, vector<128x64xbf16>, vector<64x64xf32>
    scf.yield %acc_1 : vector<64x64xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_4
  %narrow = arith.truncf %acc : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %narrow, %c_piece : !CPiece_4
}
tile.kernel @gemm_odd_64_128_128_4(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 64), ceildiv(N, 128)]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, grain = 16}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [64, 128] : !A
  %b_tiles = tile.partition %b by [128, 128] : !B
  %c_tiles = tile.partition %c by [64, 128] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_5
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_5
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_4
    %acc_1 = tile.mma %x, %y, %acc : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_5
  %narrow = arith.truncf %acc : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %c_piece : !CPiece_5
}
tile.kernel @gemm_odd_left_64_256_64(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 64), ceildiv(N, 256)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, lda >= 1, ldb >= 1, K <= 2147483647, lda <= 2147483647, ldc >= 1, ldb <= 2147483647, ldc <= 2147483647, mod(lda, 2) == 1, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(N, 8) == 0]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x256xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [64, 64] : !A
  %b_tiles = tile.partition %b by [64, 256] : !B
  %c_tiles = tile.partition %c by [64, 256] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_4
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x256xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_4
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_5
    %acc_1 = tile.mma %x, %y, %acc : vector<64x64xbf16>, vector<64x256xbf16>, vector<64x256xf32>
    scf.yield %acc_1 : vector<64x256xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_8
  %narrow = arith.truncf %acc : vector<64x256xf32> to vector<64x256xbf16>
  tile.store %narrow, %c_piece : !CPiece_8
}
tile.kernel @gemm_odd_128_256_128_8(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 128), ceildiv(N, 256)]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, grain = 16}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [128, 128] : !A
  %b_tiles = tile.partition %b by [128, 256] : !B
  %c_tiles = tile.partition %c by [128, 256] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_6
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_6
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_7
    %acc_1 = tile.mma %x, %y, %acc : vector<128x128xbf16>, vector<128x256xbf16>, vector<128x256xf32>
    scf.yield %acc_1 : vector<128x256xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_9
  %narrow = arith.truncf %acc : vector<128x256xf32> to vector<128x256xbf16>
  tile.store %narrow, %c_piece : !CPiece_9
}
tile.kernel @gemm_odd_128_128_128_4(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 128), ceildiv(N, 128)]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, grain = 16}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [128, 128] : !A
  %b_tiles = tile.partition %b by [128, 128] : !B
  %c_tiles = tile.partition %c by [128, 128] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_6
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_6
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_4
    %acc_1 = tile.mma %x, %y, %acc : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    scf.yield %acc_1 : vector<128x128xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_10
  %narrow = arith.truncf %acc : vector<128x128xf32> to vector<128x128xbf16>
  tile.store %narrow, %c_piece : !CPiece_10
}
tile.kernel @gemm_grouped_order_128_128_64(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 1024) * (8 * ceildiv(N, 128))]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %t = tile.block_id 0
  %a_tiles = tile.partition %a by [128, 64] : !A
  %b_tiles = tile.partition %b by [64, 128] : !B
  %c_tiles = tile.partition %c by [128, 128] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_9
  %gm = tile.num_tiles %c_tiles, 0 : !CTiles_10
  %gn = tile.num_tiles %c_tiles, 1 : !CTiles_10
  %bandTiles = arith.muli %c8, %gn : index
  %band = arith.divsi %t, %bandTiles : index
  %product = arith.muli %band, %c8 : index
  %rest = arith.remsi %t, %bandTiles : index
  %rest_1 = arith.remsi %rest, %c8 : index
  %i = arith.addi %product, %rest_1 : index
  %is = arith.cmpi slt, %i, %gm : index
  %j = arith.divsi %rest, %c8 : index
  scf.if %is {
    %out = tile.claim %c_tiles[%i, %j] : !CTiles_10
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
      %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_9
      %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_3
      %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
      scf.yield %acc_1 : vector<128x128xf32>
    }
    %narrow = arith.truncf %acc : vector<128x128xf32> to vector<128x128xbf16>
    tile.store %narrow, %out : !CPiece_10
  }
}
tile.kernel @gemm_grouped_order_128_256_64(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 1024) * (8 * ceildiv(N, 256))]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %t = tile.block_id 0
  %a_tiles = tile.partition %a by [128, 64] : !A
  %b_tiles = tile.partition %b by [64, 256] : !B
  %c_tiles = tile.partition %c by [128, 256] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_9
  %gm = tile.num_tiles %c_tiles, 0 : !CTiles_9
  %gn = tile.num_tiles %c_tiles, 1 : !CTiles_9
  %bandTiles = arith.muli %c8, %gn : index
  %band = arith.divsi %t, %bandTiles : index
  %product = arith.muli %band, %c8 : index
  %rest = arith.remsi %t, %bandTiles : index
  %rest_1 = arith.remsi %rest, %c8 : index
  %i = arith.addi %product, %rest_1 : index
  %is = arith.cmpi slt, %i, %gm : index
  %j = arith.divsi %rest, %c8 : index
  scf.if %is {
    %out = tile.claim %c_tiles[%i, %j] : !CTiles_9
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
      %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_9
      %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_5
      %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
      scf.yield %acc_1 : vector<128x256xf32>
    }
    %narrow = arith.truncf %acc : vector<128x256xf32> to vector<128x256xbf16>
    tile.store %narrow, %out : !CPiece_9
  }
}
