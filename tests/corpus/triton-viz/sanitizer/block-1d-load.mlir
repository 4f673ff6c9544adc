// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_block_tensor_1d_load_non_oob
// 64 elements in tiles of 32.
!X = !tile.tensor<[64] x f32, shared>
!PX = !tile.partition<[32], [64] x f32, shared>
tile.kernel @block_1d_load(%x: !X) grid [2] {
  %px = tile.partition %x by [32] : !X
  %v_2 = tile.block_id 0
  %v = tile.load %px[%v_2] : !PX
}
