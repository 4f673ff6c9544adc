// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_block_tensor_loop_advance_non_oob
// A pointer that advances by a tile, N / 32 times.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[32], [N] x f32, shared>
tile.kernel @block_loop_advance(%x: !X) grid [1] {
  %px = tile.partition %x by [32] : !X
  %n = tile.symbol "N" : index
  %c32 = arith.constant 32 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n_2 = arith.divsi %n, %c32 : index
  scf.for %k = %c0 to %n_2 step %c1 {
    %v = tile.load %px[%k] pad(zero) : !PX
  }
}
