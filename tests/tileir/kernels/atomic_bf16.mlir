// A sum of bf16, which the first architectures do not have.
!X = !tile.tensor<[M, N] x bf16, shared>
!S = !tile.tensor<[N] x bf16, atomic<add>>
!PX = !tile.partition<[_, 32], [M, N] x bf16, shared>
!PS = !tile.partition<[32], [N] x bf16, atomic<add>>
tile.kernel @atomic_bf16(%x: !X, %s: !S) grid [M, ceildiv(N, 32)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [_, 32] : !X
  %ps = tile.partition %s by [32] : !S
  %v = tile.load %px[%i, %j] pad(zero) : !PX
  tile.atomic add %v, %ps[%j] : !PS
}
