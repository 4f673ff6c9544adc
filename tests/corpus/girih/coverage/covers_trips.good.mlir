// expect: VERIFIED
// Through a loop of P blocks: the trip is told with the block.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @told_trips(%c: !C) symbols [P : index] grid [P] requires [P >= 1]
    covers [%c[t] by block (mod(t, P)) trips (div(t, P))] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %p = tile.block_id 0
  %step = tile.grid_dim 0
  %pc = tile.partition %c by [64] : !C
  %n = tile.num_tiles %pc, 0 : !PC
  scf.for %t = %p to %n step %step {
    %out = tile.claim %pc[%t] : !PC
    tile.store %v, %out : !P
  }
}
