// expect: VERIFIED
// The grid rounds up.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[128], [N] x f32, out>
!P = !tile.piece<[128] x f32, out>
tile.kernel @out_covered(%c: !C) grid [ceildiv(N, 128)] {
  %one = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %pc = tile.partition %c by [128] : !C
  %out = tile.claim %pc[%i] : !PC
  tile.store %one, %out : !P
}
