// expect: VERIFIED
// The divisor is known before the division.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @requires_order(%x: !X) symbols [P : index] grid [1] requires [P >= 1, div(N, P) >= 1] {
  %i = tile.block_id 0
}
