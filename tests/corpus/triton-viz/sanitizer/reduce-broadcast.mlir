// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_reduce_broadcast
// A row minus its sum.
!X = !tile.tensor<[1, 16] x f32, shared>
!PX = !tile.partition<[1, 16], [1, 16] x f32, shared>
!Y = !tile.tensor<[1, 16] x f32, out>
!PY = !tile.partition<[1, 16], [1, 16] x f32, out>
!SY = !tile.piece<[1, 16] x f32, out>
tile.kernel @reduce_broadcast(%x: !X, %y: !Y) grid [1] {
  %px = tile.partition %x by [1, 16] : !X
  %py = tile.partition %y by [1, 16] : !Y
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %v = tile.load %px[%row, %c0] : !PX
  %s = tile.reduce add %v, 1 keep : vector<1x16xf32>
  %b = vector.broadcast %s : vector<1x1xf32> to vector<1x16xf32>
  %r = arith.subf %v, %b : vector<1x16xf32>
  %o = tile.claim %py[%row, %c0] : !PY
  tile.store %r, %o : !SY
}
