// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_loop_bounds_from_pid
// A loop from the block id to two beyond.
!Y = !tile.tensor<[2] x i32, out>
!PY = !tile.partition<[_], [2] x i32, out>
!SY = !tile.piece<[_] x i32, out>
tile.kernel @loop_bounds_from_pid(%y: !Y) grid [2] {
  %py = tile.partition %y by [_] : !Y
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %p = tile.block_id 0
  %stop = arith.addi %p, %c2 : index
  scf.for %k = %p to %stop step %c1 {
  }
  %v = arith.index_cast %p : index to i32
  %o = tile.claim %py[%p] : !PY
  tile.store %v, %o : !SY
}
