// expect: REFUTED claim.disjoint
// source: Deep-Learning-Profiling-Tools/triton-viz@203b0c7 tests/end_to_end/test_sanitizer.py, test_data_dependent_cdiv_loop_bound
// A loop bound from min and ceiling division. In bounds, as is stated; but two
// chunks write one row of the output, which that tool does not look for.
!X = !tile.tensor<[16] x f32, shared>
!PX = !tile.partition<[16], [16] x f32, shared>
!Y = !tile.tensor<[2, 16] x f32, own>
!PY = !tile.partition<[_, 16], [2, 16] x f32, own>
!SY = !tile.piece<[_, 16] x f32, own>
tile.kernel @cdiv_loop_bound(%x: !X, %y: !Y) grid [2, 2] {
  %px = tile.partition %x by [16] : !X
  %py = tile.partition %y by [_, 16] : !Y
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %c1 = arith.constant 1 : index
  %m = tile.block_id 0
  %ch = tile.block_id 1
  %used = arith.muli %ch, %c32 : index
  %left = arith.subi %c64, %used : index
  %limit = arith.minsi %left, %c32 : index
  %iters = arith.ceildivsi %limit, %c16 : index
  %acc_2 = scf.for %k = %c0 to %iters step %c1 iter_args(%acc = %zero) -> (vector<16xf32>) {
    %v = tile.load %px[%c0] pad(zero) : !PX
    %acc_3 = arith.addf %acc, %v : vector<16xf32>
    scf.yield %acc_3 : vector<16xf32>
  }
  %o = tile.claim %py[%m, %c0] : !PY
  tile.store %acc_2, %o : !SY
}
