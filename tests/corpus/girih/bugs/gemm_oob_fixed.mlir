// expect: VERIFIED
// A GEMM that claims its own tile.
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!C = !tile.tensor<[M, N] x f32, out>
!PA = !tile.partition<[128, 64], [M, K] x bf16, shared>
!PB = !tile.partition<[64, 256], [K, N] x bf16, shared>
!PC = !tile.partition<[128, 256], [M, N] x f32, out>
!P = !tile.piece<[128, 256] x f32, out>
tile.kernel @gemm_oob_fixed(%a: !A, %b: !B, %c: !C) grid [ceildiv(M, 128), ceildiv(N, 256)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [128, 64] : !A
  %pb = tile.partition %b by [64, 256] : !B
  %pc = tile.partition %c by [128, 256] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %n = tile.num_tiles %pa, 1 : !PA
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %x = tile.load %pa[%i, %k] pad(zero) : !PA
    %y = tile.load %pb[%k, %j] pad(zero) : !PB
    %next = tile.mma %x, %y, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %next : vector<128x256xf32>
  }
  tile.store %sum, %out : !P
}
