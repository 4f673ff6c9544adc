// C[b] = A[b] * B[b] for each of the Z matrices of a batch, in bf16, sums in
// f32. Rows that begin within lines of 128 bytes are read by clusters of two
// blocks, as those of gemm_bf16. any Z, M, N and K, zero and ragged included
// generated from batched.cpp
!A = !tile.tensor<[Z, M, K] x bf16, shared, strides [sa, lda, 1]>
!B = !tile.tensor<[Z, K, N] x bf16, shared, strides [sb, ldb, 1]>
!C = !tile.tensor<[Z, M, N] x bf16, out, strides [sc, ldc, 1]>
!ATiles = !tile.partition<[_, 256, 64], [Z, M, K] x bf16, shared, strides [sa, lda, 1]>
!CTiles = !tile.partition<[_, 256, 256], [Z, M, N] x bf16, out, strides [sc, ldc, 1]>
!BTiles = !tile.partition<[_, 64, 256], [Z, K, N] x bf16, shared, strides [sb, ldb, 1]>
!CPiece = !tile.piece<[_, 256, 256] x bf16, out>
!ATiles_1 = !tile.partition<[_, 128, 64], [Z, M, K] x bf16, shared, strides [sa, lda, 1]>
!CTiles_1 = !tile.partition<[_, 128, 128], [Z, M, N] x bf16, out, strides [sc, ldc, 1]>
!BTiles_1 = !tile.partition<[_, 64, 128], [Z, K, N] x bf16, shared, strides [sb, ldb, 1]>
!CPiece_1 = !tile.piece<[_, 128, 128] x bf16, out>
tile.variants @gemm_batched [@gemm_batched_tiles_256_256_64 when (mod(lda, 8) == 0, mod(ldb, 8) == 0, mod(ldc, 8) == 0, mod(sa, 8) == 0, mod(sb, 8) == 0, mod(sc, 8) == 0, mod(N, 8) == 0, mod(lda, 64) + mod(ldb, 64) >= 1, M > 128, N > 128, Z * M * N >= 2883584), @gemm_batched_tiles_128_128_64]
tile.kernel @gemm_batched_tiles_256_256_64(%a: !A, %b: !B, %c: !C)
    symbols [sa : index, lda : index, sb : index, ldb : index, sc : index, ldc : index]
    grid [Z, ceildiv(N, 256), ceildiv(M, 256)]
    repack [%a when (N >= 512, K >= 128, Z * M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, Z * K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, ctas = 2, occupancy = 1, latency = 6, grain = 16}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<256x256xf32>
  %z = tile.block_id 0
  %j = tile.block_id 1
  %i = tile.block_id 2
  %a_tiles = tile.partition %a by [_, 256, 64] : !A
  %b_tiles = tile.partition %b by [_, 64, 256] : !B
  %c_tiles = tile.partition %c by [_, 256, 256] : !C
  %n = tile.num_tiles %a_tiles, 2 : !ATiles
  %out = tile.claim %c_tiles[%z, %i, %j] : !CTiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<256x256xf32>) {
    %x = tile.load %a_tiles[%z, %i, %k] pad(zero) : !ATiles
    %y = tile.load %b_tiles[%z, %k, %j] pad(zero) : !BTiles
    %acc_1 = tile.mma %x, %y, %acc : vector<256x64xbf16>, vector<64x256xbf16>, vector<256x256xf32>
    scf.yield %acc_1 : vector<256x256xf32>
  }
  %narrow = arith.truncf %acc : vector<256x256xf32> to vector<256x256xbf16>
  tile.store %narrow, %out : !CPiece
}
tile.kernel @gemm_batched_tiles_128_128_64(%a: !A, %b: !B, %c: !C)
    symbols [sa : index, lda : index, sb : index, ldb : index, sc : index, ldc : index]
    grid [Z, ceildiv(N, 128), ceildiv(M, 128)]
    repack [%a when (N >= 512, K >= 128, Z * M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, Z * K * N >= 131072)]
    hints {sm_90 = {worker_warps = 4, occupancy = 2, latency = 3}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %z = tile.block_id 0
  %j = tile.block_id 1
  %i = tile.block_id 2
  %a_tiles = tile.partition %a by [_, 128, 64] : !A
  %b_tiles = tile.partition %b by [_, 64, 128] : !B
  %c_tiles = tile.partition %c by [_, 128, 128] : !C
  %n = tile.num_tiles %a_tiles, 2 : !ATiles_1
  %out = tile.claim %c_tiles[%z, %i, %j] : !CTiles_1
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %x = tile.load %a_tiles[%z, %i, %k] pad(zero) : !ATiles_1
    %y = tile.load %b_tiles[%z, %k, %j] pad(zero) : !BTiles_1
    %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    scf.yield %acc_1 : vector<128x128xf32>
  }
  %narrow = arith.truncf %acc : vector<128x128xf32> to vector<128x128xbf16>
  tile.store %narrow, %out : !CPiece_1
}
