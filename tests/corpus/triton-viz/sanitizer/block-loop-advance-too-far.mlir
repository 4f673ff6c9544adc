// expect: REFUTED load.bounds
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_block_tensor_loop_advance_oob
// One trip more, 64 elements.
!X = !tile.tensor<[64] x f32, shared>
!PX = !tile.partition<[32], [64] x f32, shared>
tile.kernel @block_loop_advance_too_far(%x: !X) grid [1] {
  %px = tile.partition %x by [32] : !X
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %c3 step %c1 {
    %v = tile.load %px[%k] pad(zero) : !PX
  }
}
