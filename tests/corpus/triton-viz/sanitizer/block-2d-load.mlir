// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_block_tensor_2d_load_non_oob
// 4 by 4 in tiles of 2 by 2.
!X = !tile.tensor<[4, 4] x f32, shared>
!PX = !tile.partition<[2, 2], [4, 4] x f32, shared>
tile.kernel @block_2d_load(%x: !X) grid [2, 2] {
  %px = tile.partition %x by [2, 2] : !X
  %v_2 = tile.block_id 0
  %v_3 = tile.block_id 1
  %v = tile.load %px[%v_2, %v_3] : !PX
}
