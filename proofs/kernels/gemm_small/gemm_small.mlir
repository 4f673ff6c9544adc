// C[M, N] = A[M, K] * B[K, N], factors in bf16, sums in f32
// any M, N and K, zero and ragged included
// generated from gemm.cpp
!A = !tile.tensor<[M, K] x bf16, shared, strides [lda, 1]>
!B = !tile.tensor<[K, N] x bf16, shared, strides [ldb, 1]>
!C = !tile.tensor<[M, N] x f32, out, strides [ldc, 1]>
!ATiles = !tile.partition<[64, 64], [M, K] x bf16, shared, strides [lda, 1]>
!CTiles = !tile.partition<[64, 128], [M, N] x f32, out, strides [ldc, 1]>
!BTiles = !tile.partition<[64, 128], [K, N] x bf16, shared, strides [ldb, 1]>
!CPiece = !tile.piece<[64, 128] x f32, out>
tile.kernel @gemm_small(%a: !A, %b: !B, %c: !C)
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
  %n = tile.num_tiles %a_tiles, 1 : !ATiles
  %out = tile.claim %c_tiles[%i, %j] : !CTiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles
    %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles
    %acc_1 = tile.mma %x, %y, %acc : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  tile.store %acc, %out : !CPiece
}
