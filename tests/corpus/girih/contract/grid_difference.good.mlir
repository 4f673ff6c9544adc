// expect: VERIFIED
// The contract says that it is not.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @grid_difference(%x: !X) symbols [P : index] grid [N - P] requires [P <= N] {
  %i = tile.block_id 0
}
