// expect: REFUTED claim.bounds
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_loop_deferred_checks_after_context
// Stores at 1 to 4 of two elements.
!Y = !tile.tensor<[2] x i32, own>
!PY = !tile.partition<[_], [2] x i32, own>
!SY = !tile.piece<[_] x i32, own>
tile.kernel @loop_deferred_checks(%y: !Y) grid [1] {
  %py = tile.partition %y by [_] : !Y
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %at = arith.addi %i, %c1 : index
    %v = arith.index_cast %at : index to i32
    %o = tile.claim %py[%at] : !PY
    tile.store %v, %o : !SY
  }
}
