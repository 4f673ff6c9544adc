// expect: REFUTED index.division
// twin: truth_division.good.mlir
// Read as signed, true is -1: no i1 is a divisor.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @truth_division(%x: !X) grid [1] {
  %t = arith.constant true
  %q = arith.remsi %t, %t : i1
}
