// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_inner_stride1_nonzero_storage_offset_no_oob
// The first row of a slice of 2 by 3 with row stride 5, masked at 3.
!X = !tile.tensor<[2, 3] x i32, shared, strides [5, 1]>
!PX = !tile.partition<[_, 4], [2, 3] x i32, shared, strides [5, 1]>
!Y = !tile.tensor<[3] x i32, own>
!PY = !tile.partition<[4], [3] x i32, own>
!SY = !tile.piece<[4] x i32, own>
tile.kernel @slice_first_row(%x: !X, %y: !Y) grid [1] {
  %px = tile.partition %x by [_, 4] : !X
  %py = tile.partition %y by [4] : !Y
  %z = tile.block_id 0
  %v = tile.load %px[%z, %z] pad(zero) : !PX
  %o = tile.claim %py[%z] : !PY
  tile.store %v, %o : !SY
}
