// expect: VERIFIED
// The zero extension of true is 1.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
tile.kernel @truth_sign(%x: !X) grid [1] {
  %c1 = arith.constant 1 : index
  %t = arith.constant true
  %wide = arith.extui %t : i1 to i32
  %d = arith.index_cast %wide : i32 to index
  %q = arith.divsi %c1, %d : index
}
