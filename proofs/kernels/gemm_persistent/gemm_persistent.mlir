// C[M, N] = A[M, K] * B[K, N] by P programs, each of which takes every P-th
// tile of C. Panels of eight rows of tiles, each column by column, so that what
// programs read at a time stays in the L2 cache; the last panel may be ragged.
// any M, N and K, zero and ragged included; M below 2^31, P at least 1
// generated from gemm.cpp
!A = !tile.tensor<[M, K] x bf16, shared, strides [lda, 1]>
!B = !tile.tensor<[K, N] x bf16, shared, strides [ldb, 1]>
!C = !tile.tensor<[M, N] x f32, out, strides [ldc, 1]>
!ATiles = !tile.partition<[128, 64], [M, K] x bf16, shared, strides [lda, 1]>
!CTiles = !tile.partition<[128, 256], [M, N] x f32, out, strides [ldc, 1]>
!BTiles = !tile.partition<[64, 256], [K, N] x bf16, shared, strides [ldb, 1]>
!CPiece = !tile.piece<[128, 256] x f32, out>
tile.kernel @gemm_persistent(%a: !A, %b: !B, %c: !C)
    symbols [lda : index, ldb : index, ldc : index, P : index] grid [P]
    requires [P >= 1, M <= 2147483647]
    repack [%a when (N >= 512, K >= 128, M * K >= 32768), %b when (M >= 256, K >= 128, K * N >= 131072)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %a_tiles = tile.partition %a by [128, 64] : !A
  %b_tiles = tile.partition %b by [64, 256] : !B
  %c_tiles = tile.partition %c by [128, 256] : !C
  %n = tile.num_tiles %a_tiles, 1 : !ATiles
  %rows = tile.num_tiles %c_tiles, 0 : !CTiles
  %columns = tile.num_tiles %c_tiles, 1 : !CTiles
  %quotient = arith.ceildivsi %rows, %c8 : index
  %panel = arith.muli %columns, %c8 : index
  %product = arith.muli %quotient, %panel : index
  scf.for %t = %first to %product step %P {
    %quotient_1 = arith.divsi %t, %panel : index
    %product_1 = arith.muli %quotient_1, %c8 : index
    %rest = arith.remsi %t, %panel : index
    %rest_1 = arith.remsi %rest, %c8 : index
    %i = arith.addi %product_1, %rest_1 : index
    %is = arith.cmpi slt, %i, %rows : index
    %j = arith.divsi %rest, %c8 : index
    scf.if %is {
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
}
