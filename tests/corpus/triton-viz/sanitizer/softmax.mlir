// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_reduce_symbolic_nonetype
// Rows of 64.
!X = !tile.tensor<[4, 64] x f32, shared>
!PX = !tile.partition<[_, 64], [4, 64] x f32, shared>
!Y = !tile.tensor<[4, 64] x f32, out>
!PY = !tile.partition<[_, 64], [4, 64] x f32, out>
!SY = !tile.piece<[_, 64] x f32, out>
tile.kernel @softmax(%x: !X, %y: !Y) grid [4] {
  %px = tile.partition %x by [_, 64] : !X
  %py = tile.partition %y by [_, 64] : !Y
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %v = tile.load %px[%row, %c0] pad(neg_inf) : !PX
  %m = tile.reduce max %v, 0 : vector<64xf32>
  %mb = vector.broadcast %m : f32 to vector<64xf32>
  %d = arith.subf %v, %mb : vector<64xf32>
  %e = math.exp %d : vector<64xf32>
  %s = tile.reduce add %e, 0 : vector<64xf32>
  %sb = vector.broadcast %s : f32 to vector<64xf32>
  %r = arith.divf %e, %sb : vector<64xf32>
  %o = tile.claim %py[%row, %c0] : !PY
  tile.store %r, %o : !SY
}
