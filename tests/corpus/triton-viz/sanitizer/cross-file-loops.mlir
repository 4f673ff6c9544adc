// expect: REFUTED claim.bounds
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_cross_file_same_relative_lineno_loops_detect_oob
// Stores at 2 i + j for i to 8, j to 2, of eight elements.
!Y = !tile.tensor<[8] x i32, own>
!PY = !tile.partition<[_], [8] x i32, own>
!SY = !tile.piece<[_] x i32, own>
tile.kernel @cross_file_loops(%y: !Y) grid [1] {
  %py = tile.partition %y by [_] : !Y
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %twice = arith.muli %i, %c2 : index
      %at = arith.addi %twice, %j : index
      %v = arith.index_cast %at : index to i32
      %o = tile.claim %py[%at] : !PY
      tile.store %v, %o : !SY
    }
  }
}
