// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_reduce_on_dot_result
// The maxima of the rows of a product of 16 by 16.
!Q = !tile.tensor<[16, 16] x f16, shared>
!PQ = !tile.partition<[16, 16], [16, 16] x f16, shared>
!K = !tile.tensor<[16, 16] x f16, shared, strides [1, 16]>
!PK = !tile.partition<[16, 16], [16, 16] x f16, shared, strides [1, 16]>
!Y = !tile.tensor<[16] x f32, out>
!PY = !tile.partition<[16], [16] x f32, out>
!SY = !tile.piece<[16] x f32, out>
tile.kernel @dot_row_max(%q: !Q, %k: !K, %y: !Y) grid [1] {
  %pq = tile.partition %q by [16, 16] : !Q
  %pk = tile.partition %k by [16, 16] : !K
  %py = tile.partition %y by [16] : !Y
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %p = tile.block_id 0
  %a = tile.load %pq[%p, %p] : !PQ
  %b = tile.load %pk[%p, %p] : !PK
  %r = tile.mma %a, %b, %zero : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32>
  %m = tile.reduce max %r, 1 : vector<16x16xf32>
  %o = tile.claim %py[%p] : !PY
  tile.store %m, %o : !SY
}
