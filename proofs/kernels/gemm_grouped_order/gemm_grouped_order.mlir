// C[M, N] = A[M, K] * B[K, N] in bf16, sums in f32, a block a tile of C. Tiles are
// taken in bands of eight rows, each band column by column, so that blocks that run
// at a time share what they read in the L2 cache; in the last band, those whose
// row is behind the last one do nothing.
// any M, N and K, zero and ragged included
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!C = !tile.tensor<[M, N] x bf16, out>
!PA = !tile.partition<[128, 64], [M, K] x bf16, shared>
!PB = !tile.partition<[64, 256], [K, N] x bf16, shared>
!PC = !tile.partition<[128, 256], [M, N] x bf16, out>
!P = !tile.piece<[128, 256] x bf16, out>
tile.kernel @gemm_grouped_order(%a: !A, %b: !B, %c: !C)
    grid [ceildiv(M, 1024) * (8 * ceildiv(N, 256))]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %t = tile.block_id 0
  %c8 = arith.constant 8 : index
  %pa = tile.partition %a by [128, 64] : !A
  %pb = tile.partition %b by [64, 256] : !B
  %pc = tile.partition %c by [128, 256] : !C
  %gm = tile.num_tiles %pc, 0 : !PC
  %gn = tile.num_tiles %pc, 1 : !PC
  %gk = tile.num_tiles %pa, 1 : !PA
  %band_tiles = arith.muli %c8, %gn : index
  %band = arith.divsi %t, %band_tiles : index
  %rest = arith.remsi %t, %band_tiles : index
  %top = arith.muli %band, %c8 : index
  %row = arith.remsi %rest, %c8 : index
  %i = arith.addi %top, %row : index
  %j = arith.divsi %rest, %c8 : index
  %inside = arith.cmpi slt, %i, %gm : index
  scf.if %inside {
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
}
