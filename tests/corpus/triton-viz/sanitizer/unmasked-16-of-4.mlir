// expect: REFUTED load.pad
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_cli_code_context_points_to_kernel
// A tile of 16 of four elements without a mask.
!X = !tile.tensor<[4] x f32, shared>
!PX = !tile.partition<[16], [4] x f32, shared>
tile.kernel @unmasked_16_of_4(%x: !X) grid [1] {
  %px = tile.partition %x by [16] : !X
  %v_2 = tile.block_id 0
  %v = tile.load %px[%v_2] : !PX
}
