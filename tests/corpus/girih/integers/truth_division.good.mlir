// expect: VERIFIED
// The truth value is widened without sign first.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @truth_division(%x: !X) grid [1] {
  %t = arith.constant true
  %one = arith.extui %t : i1 to i8
  %q = arith.remsi %one, %one : i8
}
