// C[M, N] = A[M, K] * B[K, N], factors in bf16, sums in f32. Large tiles where
// there are enough of them for the machine, else small ones, with which large
// ones would leave most of it idle; where rows are odd those of gemm_bf16.
// any M, N and K, zero and ragged included
// generated from gemm.cpp
!A = !tile.tensor<[M, K] x bf16, shared, strides [lda, 1]>
!B = !tile.tensor<[K, N] x bf16, shared, strides [ldb, 1]>
!C = !tile.tensor<[M, N] x f32, out, strides [ldc, 1]>
!ATiles = !tile.partition<[32, 64], [M, K] x bf16, shared, strides [lda, 1]>
!BTiles = !tile.partition<[64, 64], [K, N] x bf16, shared, strides [ldb, 1]>
!CTiles = !tile.partition<[32, 64], [M, N] x f32, out, strides [ldc, 1]>
!CPiece = !tile.piece<[32, 64] x f32, out>
!ATiles_1 = !tile.partition<[64, 128], [M, K] x bf16, shared, strides [lda, 1]>
!BTiles_1 = !tile.partition<[128, 64], [K, N] x bf16, shared, strides [ldb, 1]>
!CTiles_1 = !tile.partition<[64, 64], [M, N] x f32, out, strides [ldc, 1]>
!CPiece_1 = !tile.piece<[64, 64] x f32, out>
!BTiles_2 = !tile.partition<[128, 128], [K, N] x bf16, shared, strides [ldb, 1]>
!CTiles_2 = !tile.partition<[64, 128], [M, N] x f32, out, strides [ldc, 1]>
!CPiece_2 = !tile.piece<[64, 128] x f32, out>
!ATiles_2 = !tile.partition<[128, 128], [M, K] x bf16, shared, strides [lda, 1]>
!BTiles_3 = !tile.partition<[128, 256], [K, N] x bf16, shared, strides [ldb, 1]>
!CTiles_3 = !tile.partition<[128, 256], [M, N] x f32, out, strides [ldc, 1]>
!CPiece_3 = !tile.piece<[128, 256] x f32, out>
!CTiles_4 = !tile.partition<[128, 128], [M, N] x f32, out, strides [ldc, 1]>
!CPiece_4 = !tile.piece<[128, 128] x f32, out>
!ATiles_3 = !tile.partition<[128, 64], [M, K] x bf16, shared, strides [lda, 1]>
!BTiles_4 = !tile.partition<[64, 256], [K, N] x bf16, shared, strides [ldb, 1]>
!ATiles_4 = !tile.partition<[64, 64], [M, K] x bf16, shared, strides [lda, 1]>
!BTiles_5 = !tile.partition<[64, 128], [K, N] x bf16, shared, strides [ldb, 1]>
tile.variants @gemm_by_size [@gemm_odd_rows_32_64_64_8 when (mod(lda, 2) + mod(ldb, 2) >= 1, ceildiv(M, 32) * ceildiv(N, 64) <= 132), @gemm_odd_rows_64_64_128_8 when (mod(lda, 2) + mod(ldb, 2) >= 1, ceildiv(M, 64) * ceildiv(min(N, 8448), 64) <= 258, 2 * ceildiv(ceildiv(M, 64) * ceildiv(N, 64), 132) <= 3 * ceildiv(ceildiv(M, 64) * ceildiv(N, 128), 132)), @gemm_odd_rows_64_128_128_4 when (mod(lda, 2) + mod(ldb, 2) >= 1, ceildiv(M, 64) * ceildiv(min(N, 8448), 64) <= 258), @gemm_odd_rows_128_256_128_8 when (mod(lda, 2) + mod(ldb, 2) >= 1, 14 * ceildiv(ceildiv(M, 128) * ceildiv(N, 256), 132) <= 3 * ceildiv(ceildiv(M, 64) * ceildiv(N, 64), 132)), @gemm_odd_rows_128_128_128_4 when (mod(lda, 2) + mod(ldb, 2) >= 1), @gemm_128_256_64 when (M * N >= 2097152), @gemm_64_128_64]
tile.kernel @gemm_odd_rows_32_64_64_8(%a: !A, %b: !B, %c: !C)
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
  %n = tile.num_tiles %a_tiles, 1 : !ATiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<32x64xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles
    %acc_1 = tile.mma %x, %y, %acc : vector<32x64xbf16>, vector<64x64xbf16>, vector<32x64xf32>
    scf.yield %acc_1 : vector<32x64xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles
  tile.store %acc, %c_piece : !CPiece
}
tile.kernel @gemm_odd_rows_64_64_128_8(%a: !A, %b: !B, %c: !C)
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
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_1
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_1
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_1
    %acc_1 = tile.mma %x, %y, %acc : vector<64x128xbf16>, vector<128x64xbf16>, vector<64x64xf32>
    scf.yield %acc_1 : vector<64x64xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_1
  tile.store %acc, %c_piece : !CPiece_1
}
tile.kernel @gemm_odd_rows_64_128_128_4(%a: !A, %b: !B, %c: !C)
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
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_1
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_1
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_2
    %acc_1 = tile.mma %x, %y, %acc : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_2
  tile.store %acc, %c_piece : !CPiece_2
}
tile.kernel @gemm_odd_rows_128_256_128_8(%a: !A, %b: !B, %c: !C)
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
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_2
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_2
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_3
    %acc_1 = tile.mma %x, %y, %acc : vector<128x128xbf16>, vector<128x256xbf16>, vector<128x256xf32>
    scf.yield %acc_1 : vector<128x256xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_3
  tile.store %acc, %c_piece : !CPiece_3
}
tile.kernel @gemm_odd_rows_128_128_128_4(%a: !A, %b: !B, %c: !C)
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
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_2
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_2
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_2
    %acc_1 = tile.mma %x, %y, %acc : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    scf.yield %acc_1 : vector<128x128xf32>
  }
  %c_piece = tile.claim %c_tiles[%i, %j] : !CTiles_4
  tile.store %acc, %c_piece : !CPiece_4
}
tile.kernel @gemm_128_256_64(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 128), ceildiv(N, 256)]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [128, 64] : !A
  %b_tiles = tile.partition %b by [64, 256] : !B
  %c_tiles = tile.partition %c by [128, 256] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_3
  %out = tile.claim %c_tiles[%i, %j] : !CTiles_3
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_3
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_4
    %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %acc_1 : vector<128x256xf32>
  }
  tile.store %acc, %out : !CPiece_3
}
tile.kernel @gemm_64_128_64(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index]
    grid [ceildiv(M, 64), ceildiv(N, 128)]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a_tiles = tile.partition %a by [64, 64] : !A
  %b_tiles = tile.partition %b by [64, 128] : !B
  %c_tiles = tile.partition %c by [64, 128] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles_4
  %out = tile.claim %c_tiles[%i, %j] : !CTiles_2
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles_4
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles_5
    %acc_1 = tile.mma %x, %y, %acc : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  tile.store %acc, %out : !CPiece_2
}
