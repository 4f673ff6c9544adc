// C[M, N] = A[M, K] * B[K, N] by P programs, each of which takes every P-th
// tile of C in the order of a map: bands of G rows of tiles, each band column
// by column, so that what programs read at a time stays in the L2 cache; the
// last band is as high as what is left. The inverse of the map says who writes
// a tile, and when. any M, N and K, zero and ragged included; P and G at least
// 1
// generated from gemm.cpp
!A = !tile.tensor<[M, K] x bf16, shared, strides [lda, 1]>
!B = !tile.tensor<[K, N] x bf16, shared, strides [ldb, 1]>
!C = !tile.tensor<[M, N] x f32, out, strides [ldc, 1]>
!ATiles = !tile.partition<[128, 64], [M, K] x bf16, shared, strides [lda, 1]>
!CTiles = !tile.partition<[128, 256], [M, N] x f32, out, strides [ldc, 1]>
!BTiles = !tile.partition<[64, 256], [K, N] x bf16, shared, strides [ldb, 1]>
!CPiece = !tile.piece<[128, 256] x f32, out>
tile.map @bands(%p) [rows, columns, G] -> (index, index) from [rows * columns]
    into [rows, columns] bijective {
  %G = tile.symbol "G" : index
  %columns = tile.symbol "columns" : index
  %rows = tile.symbol "rows" : index
  %bandTiles = arith.muli %G, %columns : index
  %quotient = arith.divsi %p, %bandTiles : index
  %top = arith.muli %quotient, %G : index
  %rest = arith.remsi %p, %bandTiles : index
  %less = arith.subi %rows, %top : index
  %height = arith.minsi %less, %G : index
  %rest_1 = arith.remsi %rest, %height : index
  %sum = arith.addi %top, %rest_1 : index
  %quotient_1 = arith.divsi %rest, %height : index
  tile.yield %sum, %quotient_1
} inverse (%p, %q) {
  %G = tile.symbol "G" : index
  %columns = tile.symbol "columns" : index
  %rows = tile.symbol "rows" : index
  %band = arith.divsi %p, %G : index
  %product = arith.muli %G, %columns : index
  %product_1 = arith.muli %band, %product : index
  %product_2 = arith.muli %band, %G : index
  %less = arith.subi %rows, %product_2 : index
  %height = arith.minsi %less, %G : index
  %product_3 = arith.muli %q, %height : index
  %sum = arith.addi %product_1, %product_3 : index
  %rest = arith.remsi %p, %G : index
  %sum_1 = arith.addi %sum, %rest : index
  tile.yield %sum_1
}
tile.kernel @gemm_persistent_swizzled(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index, P : index, G : index] grid [P]
    requires [P >= 1, G >= 1, ceildiv(M, 128) * ceildiv(N, 256) <= 2147483647, G * ceildiv(N, 256) <= 2147483647]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768), %b when (M >= 256, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %a_tiles = tile.partition %a by [128, 64] : !A
  %b_tiles = tile.partition %b by [64, 256] : !B
  %c_tiles = tile.partition %c by [128, 256] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles
  %gm = tile.num_tiles %c_tiles, 0 : !CTiles
  %gn = tile.num_tiles %c_tiles, 1 : !CTiles
  %product = arith.muli %gm, %gn : index
  scf.for %t = %first to %product step %P {
    %i, %j = tile.apply @bands(%t) [%gm, %gn, %G] : index, index
    %out = tile.claim %c_tiles[%i, %j] : !CTiles
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
      %x = tile.load %a_tiles[%i, %k] pad(zero) : !ATiles
      %y = tile.load %b_tiles[%k, %j] pad(zero) : !BTiles
      %acc_1 = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
      scf.yield %acc_1 : vector<128x256xf32>
    }
    tile.store %acc, %out : !CPiece
  }
}
