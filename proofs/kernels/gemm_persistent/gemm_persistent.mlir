// C[M, N] = A[M, K] * B[K, N] by P programs, each of which takes every P-th tile of C
// any M, N and K, zero and ragged included; P at least 1. Panels of eight rows of
// tiles, each column by column, so that what programs read at a time stays in
// the L2 cache; the last panel may be ragged.
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!C = !tile.tensor<[M, N] x f32, out>
!PA = !tile.partition<[128, 64], [M, K] x bf16, shared>
!PB = !tile.partition<[64, 256], [K, N] x bf16, shared>
!PC = !tile.partition<[128, 256], [M, N] x f32, out>
!P = !tile.piece<[128, 256] x f32, out>
tile.kernel @gemm_persistent(%a: !A, %b: !B, %c: !C) symbols [P : index] grid [P]
    requires [P >= 1] hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %first = tile.block_id 0
  %programs = tile.symbol "P" : index
  %pa = tile.partition %a by [128, 64] : !A
  %pb = tile.partition %b by [64, 256] : !B
  %pc = tile.partition %c by [128, 256] : !C
  %gm = tile.num_tiles %pc, 0 : !PC
  %gn = tile.num_tiles %pc, 1 : !PC
  %gk = tile.num_tiles %pa, 1 : !PA
  %panels = arith.ceildivsi %gm, %c8 : index
  %panel_tiles = arith.muli %gn, %c8 : index
  %total = arith.muli %panels, %panel_tiles : index
  scf.for %t = %first to %total step %programs {
    %panel = arith.divsi %t, %panel_tiles : index
    %rest = arith.remsi %t, %panel_tiles : index
    %j = arith.divsi %rest, %c8 : index
    %row = arith.remsi %rest, %c8 : index
    %above = arith.muli %panel, %c8 : index
    %i = arith.addi %above, %row : index
    %inside = arith.cmpi slt, %i, %gm : index
    scf.if %inside {
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
}
