// A sum of i16.
!S = !tile.tensor<[N] x i16, atomic<add>>
!PS = !tile.partition<[32], [N] x i16, atomic<add>>
tile.kernel @narrow_atomic(%s: !S) grid [ceildiv(N, 32), 2] {
  %v = tile.iota 0 : vector<32xi16>
  %i = tile.block_id 0
  %ps = tile.partition %s by [32] : !S
  tile.atomic add %v, %ps[%i] : !PS
}
