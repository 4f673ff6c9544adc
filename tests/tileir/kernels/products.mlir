// Products of i8 with sums that wrap, of f16, and of f32; no side is square.
!A = !tile.tensor<[M, K] x i8, shared>
!B = !tile.tensor<[K, N] x i8, shared>
!C = !tile.tensor<[M, N] x i32, own>
!H = !tile.tensor<[M, K] x f16, shared>
!G = !tile.tensor<[K, N] x f16, shared>
!D = !tile.tensor<[M, N] x f32, out>
!PA = !tile.partition<[16, 8], [M, K] x i8, shared>
!PB = !tile.partition<[8, 32], [K, N] x i8, shared>
!PC = !tile.partition<[16, 32], [M, N] x i32, own>
!PH = !tile.partition<[16, 8], [M, K] x f16, shared>
!PG = !tile.partition<[8, 32], [K, N] x f16, shared>
!PD = !tile.partition<[16, 32], [M, N] x f32, out>
!P = !tile.piece<[16, 32] x i32, own>
!Q = !tile.piece<[16, 32] x f32, out>
tile.kernel @products(%a: !A, %b: !B, %c: !C, %h: !H, %g: !G, %d: !D)
    grid [ceildiv(M, 16), ceildiv(N, 32)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x32xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [16, 8] : !A
  %pb = tile.partition %b by [8, 32] : !B
  %pc = tile.partition %c by [16, 32] : !C
  %ph = tile.partition %h by [16, 8] : !H
  %pg = tile.partition %g by [8, 32] : !G
  %pd = tile.partition %d by [16, 32] : !D
  %oc = tile.claim %pc[%i, %j] : !PC
  %od = tile.claim %pd[%i, %j] : !PD
  %n = tile.num_tiles %pa, 1 : !PA
  %start = tile.load %oc pad(zero) : !P
  %sum:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %start, %q = %zero) -> (vector<16x32xi32>, vector<16x32xf32>) {
    %x = tile.load %pa[%i, %k] pad(zero) : !PA
    %y = tile.load %pb[%k, %j] pad(zero) : !PB
    %u = tile.load %ph[%i, %k] pad(zero) : !PH
    %v = tile.load %pg[%k, %j] pad(zero) : !PG
    %next = tile.mma %x, %y, %p : vector<16x8xi8>, vector<8x32xi8>, vector<16x32xi32>
    %more = tile.mma %u, %v, %q : vector<16x8xf16>, vector<8x32xf16>, vector<16x32xf32>
    scf.yield %next, %more : vector<16x32xi32>, vector<16x32xf32>
  }
  tile.store %sum#0, %oc : !P
  tile.store %sum#1, %od : !Q
}
