// expect: VERIFIED
// Every block of the third axis adds its part of the sum to the same tile,
// atomically.
!A = !tile.tensor<[M, K] x bf16, shared>
!B = !tile.tensor<[K, N] x bf16, shared>
!C = !tile.tensor<[M, N] x f32, atomic<add>>
!PA = !tile.partition<[16, 32], [M, K] x bf16, shared>
!PB = !tile.partition<[32, 16], [K, N] x bf16, shared>
!PC = !tile.partition<[16, 16], [M, N] x f32, atomic<add>>
tile.kernel @split_k(%a: !A, %b: !B, %c: !C)
    grid [ceildiv(M, 16), ceildiv(N, 16), ceildiv(K, 32)] {
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %k = tile.block_id 2
  %pa = tile.partition %a by [16, 32] : !A
  %pb = tile.partition %b by [32, 16] : !B
  %pc = tile.partition %c by [16, 16] : !C
  %x = tile.load %pa[%i, %k] pad(zero) : !PA
  %y = tile.load %pb[%k, %j] pad(zero) : !PB
  %part = tile.mma %x, %y, %zero : vector<16x32xbf16>, vector<32x16xbf16>, vector<16x16xf32>
  tile.atomic add %part, %pc[%i, %j] : !PC
}
