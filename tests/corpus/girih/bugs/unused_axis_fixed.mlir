// expect: VERIFIED
// Copies new keys into a cache.
!K = !tile.tensor<[S, D] x bf16, shared>
!C = !tile.tensor<[T, D] x bf16, own>
!PK = !tile.partition<[64, 128], [S, D] x bf16, shared>
!PC = !tile.partition<[64, 128], [T, D] x bf16, own>
!P = !tile.piece<[64, 128] x bf16, own>
tile.kernel @unused_axis_fixed(%keys: !K, %cache: !C)
    grid [ceildiv(S, 64), ceildiv(D, 128)] requires [S <= T] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pk = tile.partition %keys by [64, 128] : !K
  %pc = tile.partition %cache by [64, 128] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %v = tile.load %pk[%i, %j] pad(zero) : !PK
  tile.store %v, %out : !P
}
