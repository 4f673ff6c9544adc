// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_block_tensor_boundary_check_masks_oob
// 48 elements in tiles of 32, the second masked at the edge.
!X = !tile.tensor<[48] x f32, shared>
!PX = !tile.partition<[32], [48] x f32, shared>
tile.kernel @block_boundary_check(%x: !X) grid [2] {
  %px = tile.partition %x by [32] : !X
  %v_2 = tile.block_id 0
  %v = tile.load %px[%v_2] pad(zero) : !PX
}
