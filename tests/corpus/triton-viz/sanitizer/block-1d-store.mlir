// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_block_tensor_1d_store_non_oob
// 64 elements in tiles of 32.
!Y = !tile.tensor<[64] x f32, out>
!PY = !tile.partition<[32], [64] x f32, out>
!SY = !tile.piece<[32] x f32, out>
tile.kernel @block_1d_store(%y: !Y) grid [2] {
  %py = tile.partition %y by [32] : !Y
  %one = arith.constant dense<1.0> : vector<32xf32>
  %v = tile.block_id 0
  %o = tile.claim %py[%v] : !PY
  tile.store %one, %o : !SY
}
