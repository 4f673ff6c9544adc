// C[M, N] = A[M, K] * B[K, N], factors in bf16, sums in f32
// any M, N and K, zero and ragged included
// generated from gemm.cpp
!A = !tile.tensor<[M, K] x bf16, shared, strides [lda, 1]>
!B = !tile.tensor<[K, N] x bf16, shared, strides [ldb, 1]>
!C = !tile.tensor<[M, N] x f32, out, strides [ldc, 1]>
!ATiles = !tile.partition<[128, 64], [M, K] x bf16, shared, strides [lda, 1]>
!CTiles = !tile.partition<[128, 256], [M, N] x f32, out, strides [ldc, 1]>
!BTiles = !tile.partition<[64, 256], [K, N] x bf16, shared, strides [ldb, 1]>
!CPiece = !tile.piece<[128, 256] x f32, out>
tile.kernel @gemm(%a: !A, %b: !B, %c: !C)
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
  %n = tile.num_tiles %a_tiles, 1 : !ATiles
  %out = tile.claim %c_tiles[%i, %j] : !CTiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles
    %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %acc_1 : vector<128x256xf32>
  }
  tile.store %acc, %out : !CPiece
}
