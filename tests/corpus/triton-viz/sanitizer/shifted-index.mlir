// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_sanitizer_supports_ashr_in_symbolic_address
// Stores at offs >> 1 of four elements, two lanes an element. Rewritten: lanes
// are trips of a loop over single elements.
!Y = !tile.tensor<[4] x i32, own>
!PY = !tile.partition<[_], [4] x i32, own>
!SY = !tile.piece<[_] x i32, own>
tile.kernel @shifted_index(%y: !Y) grid [1] {
  %py = tile.partition %y by [_] : !Y
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %at = arith.divsi %k, %c2 : index
    %v = arith.index_cast %k : index to i32
    %o = tile.claim %py[%at] : !PY
    tile.store %v, %o : !SY
  }
}
