// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_block_tensor_2d_loop_advance_non_oob
// 4 by 8 in tiles of 4 by 4, along the columns.
!X = !tile.tensor<[4, 8] x f32, shared>
!PX = !tile.partition<[4, 4], [4, 8] x f32, shared>
tile.kernel @block_2d_loop_advance(%x: !X) grid [1] {
  %px = tile.partition %x by [4, 4] : !X
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %p = tile.block_id 0
  scf.for %k = %c0 to %c2 step %c1 {
    %v = tile.load %px[%p, %k] pad(zero) : !PX
  }
}
