// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_loop_deferred_checks_simplify
// A store at id + 1 in each trip, two blocks and three elements.
!Y = !tile.tensor<[3] x i32, own>
!PY = !tile.partition<[_], [3] x i32, own>
!SY = !tile.piece<[_] x i32, own>
tile.kernel @loop_deferred_simplify(%y: !Y) grid [2] {
  %py = tile.partition %y by [_] : !Y
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %p = tile.block_id 0
  %programs = tile.grid_dim 0
  %blocks = arith.addi %programs, %c1 : index
  scf.for %i = %c0 to %blocks step %c1 {
    %at = arith.addi %p, %c1 : index
    %v = arith.index_cast %at : index to i32
    %o = tile.claim %py[%at] : !PY
    tile.store %v, %o : !SY
  }
}
