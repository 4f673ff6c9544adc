// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_non_contiguous_expanded_tensor
// A tensor of 4 by 8 whose rows are one: stride 0.
!X = !tile.tensor<[4, 8] x f32, shared, strides [0, 1]>
!PX = !tile.partition<[_, 8], [4, 8] x f32, shared, strides [0, 1]>
!Y = !tile.tensor<[4, 8] x f32, out>
!PY = !tile.partition<[_, 8], [4, 8] x f32, out>
!SY = !tile.piece<[_, 8] x f32, out>
tile.kernel @expanded_rows(%x: !X, %y: !Y) grid [4] {
  %px = tile.partition %x by [_, 8] : !X
  %py = tile.partition %y by [_, 8] : !Y
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %v = tile.load %px[%row, %c0] pad(zero) : !PX
  %o = tile.claim %py[%row, %c0] : !PY
  tile.store %v, %o : !SY
}
