// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_expand_dims_scalar_attr
// An outer product of a tile of eight with its exponentials, summed.
!X = !tile.tensor<[8] x f32, shared>
!PX = !tile.partition<[8], [8] x f32, shared>
!Y = !tile.tensor<[8] x f32, out>
!PY = !tile.partition<[8], [8] x f32, out>
!SY = !tile.piece<[8] x f32, out>
tile.kernel @exp_expand(%x: !X, %y: !Y) grid [1] {
  %px = tile.partition %x by [8] : !X
  %py = tile.partition %y by [8] : !Y
  %p = tile.block_id 0
  %v = tile.load %px[%p] : !PX
  %w = math.exp %v : vector<8xf32>
  %u = tile.load %px[%p] : !PX
  %u2 = vector.shape_cast %u : vector<8xf32> to vector<8x1xf32>
  %ub = vector.broadcast %u2 : vector<8x1xf32> to vector<8x8xf32>
  %wb = vector.broadcast %w : vector<8xf32> to vector<8x8xf32>
  %m = arith.mulf %wb, %ub : vector<8x8xf32>
  %s = tile.reduce add %m, 1 : vector<8x8xf32>
  %o = tile.claim %py[%p] : !PY
  tile.store %s, %o : !SY
}
