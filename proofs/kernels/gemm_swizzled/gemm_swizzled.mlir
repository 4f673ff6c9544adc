// C[M, N] = A[M, K] * B[K, N] in bf16, sums in f32, a block a tile of C. Tiles are
// taken in bands of G rows, each band column by column, so that blocks that run
// at a time share what they read in the L2 cache; the last band is as high as
// what is left.
// any M, N and K, zero and ragged included; G at least 1
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!C = !tile.tensor<[M, N] x bf16, out>
!PA = !tile.partition<[128, 64], [M, K] x bf16, shared>
!PB = !tile.partition<[64, 256], [K, N] x bf16, shared>
!PC = !tile.partition<[128, 256], [M, N] x bf16, out>
!P = !tile.piece<[128, 256] x bf16, out>
tile.kernel @gemm_swizzled(%a: !A, %b: !B, %c: !C) symbols [G : index]
    grid [ceildiv(M, 128) * ceildiv(N, 256)] requires [G >= 1, G <= 1024]
    covers [%c[i, j] by block (div(i, G) * G * ceildiv(N, 256)
        + j * min(ceildiv(M, 128) - div(i, G) * G, G) + mod(i, G))]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %t = tile.block_id 0
  %g = tile.symbol "G" : index
  %pa = tile.partition %a by [128, 64] : !A
  %pb = tile.partition %b by [64, 256] : !B
  %pc = tile.partition %c by [128, 256] : !C
  %gm = tile.num_tiles %pc, 0 : !PC
  %gn = tile.num_tiles %pc, 1 : !PC
  %gk = tile.num_tiles %pa, 1 : !PA
  %band_tiles = arith.muli %g, %gn : index
  %band = arith.divsi %t, %band_tiles : index
  %rest = arith.remsi %t, %band_tiles : index
  %top = arith.muli %band, %g : index
  %left = arith.subi %gm, %top : index
  %height = arith.minsi %left, %g : index
  %row = arith.remsi %rest, %height : index
  %i = arith.addi %top, %row : index
  %j = arith.divsi %rest, %height : index
  %out = tile.claim %pc[%i, %j] : !PC
  %sum = scf.for %k = %c0 to %gk step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %x = tile.load %pa[%i, %k] pad(zero) : !PA
    %y = tile.load %pb[%k, %j] pad(zero) : !PB
    %next = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %next : vector<128x256xf32>
  }
  %narrow = arith.truncf %sum : vector<128x256xf32> to vector<128x256xbf16>
  tile.store %narrow, %out : !P
}
