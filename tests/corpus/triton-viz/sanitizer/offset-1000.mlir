// expect: REFUTED claim.bounds
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_loop_oob_reports_correct_line_number
// Reads and writes 16 elements, reads at 1000 beyond. Rewritten: lanes are
// trips of a loop over single elements.
!Y = !tile.tensor<[16] x f32, own>
!PY = !tile.partition<[_], [16] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @offset_1000(%y: !Y) grid [1] {
  %py = tile.partition %y by [_] : !Y
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %v = tile.block_id 0
  %first = arith.muli %v, %c16 : index
  scf.for %k = %c0 to %c2 step %c1 {
    scf.for %lane = %c0 to %c16 step %c1 {
      %at = arith.addi %first, %lane : index
      %beyond = arith.addi %at, %c1000 : index
      %s = tile.claim %py[%beyond] : !PY
      %v_2 = tile.load %s : !SY
      %o = tile.claim %py[%at] : !PY
      tile.store %v_2, %o : !SY
    }
  }
}
