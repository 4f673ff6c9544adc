// expect: REFUTED out.covered
// twin: variants.good.mlir
// Two kernels for one call: long arrays in wide tiles, short ones in narrow
// ones. The second leaves the end of what is no multiple of its tile; that it
// is never taken for a launch where this shows would not make it safe.
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
tile.kernel @fill_narrow(%c: !C) grid [div(N, 4)] {
  %one = arith.constant dense<1.0> : vector<4xf32>
  %i = tile.block_id 0
  %pc = tile.partition %c by [4] : !C
  %out = tile.claim %pc[%i] : !S
  tile.store %one, %out : !PS
}
