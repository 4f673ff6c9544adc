// Products of f8E4M3FN, summed as the tensor cores do.
!A = !tile.tensor<[M, K] x f8E4M3FN, shared>
!B = !tile.tensor<[K, N] x f8E4M3FN, shared>
!C = !tile.tensor<[M, N] x f32, out>
!PA = !tile.partition<[64, 32], [M, K] x f8E4M3FN, shared>
!PB = !tile.partition<[32, 64], [K, N] x f8E4M3FN, shared>
!PC = !tile.partition<[64, 64], [M, N] x f32, out>
!P = !tile.piece<[64, 64] x f32, out>
tile.kernel @products_f8e4_fast(%a: !A, %b: !B, %c: !C) grid [ceildiv(M, 64), ceildiv(N, 64)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [64, 32] : !A
  %pb = tile.partition %b by [32, 64] : !B
  %pc = tile.partition %c by [64, 64] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %n = tile.num_tiles %pa, 1 : !PA
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %x = tile.load %pa[%i, %k] pad(zero) : !PA
    %y = tile.load %pb[%k, %j] pad(zero) : !PB
    %next = tile.mma %x, %y, %acc fast : vector<64x32xf8E4M3FN>, vector<32x64xf8E4M3FN>, vector<64x64xf32>
    scf.yield %next : vector<64x64xf32>
  }
  tile.store %sum, %out : !P
}
