// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_strided_view_correct_mask_no_oob
// Three of them. Rewritten: lanes are trips of a loop over single elements.
!V4 = !tile.tensor<[4] x i32, shared>
!PV4 = !tile.partition<[_], [4] x i32, shared>
!BINS = !tile.tensor<[5] x i32, shared>
!PBINS = !tile.partition<[_], [5] x i32, shared>
!Y = !tile.tensor<[4] x i32, own>
!PY = !tile.partition<[_], [4] x i32, own>
!SY = !tile.piece<[_] x i32, own>
tile.kernel @strided_view(%v4: !V4, %bins: !BINS, %y: !Y) grid [1] {
  %pv4 = tile.partition %v4 by [_] : !V4
  %pbins = tile.partition %bins by [_] : !BINS
  %py = tile.partition %y by [_] : !Y
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %c100_i32 = arith.constant 100 : i32
  scf.for %k = %c0 to %c8 step %c1 {
    %c = arith.cmpi slt, %k, %c3 : index
    scf.if %c {
      %v = tile.load %pv4[%k] : !PV4
      %at = arith.muli %k, %c2 : index
      %b = tile.load %pbins[%at] : !PBINS
      %v100 = arith.muli %v, %c100_i32 : i32
      %r = arith.addi %v100, %b : i32
      %o = tile.claim %py[%k] : !PY
      tile.store %r, %o : !SY
    }
  }
}
