// C[M, N] = A[M, K] * B[K, N] by P programs, each of which takes every P-th tile of C
// in the order of a map: bands of G rows of tiles, each band column by column, so
// that what programs read at a time stays in the L2 cache; the last band is as high
// as what is left. The inverse of the map says who writes a tile, and when.
// any M, N and K, zero and ragged included; P and G at least 1
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!C = !tile.tensor<[M, N] x f32, out>
!PA = !tile.partition<[128, 64], [M, K] x bf16, shared>
!PB = !tile.partition<[64, 256], [K, N] x bf16, shared>
!PC = !tile.partition<[128, 256], [M, N] x f32, out>
!P = !tile.piece<[128, 256] x f32, out>
tile.map @bands(%t) [rows, columns, G] -> (index, index)
    from [rows * columns] into [rows, columns] bijective {
  %rows = tile.symbol "rows" : index
  %columns = tile.symbol "columns" : index
  %g = tile.symbol "G" : index
  %band_tiles = arith.muli %g, %columns : index
  %band = arith.divsi %t, %band_tiles : index
  %rest = arith.remsi %t, %band_tiles : index
  %top = arith.muli %band, %g : index
  %left = arith.subi %rows, %top : index
  %height = arith.minsi %left, %g : index
  %row = arith.remsi %rest, %height : index
  %i = arith.addi %top, %row : index
  %j = arith.divsi %rest, %height : index
  tile.yield %i, %j
} inverse (%i, %j) {
  %rows = tile.symbol "rows" : index
  %columns = tile.symbol "columns" : index
  %g = tile.symbol "G" : index
  %band = arith.divsi %i, %g : index
  %row = arith.remsi %i, %g : index
  %top = arith.muli %band, %g : index
  %left = arith.subi %rows, %top : index
  %height = arith.minsi %left, %g : index
  %band_tiles = arith.muli %g, %columns : index
  %before = arith.muli %band, %band_tiles : index
  %in_band = arith.muli %j, %height : index
  %column = arith.addi %before, %in_band : index
  %t = arith.addi %column, %row : index
  tile.yield %t
}
tile.kernel @gemm_persistent_swizzled(%a: !A, %b: !B, %c: !C)
    symbols [P : index, G : index] grid [P]
    requires [P >= 1, G >= 1, ceildiv(M, 128) * ceildiv(N, 256) <= 2147483647,
        G * ceildiv(N, 256) <= 2147483647]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %first = tile.block_id 0
  %programs = tile.symbol "P" : index
  %g = tile.symbol "G" : index
  %pa = tile.partition %a by [128, 64] : !A
  %pb = tile.partition %b by [64, 256] : !B
  %pc = tile.partition %c by [128, 256] : !C
  %gm = tile.num_tiles %pc, 0 : !PC
  %gn = tile.num_tiles %pc, 1 : !PC
  %gk = tile.num_tiles %pa, 1 : !PA
  %total = arith.muli %gm, %gn : index
  scf.for %t = %first to %total step %programs {
    %i, %j = tile.apply @bands(%t) [%gm, %gn, %g] : index, index
    %out = tile.claim %pc[%i, %j] : !PC
    %sum = scf.for %k = %c0 to %gk step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
      %x = tile.load %pa[%i, %k] pad(zero) : !PA
      %y = tile.load %pb[%k, %j] pad(zero) : !PB
      %next = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
      scf.yield %next : vector<128x256xf32>
    }
    tile.store %sum, %out : !P
  }
}
