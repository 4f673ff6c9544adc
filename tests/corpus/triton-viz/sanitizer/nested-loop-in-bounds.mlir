// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_nested_loop_no_false_positive
// Stores at 4 i + j, i to 3 and j to 4, of twelve elements: all of them.
!Y = !tile.tensor<[12] x i32, out>
!PY = !tile.partition<[_], [12] x i32, out>
!SY = !tile.piece<[_] x i32, out>
tile.kernel @nested_loop_in_bounds(%y: !Y) grid [1] {
  %py = tile.partition %y by [_] : !Y
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %four = arith.muli %i, %c4 : index
      %at = arith.addi %four, %j : index
      %v = arith.index_cast %at : index to i32
      %o = tile.claim %py[%at] : !PY
      tile.store %v, %o : !SY
    }
  }
}
