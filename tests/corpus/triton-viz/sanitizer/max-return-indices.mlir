// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_tl_max_return_indices
// The maximum of 32 elements and where it is.
!X = !tile.tensor<[32] x f32, shared>
!PX = !tile.partition<[32], [32] x f32, shared>
!Y = !tile.tensor<[1] x f32, out>
!PY = !tile.partition<[_], [1] x f32, out>
!SY = !tile.piece<[_] x f32, out>
!AT = !tile.tensor<[1] x i32, out>
!PAT = !tile.partition<[_], [1] x i32, out>
!SAT = !tile.piece<[_] x i32, out>
tile.kernel @max_return_indices(%x: !X, %y: !Y, %at: !AT) grid [1] {
  %px = tile.partition %x by [32] : !X
  %py = tile.partition %y by [_] : !Y
  %pat = tile.partition %at by [_] : !AT
  %p = tile.block_id 0
  %v = tile.load %px[%p] : !PX
  %m = tile.reduce max %v, 0 : vector<32xf32>
  %k = tile.argmax %v, 0 : vector<32xf32>
  %o = tile.claim %py[%p] : !PY
  tile.store %m, %o : !SY
  %q = tile.claim %pat[%p] : !PAT
  tile.store %k, %q : !SAT
}
