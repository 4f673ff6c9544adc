// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_sanitizer_supports_where_in_symbolic_address
// Even lanes store at their own number, odd ones from the end. Rewritten: lanes
// are trips of a loop over single elements.
!Y = !tile.tensor<[4] x i32, own>
!PY = !tile.partition<[_], [4] x i32, own>
!SY = !tile.piece<[_] x i32, own>
tile.kernel @selected_index(%y: !Y) grid [1] {
  %py = tile.partition %y by [_] : !Y
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %r = arith.remsi %k, %c2 : index
    %even = arith.cmpi eq, %r, %c0 : index
    %back = arith.subi %c3, %k : index
    %at = arith.select %even, %k, %back : index
    %v = arith.index_cast %k : index to i32
    %o = tile.claim %py[%at] : !PY
    tile.store %v, %o : !SY
  }
}
