// C[M, N] = A[M, K] * B[K, N] in bf16, sums in f32, a block a tile of C. Tiles
// are taken in bands of G rows, each band column by column, so that blocks that
// run at a time share what they read in the L2 cache; the last band is as high
// as what is left.
// any M, N and K, zero and ragged included; G at least 1
// generated from gemm.cpp
!A = !tile.tensor<[M, K] x bf16, shared, strides [lda, 1]>
!B = !tile.tensor<[K, N] x bf16, shared, strides [ldb, 1]>
!C = !tile.tensor<[M, N] x bf16, out, strides [ldc, 1]>
!ATiles = !tile.partition<[128, 64], [M, K] x bf16, shared, strides [lda, 1]>
!CTiles = !tile.partition<[128, 256], [M, N] x bf16, out, strides [ldc, 1]>
!BTiles = !tile.partition<[64, 256], [K, N] x bf16, shared, strides [ldb, 1]>
!CPiece = !tile.piece<[128, 256] x bf16, out>
tile.kernel @gemm_swizzled(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index, G : index]
    grid [ceildiv(M, 128) * ceildiv(N, 256)] requires [G >= 1, G <= 1024]
    covers [%c[i, j] by block (div(i, G) * G * ceildiv(N, 256) + j * min(ceildiv(M, 128) - div(i, G) * G, G) + mod(i, G))]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(lda, 2)) >= 1), %b when (M >= 512 - 256 * mod(ldb, 2), mod(ldb, 4) >= 1, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %t = tile.block_id 0
  %G = tile.symbol "G" : index
  %a_tiles = tile.partition %a by [128, 64] : !A
  %b_tiles = tile.partition %b by [64, 256] : !B
  %c_tiles = tile.partition %c by [128, 256] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles
  %gm = tile.num_tiles %c_tiles, 0 : !CTiles
  %gn = tile.num_tiles %c_tiles, 1 : !CTiles
  %bandTiles = arith.muli %G, %gn : index
  %band = arith.divsi %t, %bandTiles : index
  %top = arith.muli %band, %G : index
  %rest = arith.remsi %t, %bandTiles : index
  %less = arith.subi %gm, %top : index
  %height = arith.minsi %less, %G : index
  %rest_1 = arith.remsi %rest, %height : index
  %row = arith.addi %top, %rest_1 : index
  %column = arith.divsi %rest, %height : index
  %out = tile.claim %c_tiles[%row, %column] : !CTiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %x = tile.load %a_tiles[%row, %k] pad(zero) : !ATiles
    %y = tile.load %b_tiles[%k, %column] pad(zero) : !BTiles
    %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %acc_1 : vector<128x256xf32>
  }
  %narrow = arith.truncf %acc : vector<128x256xf32> to vector<128x256xbf16>
  tile.store %narrow, %out : !CPiece
}
