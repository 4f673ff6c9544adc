// expect: REFUTED claim.bounds
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_block_tensor_1d_store_oob
// 48 elements in tiles of 32 stored without a mask. Rewritten: lanes are trips
// of a loop over single elements.
!Y = !tile.tensor<[48] x f32, own>
!PY = !tile.partition<[_], [48] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @block_1d_store_unmasked(%y: !Y) grid [2] {
  %py = tile.partition %y by [_] : !Y
  %c32 = arith.constant 32 : index
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.block_id 0
  %first = arith.muli %v, %c32 : index
  scf.for %lane = %c0 to %c32 step %c1 {
    %at = arith.addi %first, %lane : index
    %o = tile.claim %py[%at] : !PY
    tile.store %one, %o : !SY
  }
}
