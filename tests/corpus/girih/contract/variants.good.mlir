// expect: VERIFIED
// Two kernels for one call: long arrays in wide tiles, short ones in narrow
// ones. Each is safe for all launches, whichever it is taken for.
!C = !tile.tensor<[N] x f32, out>
!W = !tile.partition<[16], [N] x f32, out>
!PW = !tile.piece<[16] x f32, out>
!S = !tile.partition<[4], [N] x f32, out>
!PS = !tile.piece<[4] x f32, out>
tile.variants @fill [@fill_wide when (N >= 8, mod(N, 2) == 0), @fill_narrow]
tile.kernel @fill_wide(%c: !C) grid [ceildiv(N, 16)] {
  %one = arith.constant dense<1.0> : vector<16xf32>
  %i = tile.block_id 0
  %pc = tile.partition %c by [16] : !C
  %out = tile.claim %pc[%i] : !W
  tile.store %one, %out : !PW
}
tile.kernel @fill_narrow(%c: !C) grid [ceildiv(N, 4)] {
  %one = arith.constant dense<1.0> : vector<4xf32>
  %i = tile.block_id 0
  %pc = tile.partition %c by [4] : !C
  %out = tile.claim %pc[%i] : !S
  tile.store %one, %out : !PS
}
