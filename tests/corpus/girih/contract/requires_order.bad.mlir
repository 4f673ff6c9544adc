// expect: REFUTED contract.division
// twin: requires_order.good.mlir
// The requirements hold in order: the division comes before its divisor is known.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @requires_order(%x: !X) symbols [P : index] grid [1] requires [div(N, P) >= 1, P >= 1] {
  %i = tile.block_id 0
}
