// expect: VERIFIED
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_reduce_on_batched_dot_result
// The same for two batches. Rewritten: a loop over the batch.
!A = !tile.tensor<[2, 16, 16] x f16, shared>
!PA = !tile.partition<[_, 16, 16], [2, 16, 16] x f16, shared>
!B = !tile.tensor<[2, 16, 16] x f16, shared>
!PB = !tile.partition<[_, 16, 16], [2, 16, 16] x f16, shared>
!Y = !tile.tensor<[2, 16] x f32, out>
!PY = !tile.partition<[_, 16], [2, 16] x f32, out>
!SY = !tile.piece<[_, 16] x f32, out>
tile.kernel @batched_dot_row_max(%a: !A, %b: !B, %y: !Y) grid [1] {
  %pa = tile.partition %a by [_, 16, 16] : !A
  %pb = tile.partition %b by [_, 16, 16] : !B
  %py = tile.partition %y by [_, 16] : !Y
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %p = tile.block_id 0
  scf.for %n = %c0 to %c2 step %c1 {
    %av = tile.load %pa[%n, %p, %p] : !PA
    %bv = tile.load %pb[%n, %p, %p] : !PB
    %r = tile.mma %av, %bv, %zero : vector<16x16xf16>, vector<16x16xf16>, vector<16x16xf32>
    %m = tile.reduce max %r, 1 : vector<16x16xf32>
    %o = tile.claim %py[%n, %p] : !PY
    tile.store %m, %o : !SY
  }
}
