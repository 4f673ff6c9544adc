// expect: REFUTED launch.grid
// twin: grid_difference.good.mlir
// N - P may be negative.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @grid_difference(%x: !X) symbols [P : index] grid [N - P] {
  %i = tile.block_id 0
}
