// expect: VERIFIED
// C += A B, the K axis shared by P blocks that add atomically
// any M, N, K, P
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!C = !tile.tensor<[M, N] x f32, atomic<add>>
!PA = !tile.partition<[64, 64], [M, K] x bf16, shared>
!PB = !tile.partition<[64, 64], [K, N] x bf16, shared>
!PC = !tile.partition<[64, 64], [M, N] x f32, atomic<add>>
tile.kernel @split_k(%a: !A, %b: !B, %c: !C) symbols [P : index] grid [ceildiv(M, 64), ceildiv(N, 64), P] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %p = tile.block_id 2
  %splits = tile.grid_dim 2
  %pa = tile.partition %a by [64, 64] : !A
  %pb = tile.partition %b by [64, 64] : !B
  %pc = tile.partition %c by [64, 64] : !C
  %n = tile.num_tiles %pa, 1 : !PA
  %share = arith.ceildivsi %n, %splits : index
  %from = arith.muli %p, %share : index
  %end = arith.addi %from, %share : index
  %to = arith.minsi %end, %n : index
  %sum = scf.for %k = %from to %to step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %x = tile.load %pa[%i, %k] pad(zero) : !PA
    %y = tile.load %pb[%k, %j] pad(zero) : !PB
    %next = tile.mma %x, %y, %acc : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    scf.yield %next : vector<64x64xf32>
  }
  tile.atomic add %sum, %pc[%i, %j] : !PC
}
