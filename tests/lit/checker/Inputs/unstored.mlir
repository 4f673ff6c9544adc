// Claims a tile and forgets to store to it.
!A = !tile.tensor<[N] x f32, out>
!PA = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @unstored(%a: !A, %c: !A) grid [ceildiv(N, 64)]
    requires [N >= 1] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %i = tile.block_id 0
  %pa = tile.partition %a by [64] : !A
  %pc = tile.partition %c by [64] : !A
  %left = tile.claim %pc[%i] : !PA
  %out = tile.claim %pa[%i] : !PA
  tile.store %v, %out : !P
}
