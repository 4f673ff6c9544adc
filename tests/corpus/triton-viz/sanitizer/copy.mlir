// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_reinterpret_tensor_wrapper
// A masked copy of 64 elements.
!X = !tile.tensor<[64] x f16, shared>
!PX = !tile.partition<[64], [64] x f16, shared>
!Y = !tile.tensor<[64] x f16, out>
!PY = !tile.partition<[64], [64] x f16, out>
!SY = !tile.piece<[64] x f16, out>
tile.kernel @copy(%x: !X, %y: !Y) grid [1] {
  %px = tile.partition %x by [64] : !X
  %py = tile.partition %y by [64] : !Y
  %p = tile.block_id 0
  %v = tile.load %px[%p] pad(zero) : !PX
  %o = tile.claim %py[%p] : !PY
  tile.store %v, %o : !SY
}
